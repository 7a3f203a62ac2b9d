import {
  CancellationScope,
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../../activities';
import { wakeSignal } from '../messages';
import type { SettlementInput, SettlementResult, SettlementStep } from './messages';

const { advanceSettlement } = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '1 minute' },
});

/** Limits the history of one run. The sweeper starts the next run after `recover_after`. */
const MAX_STEPS = 300;

/**
 * The settlement of one account at one gateway for one day: fetches the statement, matches its lines to the records and compares what
 * is expected. Each step decides by the rows, so starting a run is harmless. A run ends once the statement is reconciled.
 */
export async function settlement(input: SettlementInput): Promise<SettlementResult> {
  let woken = false;
  setHandler(wakeSignal, () => {
    woken = true;
  });
  return CancellationScope.nonCancellable(async () => {
    let latest: SettlementStep | null = null;
    for (let step = 1; step <= MAX_STEPS; step += 1) {
      woken = false;
      latest = await advanceSettlement.executeWithOptions({ summary: `step ${step}` }, [input]);
      setCurrentDetails(`**Status: ${latest.status}**, ${latest.lines} lines`);
      if (!woken && latest.pauseMs === null) break;
      if (latest.pauseMs !== null && latest.pauseMs > 0)
        await condition(() => woken, latest.pauseMs, { summary: `until the next step (${latest.status})` });
    }
    return { status: latest?.status ?? null };
  });
}
