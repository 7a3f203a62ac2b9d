import type { SubscriptionState } from './subscription';
import { isChargeable, type DueEvent } from './subscription-due';

/**
 * When a stored command is executed although an event is due, by the subscription's clock; null if the event comes first. A
 * command that was stored before the event was due is executed first, although workers were away. A later one is executed
 * first only if the event may lead to a charge, so that a customer who cancels before the (delayed) charge is not charged.
 */
export function timeBeforeDue(state: SubscriptionState, due: DueEvent, requestedAt: Date): Date | null {
  if (requestedAt < due.at) return new Date(Math.max(+requestedAt, +state.lastTransitionAt));
  return isChargeable(due, state) ? due.at : null;
}
