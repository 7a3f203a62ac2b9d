import type { DeliveryInput, DeliveryStep } from '../messages';
import { HANDED_OVER, type AfterTask } from '../shared/first-task';
import { finalAttributes, NEXT_ATTEMPT } from './delivery-attributes';

export { FIRST_DELIVERY } from './delivery-attributes';

/** What the delivery's workflow does after its first attempt: it ends, or waits for the next one. Mirrors `webhookDelivery`. */
export function afterFirstDelivery(input: DeliveryInput, step: DeliveryStep | null): AfterTask {
  if (step === null || step.notifyDisabled) return HANDED_OVER;
  if (step.pauseMs !== null)
    return {
      kind: 'waiting',
      attributes: [],
      timer: { ms: Math.max(step.pauseMs, 1), summary: NEXT_ATTEMPT },
    };
  return {
    kind: 'completed',
    attributes: finalAttributes(input, step),
    result: { status: step.status },
  };
}
