import {
  CancellationScope,
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../../activities';
import { wakeSignal } from '../messages';
import type { DisputeInput, DisputeResult, DisputeStep } from './messages';

const { advanceDispute } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '1 minute' },
});

/** Limits the history of one run. The sweeper starts the next run after `recover_after`. */
const MAX_STEPS = 300;

/**
 * A dispute: applies what its gateway reports, and reminds the company before its evidence is due. It sleeps in between, until a
 * callback is stored. Each step decides by the rows, so starting a run is harmless. A run ends once the dispute is decided; if
 * its gateway opens it again, the callback starts the next run.
 */
export async function dispute(input: DisputeInput): Promise<DisputeResult> {
  let woken = false;
  setHandler(wakeSignal, () => {
    woken = true;
  });
  return CancellationScope.nonCancellable(async () => {
    let latest: DisputeStep = { status: null, pauseMs: 0, published: null };
    for (let step = 1; step <= MAX_STEPS; step += 1) {
      woken = false;
      latest = await advanceDispute.executeWithOptions({ summary: `step ${step}` }, [input]);
      setCurrentDetails(renderDisputeDetails(latest));
      if (!woken && latest.pauseMs === null) break;
      if (latest.pauseMs !== null && latest.pauseMs > 0)
        await condition(() => woken, latest.pauseMs, { summary: `until the next step (${latest.status})` });
    }
    return { status: latest.status };
  });
}

/** The details in the Temporal UI. */
function renderDisputeDetails({ status, pauseMs }: DisputeStep): string {
  const next = pauseMs === null ? 'nothing to do.' : `next step in ${Math.ceil(pauseMs / 1000)} s.`;
  return `**Status: ${status ?? 'not reported'}**\n\n**Next:** ${next}`;
}
