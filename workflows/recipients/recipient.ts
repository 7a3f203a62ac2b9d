import {
  allHandlersFinished,
  CancellationScope,
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../../activities';
import { isAnswered } from '../../src/domain/routing/subaccount';
import { recipientUpdate, type RecipientInput, type RecipientResult, type RecipientStep } from '../messages';

const { advanceRecipient } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds', maximumAttempts: 40 },
});

/** Bounds one run's history (a recipient that stays pending takes fewer); `recover_after` then brings the next run. */
const MAX_STEPS = 300;

/**
 * Makes a sub-account at a gateway, once, and follows it until the gateway accepts or refuses it.
 *
 * Each step looks at the row first: it sends only what was certainly never made, and asks about everything else.
 * Whoever waits for the recipient cuts a pause short.
 * A run with nothing left to do ends at once, so that starting one is always safe.
 */
export async function recipient(input: RecipientInput): Promise<RecipientResult> {
  let latest: RecipientStep = { status: 'requested', message: null, pauseMs: 0 };
  let ended = false;
  let wanted = false;
  setHandler(recipientUpdate, async () => {
    wanted = true;
    await condition(() => ended || isAnswered(latest.status));
    return { status: latest.status, message: latest.message };
  });
  return CancellationScope.nonCancellable(async () => {
    for (let step = 1; step <= MAX_STEPS && latest.pauseMs !== null; step += 1) {
      if (latest.pauseMs > 0)
        await condition(() => wanted, latest.pauseMs, { summary: `${latest.status}: look again` });
      wanted = false;
      latest = await advanceRecipient.executeWithOptions({ summary: `step ${step}: ${latest.status}` }, [
        input,
      ]);
      setCurrentDetails(renderRecipientDetails(latest));
    }
    ended = true;
    await condition(allHandlersFinished);
    return { status: latest.status, message: latest.message };
  });
}

/** For people who read the Temporal UI. */
function renderRecipientDetails({ status, message, pauseMs }: RecipientStep): string {
  const why = message === null ? '' : ` (${message})`;
  const rest =
    status === 'active' || status === 'refused'
      ? 'nothing to do.'
      : 'nothing, until somebody asks for the recipient again.';
  const next = pauseMs === null ? rest : `look again in ${Math.ceil(pauseMs / 1000)} s.`;
  return `**Status: ${status}**${why}\n\n**Next:** ${next}`;
}
