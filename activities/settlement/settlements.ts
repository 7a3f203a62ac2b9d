import { assertNever } from '../../src/domain/shared/assert-never';
import type { SettlementRecord } from '../../src/persistence/settlement/settlement-repository';
import type { SettlementInput, SettlementStep } from '../../workflows/settlement/messages';
import { reportFailures } from '../shared/failures';
import { withHeartbeat } from '../shared/heartbeat';
import { compareStatement } from './compare-statement';
import { fetchStatement } from './fetch-statement';
import { matchStatement, matchWaiting } from './match-statement';
import type { SettlementDeps, StageResult } from './settlement-deps';

/** How long one step works; the next step goes on. */
const STEP_MS = 20_000;
/** How long after its next step the sweeper signals the workflow of a settlement. */
const RECOVERY_MARGIN_MS = 60_000;

/** The activity of a settlement's workflow. It can be retried after a crash at any line. */
export function createSettlementActivities(deps: SettlementDeps) {
  /** Works on the statement for some seconds, part by part; each part is one transaction with the progress. */
  async function advanceSettlement(input: SettlementInput): Promise<SettlementStep> {
    const endAt = deps.now().getTime() + STEP_MS;
    let result: StageResult = { kind: 'next' };
    await recoverAfter(RECOVERY_MARGIN_MS + STEP_MS);
    let settlement = await find(input);
    while (result.kind === 'next' && deps.now().getTime() < endAt) {
      result = await runStage(deps, settlement);
      settlement = await find(input);
    }
    const pauseMs = result.kind === 'ended' ? null : result.kind === 'pause' ? result.pauseMs : 0;
    await recoverAfter(pauseMs === null ? null : pauseMs + RECOVERY_MARGIN_MS);
    return { status: settlement.status, lines: settlement.lineCount, pauseMs };

    async function recoverAfter(ms: number | null): Promise<void> {
      const at = ms === null ? null : new Date(deps.now().getTime() + ms);
      await deps.settlements.scheduleRecovery(input.settlementId, at);
    }
  }

  async function find({ settlementId }: SettlementInput): Promise<SettlementRecord> {
    const settlement = await deps.settlements.find(settlementId);
    if (settlement === null) throw new Error('a settlement has its row before its workflow starts');
    return settlement;
  }

  return {
    advanceSettlement: withHeartbeat(reportFailures(deps.log)('advanceSettlement', advanceSettlement)),
  };
}

function runStage(deps: SettlementDeps, settlement: SettlementRecord): Promise<StageResult> {
  switch (settlement.status) {
    case 'fetching':
      return fetchStatement(deps, settlement);
    case 'matching':
      return matchStatement(deps, settlement);
    case 'comparing':
      return compareStatement(deps, settlement);
    case 'waiting':
      return matchWaiting(deps, settlement);
    case 'receiving':
    case 'done':
    case 'failed':
      return Promise.resolve({ kind: 'ended' });
    default:
      return assertNever(settlement.status);
  }
}
