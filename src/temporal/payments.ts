import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { paymentSummary } from '../domain/payments/payment';
import type { AnswerToRecord } from '../../workflows/payments/first-attempt';
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
import { START_TIMEOUT_MS, withTimeToStart } from './client';
import { companyFairness } from './task-priority';
import { pendingOnTimeout } from './update-errors';
import { paymentSearchAttributes } from '../../workflows/search-attributes';

export type { OperationUpdateInput, PaymentToStart };

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
      const { status } = await this.client.withDeadline(withTimeToStart(deadline), () =>
        this.client.workflow.executeUpdateWithStart(resultUpdate, {
          updateId: RESULT_UPDATE_ID,
          startWorkflowOperation: this.startOperation(payment),
        }),
      );
      return status === 'processing' ? 'pending' : 'completed';
    });
  }

  /**
   * The same for a workflow that was started. If it has closed meanwhile, no new run starts: the payment is settled.
   */
  async awaitStarted({ transactionId }: PaymentToStart, deadline: Date): Promise<WaitResult> {
    return pendingOnTimeout<WaitResult>(async () => {
      const handle = this.client.workflow.getHandle(paymentWorkflowId(transactionId));
      try {
        const { status } = await this.client.withDeadline(deadline, () =>
          handle.executeUpdate(resultUpdate, { updateId: RESULT_UPDATE_ID }),
        );
        return status === 'processing' ? 'pending' : 'completed';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'completed';
        throw error;
      }
    });
  }

  /** Sends an operation to the payment's workflow and waits for its result until `deadline`. */
  async awaitOperation(
    payment: PaymentToStart,
    operation: OperationUpdateInput,
    deadline: Date,
  ): Promise<WaitResult> {
    return pendingOnTimeout<WaitResult>(async () => {
      await this.client.withDeadline(withTimeToStart(deadline), () =>
        this.client.workflow.executeUpdateWithStart(operationUpdate, {
          updateId: operationUpdateId(operation.attemptId),
          args: [operation],
          startWorkflowOperation: this.startOperation(payment),
        }),
      );
      return 'completed';
    });
  }

  /** The same for a workflow that was started. If it has closed meanwhile, no new run starts. */
  async awaitStartedOperation(
    { transactionId }: PaymentToStart,
    operation: OperationUpdateInput,
    deadline: Date,
  ): Promise<WaitResult> {
    return pendingOnTimeout<WaitResult>(async () => {
      const handle = this.client.workflow.getHandle(paymentWorkflowId(transactionId));
      const updateId = operationUpdateId(operation.attemptId);
      try {
        await this.client.withDeadline(deadline, () =>
          handle.executeUpdate(operationUpdate, { updateId, args: [operation] }),
        );
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
      return 'completed';
    });
  }

  /** Sends a committed resolution to the payment's workflow and waits until `deadline` for it to be closed. */
  async awaitResolution(payment: PaymentToStart, resolutionId: string, deadline: Date): Promise<WaitResult> {
    return pendingOnTimeout<WaitResult>(async () => {
      await this.client.withDeadline(withTimeToStart(deadline), () =>
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

  /** Starts the workflow with an answer of the gateway to record. If it runs, an inquiry finds the answer. */
  async startToRecord(
    payment: PaymentToStart,
    unrecorded: Required<AnswerToRecord>['unrecorded'],
  ): Promise<void> {
    const { companyId, transactionId } = payment;
    await this.client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
      this.client.workflow.start<typeof paymentWorkflow>('payment', {
        ...this.startOptions(payment),
        args: [{ companyId, transactionId, unrecorded }],
      }),
    );
  }

  private startOperation(payment: PaymentToStart): WithStartWorkflowOperation<typeof paymentWorkflow> {
    return new WithStartWorkflowOperation('payment', this.startOptions(payment));
  }

  private startOptions(payment: PaymentToStart) {
    return paymentStartOptions(this.taskQueue, payment);
  }
}

export function paymentStartOptions(taskQueue: string, payment: PaymentToStart) {
  const { companyId, transactionId } = payment;
  return {
    workflowId: paymentWorkflowId(transactionId),
    taskQueue,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    args: [{ companyId, transactionId }] as [PaymentInput],
    staticSummary: paymentSummary(payment),
    typedSearchAttributes: paymentSearchAttributes(payment),
    priority: companyFairness(companyId),
  };
}
