import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { DeliveryInput, DeliveryStep } from '../workflows/messages';
import { reportFailures } from './failures';
import { sendWebhook, type DeliveryDeps } from './send-webhook';

export type { DeliveryDeps } from './send-webhook';

/** How long one that was turned away waits: doubled each time, up to a bound, and spread out. */
const FIRST_BUSY_PAUSE_MS = 250;
const LONGEST_BUSY_PAUSE_MS = 60_000;

/** What a delivery's workflow can do. Each is safe to run again after a crash at any line. */
export function createDeliveryActivities(deps: DeliveryDeps) {
  const reported = reportFailures(deps.log);

  /** Makes the attempt that is due. An endpoint that is busy has it come again, by the server's timer. */
  async function deliverWebhook(input: DeliveryInput): Promise<DeliveryStep> {
    const release = await deps.slots.take(input.companyId, input.endpointId);
    if (release === null) throw busy(activityInfo().attempt, deps.random());
    try {
      return await sendWebhook(deps, input);
    } finally {
      release();
    }
  }

  /** Tells once, as far as a mail can be known to have left. */
  async function tellEndpointDisabled({ endpointId }: DeliveryInput): Promise<void> {
    const endpoint = await deps.endpoints.findUntold(endpointId);
    if (endpoint === null) return;
    await deps.tellEndpointDisabled(endpoint);
    await deps.endpoints.markTold(endpointId, deps.now());
  }

  return {
    deliverWebhook: reported('deliverWebhook', deliverWebhook),
    tellEndpointDisabled: reported('tellEndpointDisabled', tellEndpointDisabled),
  };
}

function busy(attempt: number, random: number): ApplicationFailure {
  const pause = Math.min(FIRST_BUSY_PAUSE_MS * 2 ** Math.min(attempt, 16), LONGEST_BUSY_PAUSE_MS);
  return ApplicationFailure.create({
    message: 'as many deliveries as may be are under way to this endpoint',
    type: 'EndpointBusy',
    nextRetryDelay: Math.round(pause * (0.5 + random)),
  });
}
