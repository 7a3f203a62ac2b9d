import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
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
  type OperationUpdateInput,
  type PaymentInput,
  type PaymentToStart,
} from '../../workflows/messages';
import { START_TIMEOUT_MS } from './client';
import { companyFairness } from './task-priority';
import { pendingOnTimeout } from './update-errors';
import { paymentSearchAttributes } from '../../workflows/search-attributes';

export type { PaymentToStart };

/** `pending`: no result before the deadline. The workflow continues, or the sweeper starts it. */
export type WaitResult = 'completed' | 'pending';

export class PaymentWorkflows {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /** Starts the payment's workflow or joins the running one, and waits for its result until `deadline`. */
  async awaitResult(payment: PaymentToStart, deadline: Date): Promise<WaitResult> {
    return pendingOnTimeout<WaitResult>(async () => {
      const { status } = await this.client.withDeadline(deadline, () =>
        this.client.workflow.executeUpdateWithStart(resultUpdate, {
          updateId: RESULT_UPDATE_ID,
          startWorkflowOperation: this.startOperation(payment),
        }),
      );
      return status === 'processing' ? 'pending' : 'completed';
    });
  }

  /** Sends an operation to the payment's workflow and waits for its result until `deadline`. */
  async awaitOperation(
    payment: PaymentToStart,
    operation: OperationUpdateInput,
    deadline: Date,
  ): Promise<WaitResult> {
    return pendingOnTimeout<WaitResult>(async () => {
      await this.client.withDeadline(deadline, () =>
        this.client.workflow.executeUpdateWithStart(operationUpdate, {
          updateId: operationUpdateId(operation.attemptId),
          args: [operation],
          startWorkflowOperation: this.startOperation(payment),
        }),
      );
      return 'completed';
    });
  }

  /** Sends a committed resolution to the payment's workflow and waits until `deadline` for it to be closed. */
  async awaitResolution(payment: PaymentToStart, resolutionId: string, deadline: Date): Promise<WaitResult> {
    return pendingOnTimeout<WaitResult>(async () => {
      await this.client.withDeadline(deadline, () =>
        this.client.workflow.executeUpdateWithStart(resolveUpdate, {
          updateId: resolveUpdateId(resolutionId),
          args: [{ resolutionId }],
          startWorkflowOperation: this.startOperation(payment),
        }),
      );
      return 'completed';
    });
  }

  /** Signals the workflow to reload its state; starts it if it is not running. */
  async wake(payment: PaymentToStart): Promise<void> {
    await this.client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
      this.client.workflow.signalWithStart<typeof paymentWorkflow>('payment', {
        ...this.startOptions(payment),
        signal: wakeSignal,
      }),
    );
  }

  /** Starts the workflow unless it is already running. */
  async ensureStarted(payment: PaymentToStart): Promise<void> {
    await this.client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
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
