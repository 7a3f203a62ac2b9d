import { ApplicationFailure } from '@temporalio/common';
import type { DeliveryInput, DeliveryStep } from '../../workflows/messages';
import { reportFailures } from '../shared/failures';
import type { DeliveryDeps } from './delivery-deps';
import { sendWebhook } from './send-webhook';

export type { DeliveryDeps } from './delivery-deps';

/** Spreads the retries of deliveries that were denied at the same time. */
const JITTER = 0.25;

/** The activities of the delivery workflow. Each is idempotent and can be retried after a crash at any line. */
export function createDeliveryActivities(deps: DeliveryDeps) {
  const reported = reportFailures(deps.log);

  /** Makes the attempt that is due. For a busy endpoint it fails with a retry delay, and the server retries it. */
  async function deliverWebhook(input: DeliveryInput): Promise<DeliveryStep> {
    const permit = await deps.limiter.acquire(input.companyId, input.endpointId, 'activity');
    if (permit.kind === 'denied') throw endpointBusy(permit.backoffMs, deps.random());
    return send(input, permit.release);
  }

  /**
   * Makes the attempt as a local activity, which costs less but blocks a workflow task. Returns null without an attempt if
   * the endpoint is slow or busy.
   */
  async function deliverLocally(input: DeliveryInput): Promise<DeliveryStep | null> {
    if (deps.limiter.isSlow(input.endpointId)) return null;
    const permit = await deps.limiter.acquire(input.companyId, input.endpointId, 'local');
    return permit.kind === 'denied' ? null : send(input, permit.release);
  }

  async function send(
    input: DeliveryInput,
    release: (attemptMs: number | null) => void,
  ): Promise<DeliveryStep> {
    const startedAt = performance.now();
    let attemptMs: number | null = null;
    try {
      const step = await sendWebhook(deps, input);
      if (step.answer !== null) attemptMs = performance.now() - startedAt;
      return step;
    } finally {
      release(attemptMs);
    }
  }

  /** Notifies once. A crash after the mail was sent sends it again. */
  async function notifyEndpointDisabled({ endpointId }: DeliveryInput): Promise<void> {
    const endpoint = await deps.endpoints.findUnnotified(endpointId);
    if (endpoint === null) return;
    await deps.notifyEndpointDisabled(endpoint);
    await deps.endpoints.markNotified(endpointId, deps.now());
  }

  return {
    deliverLocally: reported('deliverLocally', deliverLocally),
    deliverWebhook: reported('deliverWebhook', deliverWebhook),
    notifyEndpointDisabled: reported('notifyEndpointDisabled', notifyEndpointDisabled),
  };
}

function endpointBusy(backoffMs: number, random: number): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'the endpoint has reached its limit of concurrent deliveries',
    type: 'EndpointBusy',
    nextRetryDelay: Math.round(backoffMs * (1 + JITTER * (2 * random - 1))),
  });
}
