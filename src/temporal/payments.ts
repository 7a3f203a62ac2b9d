import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { formatMoney } from '../domain/money';
import type { PaymentMethod } from '../domain/payment';
import type { payment as paymentWorkflow } from '../../workflows/payment';
import {
  operationUpdate,
  operationUpdateId,
  RESULT_UPDATE_ID,
  resultUpdate,
  wakeSignal,
  type OperationRequest,
  type PaymentInput,
} from '../../workflows/messages';
import { isNoAnswerYet } from './no-answer-yet';
import {
  amountCentsKey,
  companyIdKey,
  merchantOrderIdKey,
  paymentMethodKey,
  paymentStatusKey,
} from '../../workflows/search-attributes';

/** A Temporal that has fallen silent must not keep the sweeper, or a caller, waiting. */
const START_WITHIN_MS = 5_000;

/** What a payment's workflow is started with and what support staff see of it in lists. */
export interface PaymentToStart extends PaymentInput {
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly currency: string;
  readonly merchantOrderId: string;
}

/** `waiting`: no result within the deadline, or none heard of. The payment goes on, or the sweeper starts it. */
export type Awaited = 'settled' | 'waiting';

export class PaymentWorkflows {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /** Starts the payment's workflow, or joins the one that runs, and waits for its result until `deadline`. */
  async awaitResult(payment: PaymentToStart, deadline: Date): Promise<Awaited> {
    return unlessNoAnswer(async () => {
      const { status } = await this.client.withDeadline(deadline, () =>
        this.client.workflow.executeUpdateWithStart(resultUpdate, {
          updateId: RESULT_UPDATE_ID,
          startWorkflowOperation: this.startOperation(payment),
        }),
      );
      return status === 'processing' ? 'waiting' : 'settled';
    });
  }

  /** Has the payment's workflow take up an operation on it, and waits for the operation's result until `deadline`. */
  async awaitOperation(
    payment: PaymentToStart,
    operation: OperationRequest,
    deadline: Date,
  ): Promise<Awaited> {
    return unlessNoAnswer(async () => {
      await this.client.withDeadline(deadline, () =>
        this.client.workflow.executeUpdateWithStart(operationUpdate, {
          updateId: operationUpdateId(operation.attemptId),
          args: [operation],
          startWorkflowOperation: this.startOperation(payment),
        }),
      );
      return 'settled';
    });
  }

  /** Has the payment's workflow, started if need be, look at what has changed. */
  async wake(payment: PaymentToStart): Promise<void> {
    await this.client.withDeadline(Date.now() + START_WITHIN_MS, () =>
      this.client.workflow.signalWithStart<typeof paymentWorkflow>('payment', {
        ...this.startOptions(payment),
        signal: wakeSignal,
      }),
    );
  }

  /** Starts the workflow unless it runs already. */
  async ensureStarted(payment: PaymentToStart): Promise<void> {
    await this.client.withDeadline(Date.now() + START_WITHIN_MS, () =>
      this.client.workflow.start<typeof paymentWorkflow>('payment', this.startOptions(payment)),
    );
  }

  private startOperation(payment: PaymentToStart): WithStartWorkflowOperation<typeof paymentWorkflow> {
    return new WithStartWorkflowOperation('payment', this.startOptions(payment));
  }

  private startOptions(payment: PaymentToStart) {
    const { companyId, transactionId, paymentMethod, amountCents, currency, merchantOrderId } = payment;
    return {
      workflowId: `payment/${transactionId}`,
      taskQueue: this.taskQueue,
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      args: [{ companyId, transactionId }] as [PaymentInput],
      staticSummary: `${paymentMethod} ${formatMoney(amountCents, currency)}, order ${merchantOrderId}`,
      typedSearchAttributes: new TypedSearchAttributes([
        { key: companyIdKey, value: String(companyId) },
        { key: paymentStatusKey, value: 'processing' },
        { key: paymentMethodKey, value: paymentMethod },
        { key: merchantOrderIdKey, value: merchantOrderId },
        { key: amountCentsKey, value: amountCents },
      ]),
    };
  }
}

async function unlessNoAnswer(work: () => Promise<Awaited>): Promise<Awaited> {
  try {
    return await work();
  } catch (error) {
    if (isNoAnswerYet(error)) return 'waiting';
    throw error;
  }
}
