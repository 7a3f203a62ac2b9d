import { assertNever } from '../shared/assert-never';
import { firstAllowedAt } from './dunning';
import {
  transition,
  type CardHistory,
  type Transition,
  type OpenCycle,
  type PlanTerms,
  type SubscriptionCard,
  type SubscriptionState,
  type SubscriptionStatus,
} from './subscription';
import { chargeAgain } from './subscription-cycle';
import { cancel, resume } from './subscription-lifecycle';
import { changePlan, changeTerms, planChanged } from './subscription-plan';

export type SubscriptionCommand =
  | { readonly kind: 'pause'; readonly until: Date | null }
  | { readonly kind: 'resume' }
  | { readonly kind: 'cancel'; readonly atPeriodEnd: boolean }
  | { readonly kind: 'uncancel' }
  | { readonly kind: 'change_plan'; readonly to: PlanTerms; readonly immediately: boolean | null }
  | { readonly kind: 'change_card'; readonly card: SubscriptionCard }
  | { readonly kind: 'retry' };

/** What a person is told when a command cannot be obeyed: public text that names the state. */
export type CommandResult =
  { readonly obeyed: true; readonly moved: Transition } | { readonly obeyed: false; readonly why: string };

/** Where each command may be given (decisions, section 7). */
const ALLOWED_STATUSES: Readonly<Record<SubscriptionCommand['kind'], readonly SubscriptionStatus[]>> = {
  pause: ['active'],
  resume: ['paused'],
  cancel: ['pending', 'trialing', 'active', 'past_due', 'paused'],
  uncancel: ['trialing', 'active'],
  change_plan: ['trialing', 'active'],
  change_card: ['pending', 'trialing', 'active', 'past_due', 'paused'],
  retry: ['pending', 'active', 'trialing', 'past_due'],
};

/** Obeys a command, or says why not. While a charge is open it waits: do not ask. */
export function applyCommand(
  before: SubscriptionState,
  command: SubscriptionCommand,
  at: Date,
  history: CardHistory,
): CommandResult {
  if (!ALLOWED_STATUSES[command.kind].includes(before.status)) return refuse(before);
  const state = { ...before, lastTransitionAt: at };
  switch (command.kind) {
    case 'pause':
      return done(pause(state, command.until, at));
    case 'resume':
      return done(resume(state, at));
    case 'cancel':
      return command.atPeriodEnd ? cancelAtPeriodEnd(state) : done(cancel(state, at, 'requested'));
    case 'uncancel':
      return state.cancelAtPeriodEnd
        ? done(transition({ ...state, cancelAtPeriodEnd: false }))
        : refuse(state, 'and no cancel is planned');
    case 'change_plan':
      return done(planChange(state, command, at));
    case 'change_card':
      return changeCard(state, command.card, at, history);
    case 'retry':
      return retryByHand(state, at, history);
    default:
      return assertNever(command);
  }
}

function pause(state: SubscriptionState, until: Date | null, at: Date): Transition {
  const paused: SubscriptionState = { ...state, status: 'paused', pausedAt: at, pausedUntil: until };
  return transition(paused, [{ event: 'subscription.paused', pausedUntil: until }]);
}

function cancelAtPeriodEnd(state: SubscriptionState): CommandResult {
  const { status } = state;
  if (status !== 'trialing' && status !== 'active') return refuse(state);
  return done(transition({ ...state, cancelAtPeriodEnd: true, plannedChange: null }));
}

function planChange(
  state: SubscriptionState,
  { to, immediately }: Extract<SubscriptionCommand, { kind: 'change_plan' }>,
  at: Date,
): Transition {
  const terms = changeTerms(state, to, immediately, at);
  const { change } = terms;
  if (terms.when === 'period_end') {
    const told = planChanged(change, { immediately: false, executed: false });
    return transition({ ...state, plannedChange: change }, [told]);
  }
  const { chargeCents } = terms;
  if (chargeCents === 0) return changePlan(state, { change, chargeCents }, at);
  return transition({ ...state, openCharge: { kind: 'plan_change', chargeCents, change } });
}

/**
 * A new card is charged at once for what the old one did not pay. The same card is no new one: what must not be tried by
 * hand is not tried by giving it once more.
 */
function changeCard(
  state: SubscriptionState,
  card: SubscriptionCard,
  at: Date,
  { refusedAt }: CardHistory,
): CommandResult {
  const { openCycle: cycle, status } = state;
  const known = { ...state, card, cardExpiringNotified: false };
  if (cycle === null) return done(transition(known));
  const hopeful: OpenCycle = { ...cycle, irreversible: cycle.irreversible && isSameCard(state.card, card) };
  if (status === 'paused') return done(transition({ ...known, openCycle: hopeful }));
  if (hopeful.irreversible) return refuse(state, 'and this card must not be charged again: give another one');
  if (firstAllowedAt(card.brand, refusedAt, at) > at) return refuse(state, REFUSED_TOO_OFTEN);
  return done(chargeAgain(known, hopeful));
}

/** Down to its expiry: who has a renewed card gives the same number again. */
function isSameCard(a: SubscriptionCard, b: SubscriptionCard): boolean {
  return a.fingerprint === b.fingerprint && a.expireYear === b.expireYear && a.expireMonth === b.expireMonth;
}

const REFUSED_TOO_OFTEN =
  'and its card was refused too often recentEvents: its network allows no further try yet';

function retryByHand(state: SubscriptionState, at: Date, { refusedAt }: CardHistory): CommandResult {
  const { openCycle: cycle, card } = state;
  if (cycle === null) return refuse(state, 'and nothing is unpaid');
  if (cycle.irreversible) return refuse(state, 'and its card must not be charged again: change the card');
  if (firstAllowedAt(card.brand, refusedAt, at) > at) {
    return refuse(state, REFUSED_TOO_OFTEN);
  }
  return done(chargeAgain(state, cycle));
}

function done(what: Transition): CommandResult {
  return { obeyed: true, moved: what };
}

function refuse({ status }: SubscriptionState, why?: string): CommandResult {
  return {
    obeyed: false,
    why: ['the subscription is ' + status, ...(why === undefined ? [] : [why])].join(', '),
  };
}
