import { WithStartWorkflowOperation, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { paymentSummary } from '../domain/payments/payment';
import type { payment as paymentWorkflow } from '../../workflows/payments/payment';
import {
  operationUpdate,
  operationUpdateId,
  paymentWorkflowId,
  resolveUpdate,
  resolveUpdateId,
  RESULT_UPDATE_ID,
  resultUpdate,
  wakeSignal,
  type OperationRequest,
  type PaymentInput,
  type PaymentToStart,
  type Resolution,
} from '../../workflows/messages';
import { companyFairness } from './task-priority';
import { isOutcomeUnknown } from './update-errors';
import { paymentSearchAttributes } from '../../workflows/search-attributes';

/** A Temporal that has fallen silent must not keep the sweeper, or a caller, waiting. */
const START_WITHIN_MS = 5_000;

export type { PaymentToStart };

/** `waiting`: no result within the deadline, or none heard of. The payment goes on, or the sweeper starts it. */
export type Awaited = 'settled' | 'waiting';

/**
 * What became of a person's word as far as the deadline tells. `over`: the workflow has done with it, and acted on it if
 * it still waited for one; `taken`: it will act on it; `unheard`: nothing is known, and nothing may come of it.
 */
export type ResolveStatus = 'over' | 'taken' | 'unheard';

export class PaymentWorkflows {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /** Starts the payment's workflow, or joins the one that runs, and waits for its result until `deadline`. */
  async awaitResult(payment: PaymentToStart, deadline: Date): Promise<Awaited> {
    return pendingOnTimeout(async () => {
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
    return pendingOnTimeout(async () => {
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

  /** Gives the payment's workflow a person's word, and waits until `deadline` for what it does about it. */
  async resolve(payment: PaymentToStart, resolution: Resolution, deadline: Date): Promise<ResolveStatus> {
    let taken = false;
    try {
      await this.client.withDeadline(deadline, async () => {
        const update = await this.client.workflow.startUpdateWithStart(resolveUpdate, {
          updateId: resolveUpdateId(resolution.resolutionId),
          args: [resolution],
          waitForStage: 'ACCEPTED',
          startWorkflowOperation: this.startOperation(payment),
        });
        taken = true;
        await update.result();
      });
      return 'over';
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError) return 'over';
      if (!isOutcomeUnknown(error)) throw error;
      return taken ? 'taken' : 'unheard';
    }
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
    const { companyId, transactionId } = payment;
    return {
      workflowId: paymentWorkflowId(transactionId),
      taskQueue: this.taskQueue,
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      args: [{ companyId, transactionId }] as [PaymentInput],
      staticSummary: paymentSummary(payment),
      typedSearchAttributes: paymentSearchAttributes(payment),
      priority: companyFairness(companyId),
    };
  }
}

async function pendingOnTimeout(work: () => Promise<Awaited>): Promise<Awaited> {
  try {
    return await work();
  } catch (error) {
    if (isOutcomeUnknown(error)) return 'waiting';
    throw error;
  }
}
