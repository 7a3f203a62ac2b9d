import type { CardHistory, Transition, OpenCycle, SubscriptionState } from './subscription';
import { nextDue } from './subscription-due';
import { applyDueEvent, settleCharge } from './subscription-lifecycle';

/** A charge to come: the cycle as it will be opened. */
export type UpcomingCycle = Pick<
  OpenCycle,
  'number' | 'dueAt' | 'amountCents' | 'discountCents' | 'chargeCents' | 'period'
>;

/** What happens by itself between two cycles is little; more than this is an endless loop. */
const MOST_STEPS_PER_CYCLE = 20;

/**
 * The next `count` charges of a subscription, if each is paid when it is due: lived through by the code that bills.
 * A retry of the open cycle comes first; past due, nothing comes by itself.
 */
export function upcoming(state: SubscriptionState, count: number): UpcomingCycle[] {
  const cycles: UpcomingCycle[] = [];
  let present: SubscriptionState = state;
  for (let step = 0; step < count * MOST_STEPS_PER_CYCLE && cycles.length < count; step += 1) {
    const next = simulateNext(present);
    if (next === null) break;
    present = next.state;
    const paid = next.closed.filter(({ status }) => status !== 'failed');
    cycles.push(...paid.map(({ cycle }) => ({ ...cycle, dueAt: next.state.lastTransitionAt })));
  }
  return cycles;
}

const NO_HISTORY: CardHistory = { dunningDays: [], refusedAt: [] };

/** What is due next happens; what is charged is paid. */
function simulateNext(state: SubscriptionState): Transition | null {
  if (state.openCharge !== null)
    return settleCharge(state, { kind: 'paid' }, state.lastTransitionAt, NO_HISTORY);
  const due = nextDue(state);
  return due && applyDueEvent(state, due, NO_HISTORY);
}
