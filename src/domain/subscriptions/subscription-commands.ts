import { assertNever } from '../shared/assert-never';
import { cardIdentity, type ChargePermission } from './charge-guard';
import { CARD_REFUSALS, CHARGE_REFUSALS, type CommandRefusal } from './command-refusal';
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
import { chargeAgain, guardOpened, permissionOf } from './subscription-cycle';
import { cancellationAt, hasPauseEnded, paidPeriodEnd } from './subscription-due';
import { cancel, createSubscription, resume, type SubscriptionTerms } from './subscription-lifecycle';
import { changePlan, changeTerms } from './subscription-plan';

export type SubscriptionCommand =
  | { readonly kind: 'pause'; readonly until: Date | null }
  | { readonly kind: 'resume' }
  | { readonly kind: 'cancel'; readonly atPeriodEnd: boolean }
  | { readonly kind: 'uncancel' }
  | { readonly kind: 'change_plan'; readonly to: PlanTerms; readonly immediately: boolean | null }
  | { readonly kind: 'change_card'; readonly card: SubscriptionCard }
  | { readonly kind: 'retry' };

export type CommandResult =
  | { readonly applied: true; readonly transition: Transition }
  | ({ readonly applied: false } & CommandRefusal);

/** Creates a subscription, unless the card's network forbids its first charge. `history` is that of its card. */
export function createUnlessForbidden(
  terms: SubscriptionTerms,
  at: Date,
  history: CardHistory,
): CommandResult {
  const created = createSubscription(terms, at);
  const permission = permissionOf(created.state, 'person', history);
  if (permission.kind === 'allowed') return done(created);
  return { applied: false, reason: CARD_REFUSALS[permission.kind], subject: 'card' };
}

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

/**
 * What can be requested besides when a pause has ended and the subscription is not resumed yet, because its charge is delayed.
 * The command then decides whether and what is charged.
 */
const BEFORE_RESUME: readonly SubscriptionCommand['kind'][] = ['pause', 'change_plan'];

/**
 * Applies a command, or returns why it is refused. A command whose charge the card's network forbids is refused, except that
 * a resume keeps the charge back. Must not be called while a charge is open. `history` is that of the card that is charged. A
 * charge begins at `now`, which is later than `at` if workers were away.
 */
export function applyCommand(
  before: SubscriptionState,
  command: SubscriptionCommand,
  at: Date,
  history: CardHistory,
  now: Date = at,
): CommandResult {
  if (!isAllowed(before, command, at)) return refuse(before);
  const state = { ...before, lastTransitionAt: at };
  switch (command.kind) {
    case 'pause':
      return done(pause(state, command.until, at));
    case 'resume':
      return done(guardOpened(resume(state, at, now), history));
    case 'cancel':
      return command.atPeriodEnd ? cancelAtPeriodEnd(state) : done(cancel(state, at, 'requested'));
    case 'uncancel':
      return state.cancelAtPeriodEnd
        ? done(transition({ ...state, cancelAtPeriodEnd: false }, [{ type: 'subscription.uncanceled' }]))
        : refuse(state, 'and no cancellation is scheduled');
    case 'change_plan':
      return unlessForbidden(state, planChange(state, command, now), history);
    case 'change_card':
      return changeCard(state, command.card, now, history);
    case 'retry':
      return retryOnRequest(state, now, history);
    default:
      return assertNever(command);
  }
}

/** Whether the command is allowed in the status that the subscription has. */
export function allows({ status }: SubscriptionState, kind: SubscriptionCommand['kind']): boolean {
  return ALLOWED_STATUSES[kind].includes(status);
}

function isAllowed(state: SubscriptionState, { kind }: SubscriptionCommand, at: Date): boolean {
  if (allows(state, kind)) return true;
  return BEFORE_RESUME.includes(kind) && hasPauseEnded(state, at);
}

