import {
  ActivityFailure,
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities';
import { resendSignal, type DeliveryInput, type DeliveryResult, type DeliveryStep } from '../messages';
import { deliveryStatusKey } from '../search-attributes';

/** The first attempt of a run, as a part of its first task. Where it cannot be made so, it is made as every later one is. */
const { deliverLocally } = proxyLocalActivities<DeliveryActivities>({
  startToCloseTimeout: '14 seconds',
  retry: { maximumAttempts: 1 },
});

/**
 * Tried until it works: one that was turned away by a busy endpoint comes back, and a database does. An attempt takes 10 s
 * at most, so that its own end tells of a lost worker soon enough; heartbeats of all that wait for receivers which sleep
 * would keep the server from everybody else's work.
 */
const { deliverWebhook } = proxyActivities<DeliveryActivities>({
  startToCloseTimeout: '14 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '60 seconds' },
});

const { notifyEndpointDisabled } = proxyActivities<DeliveryActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '5 seconds', maximumInterval: '10 minutes', maximumAttempts: 20 },
});

/**
 * Takes one event to one endpoint: an attempt at once, then by the schedule, until it arrives or no attempt is left.
 *
 * Postgres decides what is due and how it ended. A run with nothing left to do ends, so that starting one is always
 * safe; a resend starts the next run under the same id, or cuts the present one's pause short.
 */
export async function webhookDelivery(input: DeliveryInput): Promise<DeliveryResult> {
  let resend = false;
  setHandler(resendSignal, () => {
    resend = true;
  });
  // Cancel, as the UI offers it, does not make an event untrue: whoever wants no more of them turns the endpoint off.
  return CancellationScope.nonCancellable(async () => {
    for (let attempt = 1; ; attempt += 1) {
      resend = false;
      const step = (attempt === 1 ? await tryAtOnce(input) : null) ?? (await deliver(input, attempt));
      setCurrentDetails(renderDeliveryDetails(step));
      if (step.notifyDisabled) await notifyDisabled(input);
      if (step.pauseMs !== null) {
        await condition(() => resend, Math.max(step.pauseMs, 1), { summary: 'next attempt' });
      } else if (!resend) {
        upsertSearchAttributes([{ key: deliveryStatusKey, value: step.status }]);
        return { status: step.status };
      }
    }
  });
}

/** What went wrong here is not of the receiver's doing, and goes better a moment later. */
async function tryAtOnce(input: DeliveryInput): Promise<DeliveryStep | null> {
  try {
    return await deliverLocally.executeWithOptions({ summary: 'attempt 1 of this run' }, [input]);
  } catch (error) {
    // A local activity's failure comes without the `ActivityFailure` that wraps others.
    if (!(error instanceof TemporalFailure)) throw error;
    return null;
  }
}

function deliver(input: DeliveryInput, attempt: number): Promise<DeliveryStep> {
  return deliverWebhook.executeWithOptions({ summary: `attempt ${attempt} of this run` }, [input]);
}

/** Where no mail can be sent the endpoint itself still says why it is off. */
async function notifyDisabled(input: DeliveryInput): Promise<void> {
  const summary = 'tell the company that the endpoint was turned off';
  try {
    await notifyEndpointDisabled.executeWithOptions({ summary }, [input]);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
  }
}

/** For people who read the Temporal UI. */
function renderDeliveryDetails({
  status,
  attempts,
  answer,
  pauseMs,
  notifyDisabled: off,
}: DeliveryStep): string {
  const last = answer === null ? 'none in this run' : answer;
  const next =
    pauseMs === null ? 'nothing, until a person resends it.' : `again in ${Math.ceil(pauseMs / 1000)} s.`;
  return [
    `**Status: ${status}** after ${attempts} attempts`,
    '',
    `**Last answer:** ${last}`,
    ...(off ? ['', 'The endpoint was turned off.'] : []),
    '',
    `**Next:** ${next}`,
  ].join('\n');
}
