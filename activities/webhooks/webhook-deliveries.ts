import { ApplicationFailure } from '@temporalio/common';
import type { DeliveryInput, DeliveryStep } from '../../workflows/messages';
import { reportFailures } from '../shared/failures';
import { sendWebhook, type DeliveryDeps } from './send-webhook';

export type { DeliveryDeps } from './send-webhook';

/** Those who were turned away together do not come back together. */
const JITTER = 0.25;

/** What a delivery's workflow can do. Each is safe to run again after a crash at any line. */
export function createDeliveryActivities(deps: DeliveryDeps) {
  const reported = reportFailures(deps.log);

  /** Makes the attempt that is due. An endpoint that is busy has it come again, by the server's timer. */
  async function deliverWebhook(input: DeliveryInput): Promise<DeliveryStep> {
    const turn = await deps.slots.take(input.companyId, input.endpointId, 'activity');
    if (turn.kind === 'turned_away') throw busy(turn.pauseMs, deps.random());
    return send(input, turn.leave);
  }

  /**
   * The same within the task of a workflow, which costs less and holds one of few slots: null where it might hold that
   * for long, or must wait its turn.
   */
  async function deliverLocally(input: DeliveryInput): Promise<DeliveryStep | null> {
    if (deps.slots.isSlow(input.endpointId)) return null;
    const turn = await deps.slots.take(input.companyId, input.endpointId, 'at_once');
    return turn.kind === 'turned_away' ? null : send(input, turn.leave);
  }

  async function send(
    input: DeliveryInput,
    leave: (attemptMs: number | null) => void,
  ): Promise<DeliveryStep> {
    const startedAt = performance.now();
    let attemptMs: number | null = null;
    try {
      const step = await sendWebhook(deps, input);
      if (step.answer !== null) attemptMs = performance.now() - startedAt;
      return step;
    } finally {
      leave(attemptMs);
    }
  }

  /** Tells once, as far as a mail can be known to have left. */
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

function busy(pauseMs: number, random: number): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'as many deliveries as may be are under way to this endpoint',
    type: 'EndpointBusy',
    nextRetryDelay: Math.round(pauseMs * (1 + JITTER * (2 * random - 1))),
  });
}