/** Another pause right after one that has ended charges nothing in between. */
function pause(state: SubscriptionState, until: Date | null, at: Date): Transition {
  const paused: SubscriptionState = { ...state, status: 'paused', pausedAt: at, pausedUntil: until };
  return transition(paused, [
    ...(state.status === 'paused' ? [{ type: 'subscription.resumed' } as const] : []),
    { type: 'subscription.paused', pausedUntil: until },
  ]);
}

function cancelAtPeriodEnd(state: SubscriptionState): CommandResult {
  const { status, cancelAtPeriodEnd: isPlanned } = state;
  const cancelAt = paidPeriodEnd(state);
  const renews = status === 'trialing' || status === 'active' || hasPauseEnded(state, state.lastTransitionAt);
  if (!renews || cancelAt === null) return refuse(state);
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
  // A paused subscription has no period whose rest could be charged.
  if (terms.when === 'period_end' || state.status === 'paused') {
    const planned = planChangedEvent(change, { immediately: false, executed: false });
    return transition({ ...state, plannedChange: change }, [...withdrawnEvents(state), planned]);
  }
  const { cycle } = terms;
  return cycle !== null && cycle.chargeCents > 0
    ? transition({ ...state, openCharge: { kind: 'plan_change', change, cycle }, lastTransitionAt: at })
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
  history: CardHistory,
): CommandResult {
  const { openCycle: cycle, status } = state;
  const isSameCard = cardIdentity(state.card) === cardIdentity(card);
  const withCard = { ...state, card, cardExpiringNotified: false };
  const changed = (next: SubscriptionState): Transition =>
    transition(next, [{ type: 'subscription.card_changed' }]);
  if (cycle === null) return done(changed(withCard));
  const unpaid: OpenCycle = { ...cycle, irreversible: cycle.irreversible && isSameCard };
  if (status === 'paused') return done(changed({ ...withCard, openCycle: unpaid }));
  const charged = chain(changed(withCard), (next) => chargeAgain(next, unpaid, at));
  const tooLate = lateChargeProblem(state, charged.state, at);
  if (tooLate !== null) return refuse(state, tooLate);
  const permission: ChargePermission = unpaid.irreversible
    ? { kind: 'never' }
    : permissionOf(charged.state, 'person', history);
  if (permission.kind === 'allowed') return done(charged);
  return { applied: false, reason: CARD_REFUSALS[permission.kind], subject: 'card' };
}

function retryOnRequest(state: SubscriptionState, at: Date, history: CardHistory): CommandResult {
  const { openCycle: cycle } = state;
  if (cycle === null) return refuse(state, 'and nothing is unpaid');
  if (cycle.irreversible) return refuse(state, CHARGE_REFUSALS.never);
  const charged = chargeAgain(state, cycle, at);
  const tooLate = lateChargeProblem(state, charged.state, at);
  return tooLate === null ? unlessForbidden(state, charged, history) : refuse(state, tooLate);
}

/**
 * Why a command that was stored in time must not charge the unpaid cycle any more, because workers were away for so long: the
 * charge would buy a period that the customer has canceled, or a first period at a price that the customer was not shown.
 */
function lateChargeProblem(before: SubscriptionState, charged: SubscriptionState, at: Date): string | null {
  const end = cancellationAt(before);
  if (end !== null && end <= at) return 'and its last period is over';
  const isSamePrice = charged.openCycle?.chargeCents === before.openCycle?.chargeCents;
  return before.status === 'pending' && !isSamePrice
    ? 'and its first period costs something else by now'
    : null;
}

/** Refuses a command whose charge the card's network forbids now. */
function unlessForbidden(state: SubscriptionState, after: Transition, history: CardHistory): CommandResult {
  const permission = permissionOf(after.state, 'person', history);
  return permission.kind === 'allowed' ? done(after) : refuse(state, CHARGE_REFUSALS[permission.kind]);
}

function done(after: Transition): CommandResult {
  return { applied: true, transition: after };
}

function refuse({ status }: SubscriptionState, detail?: string): CommandResult {
  const reason = `the subscription is ${status}`;
  return { applied: false, reason: detail === undefined ? reason : `${reason}, ${detail}`, subject: 'state' };
}
