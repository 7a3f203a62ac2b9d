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
import { START_TIMEOUT_MS, withTimeToStart } from './client';
import { companyFairness } from './task-priority';
import { pendingOnTimeout } from './update-errors';
import { companyIdKey } from '../../workflows/search-attributes';

/** The data that starts a recipient's workflow. */
export interface RecipientToStart {
  readonly id: SubAccountId;
  readonly companyId: number;
  readonly gatewaySlug: GatewaySlug;
  /** Set if its owner was asked to consent there. The link may have expired since. */
  readonly consentUrl?: string | null;
  /** Set if its owner has answered: the hash of the answer's state. */
  readonly answeredState?: string;
}

/** A run asks the gateway at most once in this time because of requests for a recipient that waits for consent. */
const CONSENT_REFRESH_MS = 20_000;

export class RecipientWorkflows {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /**
   * Starts the workflow or joins the running one, and waits for the gateway's result until `deadline`. About a recipient that
   * waits for consent the gateway is asked again, for a new link.
   * Null without a result by then: the run continues, or the sweeper starts it.
   */
  async awaitRecipient(subAccount: RecipientToStart, deadline: Date): Promise<RecipientResult | null> {
    const result = await pendingOnTimeout(() =>
      this.client.withDeadline(withTimeToStart(deadline), () =>
        this.client.workflow.executeUpdateWithStart(recipientUpdate, {
          updateId: updateIdOf(subAccount),
          startWorkflowOperation: new WithStartWorkflowOperation<typeof recipientWorkflow>(
            'recipient',
            this.startOptions(subAccount),
          ),
        }),
      ),
    );
    return result === 'pending' ? null : result;
  }

  /** Starts the workflow unless it is already running. */
  async ensureStarted(subAccount: RecipientToStart): Promise<void> {
    await this.client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
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

/** Requests at the same time share one update. A run answers the same id only once. */
function updateIdOf({ consentUrl = null, answeredState }: RecipientToStart): string {
  if (answeredState !== undefined) return `${RESULT_UPDATE_ID}-${answeredState}`;
  if (consentUrl === null) return RESULT_UPDATE_ID;
  return `${RESULT_UPDATE_ID}-${Math.floor(Date.now() / CONSENT_REFRESH_MS)}`;
}
