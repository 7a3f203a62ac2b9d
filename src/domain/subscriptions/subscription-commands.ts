import { assertNever } from '../shared/assert-never';
import { earliestAllowedAt } from './dunning';
import { planChangedEvent, withdrawnEvents } from './planned-change';
import {
  chain,
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
import { paidPeriodEnd } from './subscription-due';
import { cancel, resume } from './subscription-lifecycle';
import { changePlan, changeTerms } from './subscription-plan';

export type SubscriptionCommand =
  | { readonly kind: 'pause'; readonly until: Date | null }
  | { readonly kind: 'resume' }
  | { readonly kind: 'cancel'; readonly atPeriodEnd: boolean }
  | { readonly kind: 'uncancel' }
  | { readonly kind: 'change_plan'; readonly to: PlanTerms; readonly immediately: boolean | null }
  | { readonly kind: 'change_card'; readonly card: SubscriptionCard }
  | { readonly kind: 'retry' };

/** `reason` is public text that names the status. */
export type CommandResult =
  | { readonly applied: true; readonly transition: Transition }
  | { readonly applied: false; readonly reason: string };

/** The statuses in which each command is allowed. See docs/decisions/subscriptions.md. */
const ALLOWED_STATUSES: Readonly<Record<SubscriptionCommand['kind'], readonly SubscriptionStatus[]>> = {
  pause: ['active'],
  resume: ['paused'],
  cancel: ['pending', 'trialing', 'active', 'past_due', 'paused'],
  uncancel: ['trialing', 'active'],
  change_plan: ['trialing', 'active'],
  change_card: ['pending', 'trialing', 'active', 'past_due', 'paused'],
  retry: ['pending', 'active', 'trialing', 'past_due'],
};

/** Applies a command, or returns why it is refused. Must not be called while a charge is open. */
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
        ? done(transition({ ...state, cancelAtPeriodEnd: false }, [{ type: 'subscription.uncanceled' }]))
        : refuse(state, 'and no cancel is planned');
    case 'change_plan':
      return done(planChange(state, command, at));
    case 'change_card':
      return changeCard(state, command.card, at, history);
    case 'retry':
      return retryOnRequest(state, at, history);
    default:
      return assertNever(command);
  }
}

function pause(state: SubscriptionState, until: Date | null, at: Date): Transition {
  const paused: SubscriptionState = { ...state, status: 'paused', pausedAt: at, pausedUntil: until };
  return transition(paused, [{ type: 'subscription.paused', pausedUntil: until }]);
}

function cancelAtPeriodEnd(state: SubscriptionState): CommandResult {
  const { status, cancelAtPeriodEnd: isPlanned } = state;
  const cancelAt = paidPeriodEnd(state);
  if ((status !== 'trialing' && status !== 'active') || cancelAt === null) return refuse(state);
  if (isPlanned) return done(transition(state));
  const scheduled = { type: 'subscription.cancel_scheduled', cancelAt } as const;
  return done(transition({ ...state, cancelAtPeriodEnd: true }, [scheduled]));
}

function planChange(
  state: SubscriptionState,
  { to, immediately }: Extract<SubscriptionCommand, { kind: 'change_plan' }>,
  at: Date,
): Transition {
  if (to.planId === state.plan.planId) {
    return transition({ ...state, plannedChange: null }, withdrawnEvents(state));
  }
  const terms = changeTerms(state, to, immediately, at);
  const { change } = terms;
  if (terms.when === 'period_end') {
    const planned = planChangedEvent(change, { immediately: false, executed: false });
    return transition({ ...state, plannedChange: change }, [...withdrawnEvents(state), planned]);
  }
  const { cycle } = terms;
  return cycle !== null && cycle.chargeCents > 0
    ? transition({ ...state, openCharge: { kind: 'plan_change', change, cycle } })
    : changePlan(state, { change, cycle }, at);
}

/**
 * Changes the card and charges it immediately for the unpaid cycle. If the same card is sent again, an irreversible
 * decline still forbids the charge.
 */
function changeCard(
  state: SubscriptionState,
  card: SubscriptionCard,
  at: Date,
  { declinedAt }: CardHistory,
): CommandResult {
  const { openCycle: cycle, status } = state;
  const withCard = { ...state, card, cardExpiringNotified: false };
  const changed = (next: SubscriptionState): Transition =>
    transition(next, [{ type: 'subscription.card_changed' }]);
  if (cycle === null) return done(changed(withCard));
  const unpaid: OpenCycle = { ...cycle, irreversible: cycle.irreversible && isSameCard(state.card, card) };
  if (status === 'paused') return done(changed({ ...withCard, openCycle: unpaid }));
  if (unpaid.irreversible) return refuse(state, 'and this card must not be charged again: give another one');
  if (earliestAllowedAt(card.brand, declinedAt, at) > at) return refuse(state, DECLINED_TOO_OFTEN);
  return done(chain(changed(withCard), (next) => chargeAgain(next, unpaid, at)));
}

/** Compares the expiry too, because a renewed card keeps its number. */
function isSameCard(a: SubscriptionCard, b: SubscriptionCard): boolean {
  return a.fingerprint === b.fingerprint && a.expireYear === b.expireYear && a.expireMonth === b.expireMonth;
}

const DECLINED_TOO_OFTEN = 'and its card was refused too often lately: its network allows no further try yet';

function retryOnRequest(state: SubscriptionState, at: Date, { declinedAt }: CardHistory): CommandResult {
  const { openCycle: cycle, card } = state;
  if (cycle === null) return refuse(state, 'and nothing is unpaid');
  if (cycle.irreversible) return refuse(state, 'and its card must not be charged again: change the card');
  if (earliestAllowedAt(card.brand, declinedAt, at) > at) return refuse(state, DECLINED_TOO_OFTEN);
  return done(chargeAgain(state, cycle, at));
}

/** The reason of a refused command as a sentence, for clients. */
export function refusalMessage(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

function done(after: Transition): CommandResult {
  return { applied: true, transition: after };
}

function refuse({ status }: SubscriptionState, detail?: string): CommandResult {
  const reason = `the subscription is ${status}`;
  return { applied: false, reason: detail === undefined ? reason : `${reason}, ${detail}` };
}
