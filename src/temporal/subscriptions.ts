import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import type { Interval } from '../domain/subscriptions/billing-calendar';
import type { SubscriptionId } from '../domain/shared/ids';
import { subscriptionSummary, type SubscriptionStatus } from '../domain/subscriptions/subscription';
import {
  chargedUpdate,
  commandUpdate,
  commandUpdateId,
  RESULT_UPDATE_ID,
  subscriptionWorkflowId,
  wakeSignal,
  type CommandRequest,
  type SubscriptionRunInput,
} from '../../workflows/messages';
import { subscriptionSearchAttributes } from '../../workflows/search-attributes';
import type { subscription as subscriptionWorkflow } from '../../workflows/subscriptions/subscription';
import { lowPriority } from './task-priority';
import { isOutcomeUnknown } from './update-errors';

/** A Temporal that has fallen silent must not keep the sweeper, or a caller, waiting. */
const START_WITHIN_MS = 5_000;

/** What a subscription's workflow is started with and what support staff see of it in lists. */
export interface SubscriptionToStart {
  readonly uuid: SubscriptionId;
  readonly companyId: number;
  readonly status: SubscriptionStatus;
  readonly planName: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly interval: Interval;
  readonly intervalCount: number;
}

export class SubscriptionWorkflows {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /** Starts the workflow, or joins the one that runs, and waits until `deadline` for a moment without an open charge. */
  async awaitCharge(subscription: SubscriptionToStart, deadline: Date): Promise<void> {
    await pendingOnTimeout(() =>
      this.client.withDeadline(deadline, () =>
        this.client.workflow.executeUpdateWithStart(chargedUpdate, {
          updateId: RESULT_UPDATE_ID,
          startWorkflowOperation: this.startOperation(subscription),
        }),
      ),
    );
  }

  /** Has the workflow take up a command, and waits until `deadline` for its answer, which is in Postgres. */
  async awaitCommand(
    subscription: SubscriptionToStart,
    command: CommandRequest,
    deadline: Date,
  ): Promise<void> {
    await pendingOnTimeout(() =>
      this.client.withDeadline(deadline, () =>
        this.client.workflow.executeUpdateWithStart(commandUpdate, {
          updateId: commandUpdateId(command.commandId),
          args: [command],
          startWorkflowOperation: this.startOperation(subscription),
        }),
      ),
    );
  }

  /** Has the workflow, started if need be, look at what has changed. */
  async wake(subscription: SubscriptionToStart): Promise<void> {
    await this.client.withDeadline(Date.now() + START_WITHIN_MS, () =>
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
      args: [{ companyId, subscriptionId }] as [SubscriptionRunInput],
      staticSummary: subscriptionSummary(subscription),
      typedSearchAttributes: subscriptionSearchAttributes(companyId, status),
      priority: lowPriority(companyId),
    };
  }
}

async function pendingOnTimeout(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
  }
}
