import type { FirstAttempt } from '../../../activities/payments/attempts/first-attempt';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import type { PaymentInput, PaymentToStart } from '../../../workflows/messages';
import { afterFirstAttempt } from '../../../workflows/payments/first-task';
import type { payment as paymentWorkflow } from '../../../workflows/payments/payment';
import { paymentStartOptions } from '../payments';
import type { FirstTasks } from './first-tasks';

/**
 * How long this process may hold the first task of a payment before a worker gets it. While an attempt takes longer, the task is
 * prolonged. It bounds the recovery after the death of a process.
 */
export const FIRST_TASK_TIMEOUT_MS = 3_000;

/** Starts workflows of payments whose first attempts are made in this process. */
export class PaymentFirstTasks {
  constructor(
    private readonly tasks: FirstTasks,
    private readonly taskQueue: string,
    private readonly attempt: (input: PaymentInput) => Promise<FirstAttempt>,
  ) {}

  /**
   * Starts the payment's workflow and makes its first attempt: of the charge, or of an operation of a payment that has no open run.
   * False if a worker makes it, because the workflow runs already.
   *
   * @param onLost called if a worker gets the task meanwhile; the attempt goes on here
   */
  startHere(
    payment: PaymentToStart,
    operation: PaymentOperation | undefined,
    onLost: () => void,
  ): Promise<boolean> {
    const { companyId, transactionId } = payment;
    const input = { companyId, transactionId };
    return this.tasks.start<typeof paymentWorkflow, FirstAttempt>(
      'payment',
      {
        ...paymentStartOptions(this.taskQueue, payment),
        args: [{ ...input, firstAttempt: operation ?? 'local', laterSteps: 'local' }],
        workflowTaskTimeout: FIRST_TASK_TIMEOUT_MS,
      },
      {
        activity: 'firstAttempt',
        summary: operation ?? 'route and charge',
        run: () => this.attempt(input),
        after: afterFirstAttempt,
        onLost,
      },
    );
  }
}
