import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { wakeSignal } from '../../workflows/messages';
import { companyIdKey } from '../../workflows/search-attributes';
import { settlementWorkflowId, type SettlementInput } from '../../workflows/settlement/messages';
import type { settlement as settlementWorkflow } from '../../workflows/settlement/settlement';
import type { SettlementToStart } from '../domain/settlement/settlement';
import { START_TIMEOUT_MS } from './client';
import { lowPriority } from './task-priority';

export class SettlementWorkflows {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /** Signals the workflow that there is something to do; starts it if it is not running. */
  async wake(settlement: SettlementToStart): Promise<void> {
    const { settlementId, companyId, gateway, accountId, day } = settlement;
    const input: SettlementInput = { settlementId, companyId, gateway, accountId, day };
    await this.client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
      this.client.workflow.signalWithStart<typeof settlementWorkflow>('settlement', {
        workflowId: settlementWorkflowId(input),
        taskQueue: this.taskQueue,
        workflowIdConflictPolicy: 'USE_EXISTING' as const,
        args: [input] as [SettlementInput],
        staticSummary: `settlement of ${gateway} for ${day}`,
        typedSearchAttributes: new TypedSearchAttributes([{ key: companyIdKey, value: String(companyId) }]),
        priority: lowPriority(companyId),
        signal: wakeSignal,
      }),
    );
  }
}
