import { assertNever } from '../shared/assert-never';
import { addDays } from './billing-calendar';
import type { Refusal } from './dunning';
import {
  transition,
  chain,
  type CancelReason,
  type CardHistory,
  type Transition,
  type OpenCycle,
  type PlanTerms,
  type RedeemedCoupon,
  type SubscriptionCard,
  type SubscriptionState,
} from './subscription';
import {
  cycleNotAttempted,
  cyclePaid,
  cycleRefused,
  openCycle,
  rescheduled,
  retry,
} from './subscription-cycle';
import type { DueEvent } from './subscription-due';
import { changePlan, hasSameInterval, planChanged } from './subscription-plan';

/** A subscription as somebody asks for it. */
export interface SubscriptionTerms {
  readonly plan: PlanTerms;
  readonly billingDay: number | null;
  readonly trialDays: number;
  /** IANA name: the company's. */
  readonly timezone: string;
  readonly card: SubscriptionCard;
  /** Redeemed already. */
  readonly coupon: RedeemedCoupon | null;
}

/** A subscription begins: with its trial, or with the first charge. */
export function createSubscription(
  { plan, billingDay, trialDays, timezone, card, coupon }: SubscriptionTerms,
  at: Date,
): Transition {
  const trial = trialDays === 0 ? null : { start: at, end: addDays(at, trialDays, timezone) };
  const { interval, intervalCount } = plan;
  const state: SubscriptionState = {
    status: trial === null ? 'pending' : 'trialing',
    createdAt: at,
    plan,
    billingDay,
    schedule: { startsAt: trial?.end ?? at, interval, intervalCount, billingDay, timezone },
    periodNumber: 0,
    period: trial,
    paidCents: 0,
    periodDiscounted: false,
    trial,
    card,
    coupon,
    cyclesOpened: 0,
    cyclesPaid: 0,
    openCycle: null,
    openCharge: null,
    plannedChange: null,
    cancelAtPeriodEnd: false,
    pausedAt: null,
    pausedUntil: null,
    pastDueSince: null,
    canceledAt: null,
    cancelReason: null,
    trialEndingNotified: false,
    cardExpiringNotified: false,
    lastTransitionAt: at,
  };
  const created = transition(state, [{ event: 'subscription.created' }]);
  return chain(created, (next) =>
    trial === null ? openCycle(next, at) : transition(next, [{ event: 'subscription.trial_started' }]),
  );
}

/** What was due happens. */
export function applyDueEvent(
  before: SubscriptionState,
  { what, at }: DueEvent,
  history: CardHistory,
): Transition {
  const state = { ...before, lastTransitionAt: at };
  switch (what) {
    case 'trial_ending':
      return transition({ ...state, trialEndingNotified: true }, [{ event: 'subscription.trial_ending' }]);
    case 'card_expiring':
      return transition({ ...state, cardExpiringNotified: true }, [{ event: 'subscription.card_expiring' }]);
    case 'retry':
      return retry(state, cycleOf(state), at, history);
    case 'pause_ended':
      return resume(state, at);
    case 'initial_payment_expired':
      return cancel(state, at, 'payment_failed');
    case 'past_due_expired':
      return cancel(state, at, 'past_due');
    case 'period_ended':
      return state.cancelAtPeriodEnd ? cancel(state, at, 'period_end') : renew(state, at);
    default:
      return assertNever(what);
  }
}

/** How a charge ended that had no certain result before. */
export type ChargeResult =
  | { readonly kind: 'paid' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** No gateway was asked: nothing is known of the card. */
  | { readonly kind: 'not_attempted' };

/** The open charge is settled. */
export function settleCharge(
  before: SubscriptionState,
  result: ChargeResult,
  at: Date,
  history: CardHistory,
): Transition {
  const { openCharge } = before;
  if (openCharge === null) throw new Error('no charge is open');
  const state = { ...before, openCharge: null, lastTransitionAt: at };
  switch (openCharge.kind) {
    case 'cycle':
      return settleCycle(state, cycleOf(state), result, at, history);
    case 'plan_change':
      return result.kind === 'paid' ? changePlan(state, openCharge, at) : transition(state);
    default:
      return assertNever(openCharge);
  }
}

function settleCycle(
  state: SubscriptionState,
  cycle: OpenCycle,
  result: ChargeResult,
  at: Date,
  history: CardHistory,
): Transition {
  switch (result.kind) {
    case 'paid':
      return cyclePaid(state, cycle, at);
    case 'refused':
      return cycleRefused(state, cycle, result.refusal, at, history);
    case 'not_attempted':
      return cycleNotAttempted(state, cycle, at, history);
    default:
      return assertNever(result);
  }
}

/**
 * Goes on after a pause: within what is paid as before; later with a new period from now, on the plan that waited for the
 * old one's end. Nothing is charged for the pause.
 */
export function resume(before: SubscriptionState, at: Date): Transition {
  const { pausedAt, openCycle: cycle, period } = before;
  const pauseMs = +at - +(pausedAt ?? at);
  const state: SubscriptionState = {
    ...before,
    status: 'active',
    pausedAt: null,
    pausedUntil: null,
    openCycle: cycle && postponed(cycle, pauseMs),
    lastTransitionAt: at,
  };
  const resumed = transition(state, [{ event: 'subscription.resumed' }]);
  if (cycle !== null || (period !== null && period.end > at)) return resumed;
  return chain(chain(resumed, planTakesEffect), (next) =>
    openCycle(rescheduled(next, at, next.billingDay), at),
  );
}

/** A pause freezes dunning. */
function postponed(cycle: OpenCycle, ms: number): OpenCycle {
  const later = (instant: Date | null): Date | null => instant && new Date(+instant + ms);
  return { ...cycle, firstFailedAt: later(cycle.firstFailedAt), nextRetryAt: later(cycle.nextRetryAt) };
}

/** Ends it. What is paid stays paid; the coupon goes back where nothing ever was. */
export function cancel(before: SubscriptionState, at: Date, cancelReason: CancelReason): Transition {
  const { openCycle: cycle, coupon, cyclesPaid } = before;
  const state: SubscriptionState = {
    ...before,
    status: 'canceled',
    openCycle: null,
    plannedChange: null,
    pausedUntil: null,
    pastDueSince: null,
    canceledAt: at,
    cancelReason,
    lastTransitionAt: at,
  };
  return {
    state,
    events: [{ event: 'subscription.canceled', atPeriodEnd: cancelReason === 'period_end' }],
    closed: cycle === null ? [] : [{ status: 'failed', cycle }],
    givesCouponBack: coupon !== null && cyclesPaid === 0,
  };
}

/** The period is over: the plan that waited for this takes effect, and the next cycle is charged. */
function renew(state: SubscriptionState, at: Date): Transition {
  const { plan, schedule } = state;
  return chain(planTakesEffect(state), (next) =>
    openCycle(hasSameInterval(plan, next.plan) ? next : rescheduled(next, at, schedule.billingDay), at),
  );
}

function planTakesEffect(state: SubscriptionState): Transition {
  const { plannedChange } = state;
  if (plannedChange === null) return transition(state);
  const told = planChanged(plannedChange, { immediately: false, executed: true });
  return transition({ ...state, plan: plannedChange.to, plannedChange: null }, [told]);
}

function cycleOf({ openCycle: cycle }: SubscriptionState): OpenCycle {
  if (cycle === null) throw new Error('no cycle is open');
  return cycle;
}
