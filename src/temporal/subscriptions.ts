import type { SubscriptionToStart } from '../domain/subscriptions/subscription-start';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import { subscriptionSummary } from '../domain/subscriptions/subscription';
import { RESULT_UPDATE_ID, wakeSignal } from '../../workflows/messages';
import {
  chargedUpdate,
  commandUpdate,
  commandUpdateId,
  CYCLES_PER_RUN,
  subscriptionWorkflowId,
  type CommandUpdateInput,
  type SubscriptionRunInput,
} from '../../workflows/subscriptions/messages';
import { subscriptionSearchAttributes } from '../../workflows/search-attributes';
import type { subscription as subscriptionWorkflow } from '../../workflows/subscriptions/subscription';
import { START_TIMEOUT_MS, withTimeToStart } from './client';
import { lowPriority } from './task-priority';
import { pendingOnTimeout } from './update-errors';

export class SubscriptionWorkflows {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /** Starts the workflow or joins the running one. Waits until it has no open charge, at most until `deadline`. */
  async awaitCharge(subscription: SubscriptionToStart, deadline: Date): Promise<void> {
    await pendingOnTimeout(() =>
      this.client.withDeadline(withTimeToStart(deadline), () =>
        this.client.workflow.executeUpdateWithStart(chargedUpdate, {
          updateId: RESULT_UPDATE_ID,
          startWorkflowOperation: this.startOperation(subscription),
        }),
      ),
    );
  }

  /** Sends a command to the workflow. Waits until its result is stored in Postgres, at most until `deadline`. */
  async awaitCommand(
    subscription: SubscriptionToStart,
    command: CommandUpdateInput,
    deadline: Date,
  ): Promise<void> {
    await pendingOnTimeout(() =>
      this.client.withDeadline(withTimeToStart(deadline), () =>
        this.client.workflow.executeUpdateWithStart(commandUpdate, {
          updateId: commandUpdateId(command.commandId),
          args: [command],
          startWorkflowOperation: this.startOperation(subscription),
        }),
      ),
    );
  }

  /** Signals the workflow to reload its state; starts it if it is not running. */
  async wake(subscription: SubscriptionToStart): Promise<void> {
    await this.client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
      this.client.workflow.signalWithStart<typeof subscriptionWorkflow>('subscription', {
        ...this.startOptions(subscription),
        signal: wakeSignal,
      }),
    );
  }

  private startOperation(
    subscription: SubscriptionToStart,
  ): WithStartWorkflowOperation<typeof subscriptionWorkflow> {
    return new WithStartWorkflowOperation('subscription', this.startOptions(subscription));
  }

  private startOptions(subscription: SubscriptionToStart) {
    const { uuid: subscriptionId, companyId, status } = subscription;
    return {
      workflowId: subscriptionWorkflowId(subscriptionId),
      taskQueue: this.taskQueue,
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      args: [{ companyId, subscriptionId, cyclesPerRun: CYCLES_PER_RUN }] as [SubscriptionRunInput],
      staticSummary: subscriptionSummary(subscription),
      typedSearchAttributes: subscriptionSearchAttributes(companyId, status),
      priority: lowPriority(companyId),
    };
  }
}
