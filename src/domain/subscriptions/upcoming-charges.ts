import { NO_HISTORY, type OpenCycle, type SubscriptionState, type Transition } from './subscription';
import { nextDue } from './subscription-due';
import { applyDueEvent, settleCharge } from './subscription-lifecycle';

/** A future charge: the cycle as it will be opened. */
export type UpcomingCycle = Pick<
  OpenCycle,
  'number' | 'dueAt' | 'amountCents' | 'discountCents' | 'creditCents' | 'chargeCents' | 'period'
>;

/** Far more due events than occur between two cycles; guards against an endless loop. */
const MAX_STEPS_PER_CYCLE = 20;

/**
 * The next `count` charges, assuming that each is paid when it is due. Runs the same state machine as billing.
 * A retry of the open cycle comes first. A past-due subscription has no upcoming charges.
 */
export function upcomingCharges(state: SubscriptionState, count: number): UpcomingCycle[] {
  const cycles: UpcomingCycle[] = [];
  let current = state;
  for (let step = 0; step < count * MAX_STEPS_PER_CYCLE && cycles.length < count; step += 1) {
    const next = simulateNext(current);
    if (next === null) break;
    current = next.state;
    const paid = next.closed.filter(({ status, cycle }) => status !== 'failed' && cycle.kind === 'regular');
    cycles.push(...paid.map(({ cycle }) => ({ ...cycle, dueAt: next.state.lastTransitionAt })));
  }
  return cycles;
}

/** Settles the open charge as paid, or applies the next due event; null if there is neither. */
function simulateNext(state: SubscriptionState): Transition | null {
  if (state.openCharge !== null)
    return settleCharge(state, { kind: 'paid' }, state.lastTransitionAt, NO_HISTORY);
  const due = nextDue(state);
  return due && applyDueEvent(state, due, NO_HISTORY);
}
