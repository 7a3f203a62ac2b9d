import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { SubAccountId } from '../domain/shared/ids';
import {
  recipientUpdate,
  RESULT_UPDATE_ID,
  type RecipientInput,
  type RecipientResult,
} from '../../workflows/messages';
import type { recipient as recipientWorkflow } from '../../workflows/recipients/recipient';
import { companyFairness } from './task-priority';
import { isOutcomeUnknown } from './update-errors';
import { companyIdKey } from '../../workflows/search-attributes';

/** A Temporal that has fallen silent must not keep the sweeper waiting. */
const START_WITHIN_MS = 5_000;

/** A sub-account whose recipient is to be made. */
export interface RecipientToStart {
  readonly id: SubAccountId;
  readonly companyId: number;
  readonly gatewaySlug: GatewaySlug;
}

export class RecipientWorkflows {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /**
   * Makes the recipient, or joins the run that does, and waits for the gateway's word until `deadline`.
   * Null when there is none by then: the run goes on, or the sweeper starts it.
   */
  async awaitRecipient(subAccount: RecipientToStart, deadline: Date): Promise<RecipientResult | null> {
    try {
      return await this.client.withDeadline(deadline, () =>
        this.client.workflow.executeUpdateWithStart(recipientUpdate, {
          updateId: RESULT_UPDATE_ID,
          startWorkflowOperation: new WithStartWorkflowOperation<typeof recipientWorkflow>(
            'recipient',
            this.startOptions(subAccount),
          ),
        }),
      );
    } catch (error) {
      if (isOutcomeUnknown(error)) return null;
      throw error;
    }
  }

  /** Starts the workflow unless it runs already. */
  async ensureStarted(subAccount: RecipientToStart): Promise<void> {
    await this.client.withDeadline(Date.now() + START_WITHIN_MS, () =>
      this.client.workflow.start<typeof recipientWorkflow>('recipient', this.startOptions(subAccount)),
    );
  }

  private startOptions({ id, companyId, gatewaySlug }: RecipientToStart) {
    return {
      workflowId: `recipient/${id}`,
      taskQueue: this.taskQueue,
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      args: [{ subAccountId: id }] as [RecipientInput],
      staticSummary: `recipient at ${gatewaySlug}`,
      typedSearchAttributes: new TypedSearchAttributes([{ key: companyIdKey, value: String(companyId) }]),
      priority: companyFairness(companyId),
    };
  }
}
