import {
  ActivityFailure,
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  TemporalFailure,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities';
import { escapeMarkdown } from '../../src/domain/shared/markdown';
import { resendSignal, type DeliveryInput, type DeliveryResult, type DeliveryStep } from '../messages';
import { pinned } from '../shared/pinned';
import { finalAttributes, FIRST_DELIVERY, NEXT_ATTEMPT } from './delivery-attributes';

/** Makes the first attempt of a run inside its first workflow task. If that is not possible, a regular activity makes it. */
const { deliverLocally } = proxyLocalActivities<DeliveryActivities>({
  startToCloseTimeout: '14 seconds',
  retry: { maximumAttempts: 1 },
});

/**
 * Retried without limit: for busy endpoints and for database failures. An attempt takes at most 10 s, so the timeout
 * detects a lost worker soon enough. Heartbeats are avoided because slow receivers would cause many of them.
 */
const { deliverWebhook } = proxyActivities<DeliveryActivities>({
  startToCloseTimeout: '14 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '60 seconds' },
});

const { notifyEndpointDisabled } = proxyActivities<DeliveryActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '5 seconds', maximumInterval: '10 minutes', maximumAttempts: 20 },
});

// Its first task may be in progress in the process that began it.
setWorkflowOptions(pinned, webhookDelivery);

/**
 * Delivers one event to one endpoint: one attempt immediately, then attempts by the retry schedule until one succeeds or
 * none is left.
 *
 * The delivery's row in Postgres decides what is due. A run with nothing to do completes, so starting one is always safe.
 * A resend starts a new run under the same id, or ends the current run's wait for the next attempt.
 */
export async function webhookDelivery(input: DeliveryInput): Promise<DeliveryResult> {
  let resend = false;
  setHandler(resendSignal, () => {
    resend = true;
  });
  // Ignores cancellation from the Temporal UI: deliveries end only with their endpoint.
  return CancellationScope.nonCancellable(async () => {
    for (let attempt = 1; ; attempt += 1) {
      resend = false;
      const step =
        (attempt === 1 ? await attemptLocally(input) : null) ?? (await attemptByActivity(input, attempt));
      setCurrentDetails(renderDeliveryDetails(step));
      if (step.notifyDisabled) await notifyDisabled(input);
      if (step.pauseMs !== null) {
        await condition(() => resend, Math.max(step.pauseMs, 1), { summary: NEXT_ATTEMPT });
      } else if (!resend) {
        const attributes = finalAttributes(input, step);
        if (attributes.length > 0) upsertSearchAttributes(attributes);
        return { status: step.status };
      }
    }
  });
}

/** Returns null if the attempt could not be made or recorded; the regular activity then continues. */
async function attemptLocally(input: DeliveryInput): Promise<DeliveryStep | null> {
  try {
    return await deliverLocally.executeWithOptions({ summary: FIRST_DELIVERY }, [input]);
  } catch (error) {
    // Unlike for regular activities, the error is not wrapped in `ActivityFailure`.
    if (!(error instanceof TemporalFailure)) throw error;
    return null;
  }
}

function attemptByActivity(input: DeliveryInput, attempt: number): Promise<DeliveryStep> {
  return deliverWebhook.executeWithOptions({ summary: `attempt ${attempt} of this run` }, [input]);
}

/** Gives up after the retries: the endpoint shows the reason without the mail. */
async function notifyDisabled(input: DeliveryInput): Promise<void> {
  const summary = 'notify the company that the endpoint was disabled';
  try {
    await notifyEndpointDisabled.executeWithOptions({ summary }, [input]);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
  }
}

/** The current details in the Temporal UI. */
function renderDeliveryDetails({
  status,
  attempts,
  answer,
  pauseMs,
  notifyDisabled: disabled,
}: DeliveryStep): string {
  const lastAnswer = answer === null ? 'none in this run' : escapeMarkdown(answer);
  const next =
    pauseMs === null
      ? 'none unless a user resends the delivery.'
      : `attempt in ${Math.ceil(pauseMs / 1000)} s.`;
  return [
    `**Status: ${status}** after ${attempts} attempts`,
    '',
    `**Last answer:** ${lastAnswer}`,
    ...(disabled ? ['', 'The endpoint was disabled.'] : []),
    '',
    `**Next:** ${next}`,
  ].join('\n');
}
