import type { FirstAttempt } from '../../../activities/payments/attempts/first-attempt';
import type { PaymentStatus } from '../../domain/payments/payment';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import {
  operationUpdate,
  wakeSignal,
  type LocalPaymentInput,
  type OperationUpdateInput,
  type PaymentInput,
  type PaymentStep,
  type PaymentToStart,
  type PollInput,
} from '../../../workflows/messages';
import { afterFirstAttempt, afterOperation, afterPoll, POLL } from '../../../workflows/payments/first-task';
import type { payment as paymentWorkflow } from '../../../workflows/payments/payment';
import { paymentStartOptions } from '../payments';
import type { FirstTasks } from './first-tasks';
import type { LaterSteps, TaskStep } from './task-step';

/**
 * How long this process may hold a task of a payment before a worker gets it. While an attempt takes longer, the task is
 * prolonged. It bounds the recovery after the death of a process.
 */
export const FIRST_TASK_TIMEOUT_MS = 3_000;

/** The local activities of a payment. */
interface LocalPaymentActivities {
  readonly firstAttempt: (input: LocalPaymentInput) => Promise<FirstAttempt>;
  readonly localOperation: (input: LocalPaymentInput) => Promise<FirstAttempt>;
  readonly localPoll: (input: PollInput) => Promise<PaymentStep>;
}

/** Starts workflows of payments whose first attempts are made in this process. */
export class PaymentFirstTasks {
  constructor(
    private readonly tasks: FirstTasks,
    private readonly taskQueue: string,
    private readonly activities: LocalPaymentActivities,
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
    return this.tasks.start<typeof paymentWorkflow>(
      'payment',
      {
        ...paymentStartOptions(this.taskQueue, payment),
        args: [{ ...input, firstAttempt: operation ?? 'local', laterSteps: 'local' }],
        workflowTaskTimeout: FIRST_TASK_TIMEOUT_MS,
      },
      this.firstStep(input, operation ?? 'route and charge'),
      onLost,
    );
  }

  private firstStep(input: PaymentInput, summary: string): TaskStep {
    return {
      activity: 'firstAttempt',
      summary,
      run: async () => {
        const first = await this.activities.firstAttempt(input);
        const after = (now: number) => afterFirstAttempt(first, now);
        if (first.kind !== 'recorded') return { result: first, after };
        return { result: first, after, later: this.laterSteps(input, first.step.status) };
      },
    };
  }

  /** A callback brings a poll, and an update an operation. */
  private laterSteps(input: PaymentInput, before: PaymentStatus): LaterSteps {
    return (news, [arg]) => {
      if (news.kind === 'signals')
        return news.signals.every(({ name }) => name === wakeSignal.name) ? this.poll(input, before) : null;
      if (news.request.input?.name !== operationUpdate.name) return null;
      return this.operation(input, before, arg as OperationUpdateInput);
    };
  }

  private poll(input: PaymentInput, before: PaymentStatus): TaskStep {
    return {
      activity: 'localPoll',
      summary: POLL,
      run: async () => {
        const polled = { ...input, at: Date.now(), offsetMs: 0, requested: false };
        const step = await this.activities.localPoll(polled);
        return { result: step, after: () => afterPoll(before, step) };
      },
    };
  }

  private operation(
    input: PaymentInput,
    before: PaymentStatus,
    { attemptId, operation }: OperationUpdateInput,
  ): TaskStep {
    return {
      activity: 'localOperation',
      summary: operation,
      run: async () => {
        const made = await this.activities.localOperation({ ...input, awaited: [attemptId] });
        return { result: made, after: () => afterOperation(before, attemptId, made) };
      },
    };
  }
}
