import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { wakeSignal } from '../../workflows/messages';
import type { dispute as disputeWorkflow } from '../../workflows/disputes/dispute';
import { disputeWorkflowId, type DisputeInput } from '../../workflows/disputes/messages';
import { companyIdKey } from '../../workflows/search-attributes';
import type { DisputeToStart } from '../domain/disputes/dispute-start';
import { START_TIMEOUT_MS } from './client';
import { lowPriority } from './task-priority';

export class DisputeWorkflows {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /** Signals the workflow that a callback is stored, or that a step is due; starts it if it is not running. */
  async wake({ companyId, disputeId, transactionId }: DisputeToStart): Promise<void> {
    await this.client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
      this.client.workflow.signalWithStart<typeof disputeWorkflow>('dispute', {
        workflowId: disputeWorkflowId(disputeId),
        taskQueue: this.taskQueue,
        workflowIdConflictPolicy: 'USE_EXISTING' as const,
        args: [{ companyId, disputeId, transactionId }] as [DisputeInput],
        staticSummary: `dispute of payment ${transactionId}`,
        typedSearchAttributes: new TypedSearchAttributes([{ key: companyIdKey, value: String(companyId) }]),
        priority: lowPriority(companyId),
        signal: wakeSignal,
      }),
    );
  }
}
