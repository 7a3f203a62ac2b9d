import {
  allHandlersFinished,
  CancellationScope,
  condition,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../../activities';
import { isAnswered } from '../../src/domain/routing/subaccount';
import { escapeMarkdown } from '../../src/domain/shared/markdown';
import { recipientUpdate, type RecipientInput, type RecipientResult, type RecipientStep } from '../messages';

const { advanceRecipient } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds', maximumAttempts: 40 },
});

/** Limits the history of one run. The sweeper starts the next run after `recover_after`. */
const MAX_STEPS = 300;

/**
 * Creates a sub-account at a gateway, once, and polls it until the gateway accepts or rejects it.
 *
 * Each step decides by the row: it sends a recipient that was certainly never created, and inquires about any other. An
 * update makes the next step at once. A run with nothing left to do ends at once, so starting one is harmless.
 */
export async function recipient(input: RecipientInput): Promise<RecipientResult> {
  let latest: RecipientStep = { status: 'requested', message: null, pauseMs: 0 };
  let ended = false;
  let requested = false;
  let begun = 0;
  let done = 0;
  setHandler(recipientUpdate, async () => {
    requested = true;
    // Runs of earlier releases answered such a request at once, before the gateway was asked again.
    const isRepeated = isAnswered(latest.status) && patched('repeated-recipient-request-waits');
    const earlier = isRepeated ? begun : 0;
    await condition(() => ended || (isAnswered(latest.status) && done > earlier));
    return { status: latest.status, message: latest.message };
  });
  return CancellationScope.nonCancellable(async () => {
    for (let step = 1; step <= MAX_STEPS && latest.pauseMs !== null; step += 1) {
      if (latest.pauseMs > 0)
        await condition(() => requested, latest.pauseMs, {
          summary: `until the next step (${latest.status})`,
        });
      requested = false;
      begun += 1;
      latest = await advanceRecipient.executeWithOptions({ summary: `step ${step}: ${latest.status}` }, [
        input,
      ]);
      done += 1;
      setCurrentDetails(renderRecipientDetails(latest));
    }
    ended = true;
    await condition(allHandlersFinished);
    return { status: latest.status, message: latest.message };
  });
}

/** The details in the Temporal UI. */
function renderRecipientDetails({ status, message, pauseMs }: RecipientStep): string {
  const reason = message === null ? '' : ` (${escapeMarkdown(message)})`;
  const idle =
    status === 'active' || status === 'refused'
      ? 'nothing to do.'
      : 'nothing, until the recipient is requested again.';
  const next = pauseMs === null ? idle : `next step in ${Math.ceil(pauseMs / 1000)} s.`;
  return `**Status: ${status}**${reason}\n\n**Next:** ${next}`;
}
