import { assertNever } from '../shared/assert-never';
import { addDays } from './billing-calendar';
import { endHold, postponed } from './charge-hold';
import type { SubscriptionChargeResult } from './charge-result';
import { rescheduled } from './cycle-price';
import { SOFT_DECLINE, type RetryAdvice } from '../payments/advice-code';
import { applyPlannedChange, hasSameInterval } from './planned-change';
import {
  transition,
  chain,
  type CancelReason,
  type CardHistory,
  type ChargedPlanChange,
  type Transition,
  type OpenCycle,
  type PlanTerms,
  type RedeemedCoupon,
  type SubscriptionCard,
  type SubscriptionState,
} from './subscription';
import {
  guardOpened,
  holdCycle,
  markCyclePaid,
  markCycleDeclined,
  openNextCycle,
  probeCycle,
  retryCycle,
} from './subscription-cycle';
import { cancellationAt, type DueEvent } from './subscription-due';
import { changePlan } from './subscription-plan';

/** The terms of a new subscription. */
export interface SubscriptionTerms {
  readonly plan: PlanTerms;
  readonly billingDay: number | null;
  readonly trialDays: number;
  /** IANA name of the company's time zone. */
  readonly timezone: string;
  readonly card: SubscriptionCard;
  /** Already redeemed. */
  readonly coupon: RedeemedCoupon | null;
}

/** Creates a subscription, which starts with its trial or its first charge. */
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
    periodValueCents: 0,
    periodDiscounted: false,
    creditBalanceCents: 0,
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
  const created = transition(state, [{ type: 'subscription.created' }]);
  return chain(created, (next) =>
    trial === null ? openNextCycle(next, at) : transition(next, [{ type: 'subscription.trial_started' }]),
  );
}

/**
 * Applies a due event. A charge that it leads to begins at `now`, which is later if the event is processed late, unless the
 * card's network forbids it.
 */
export function applyDueEvent(
  before: SubscriptionState,
  { kind, at }: DueEvent,
  history: CardHistory,
  now: Date = at,
): Transition {
  const state = { ...before, lastTransitionAt: at };
  switch (kind) {
    case 'trial_ending':
      return transition({ ...state, trialEndingNotified: true }, [{ type: 'subscription.trial_ending' }]);
    case 'card_expiring':
      return transition({ ...state, cardExpiringNotified: true }, [{ type: 'subscription.card_expiring' }]);
    case 'retry':
      return cancelIfOver(state, now) ?? retryCycle(state, requireOpenCycle(state), now, history);
    case 'probe':
      return cancelIfOver(state, now) ?? probeCycle(state, requireOpenCycle(state), now, history);
    case 'payment_delayed':
      return notifyDelay(state, requireOpenCycle(state));
    case 'pause_ended':
      return guardOpened(resume(state, at, now), history);
    case 'initial_payment_expired':
      return cancel(state, at, 'payment_failed');
    case 'past_due_expired':
      return cancel(state, at, 'past_due');
    case 'period_ended':
      return state.cancelAtPeriodEnd
        ? cancel(state, at, 'period_end')
        : guardOpened(renew(state, at, now), history);
    default:
      return assertNever(kind);
  }
}

/** A charge that is processed late must not buy a period after the end at which the customer has canceled. */
function cancelIfOver(state: SubscriptionState, now: Date): Transition | null {
  const end = cancellationAt(state);
  if (end === null || end > now) return null;
  return cancel(state, new Date(Math.max(+end, +state.lastTransitionAt)), 'period_end');
}

function notifyDelay(state: SubscriptionState, cycle: OpenCycle): Transition {
  const { hold } = cycle;
  if (hold === null) throw new Error('the charge is not on hold');
  const notified = { ...cycle, hold: { ...hold, delayNotified: true } };
  return transition({ ...state, openCycle: notified }, [
    { type: 'subscription.payment.delayed', cycle: notified, hold },
  ]);
}

/** Applies the result of the open charge. */
export function settleCharge(
  before: SubscriptionState,
  result: SubscriptionChargeResult,
  at: Date,
  history: CardHistory,
): Transition {
  const { openCharge } = before;
  if (openCharge === null) throw new Error('no charge is open');
  const state = { ...before, openCharge: null, lastTransitionAt: at };
  switch (openCharge.kind) {
    case 'cycle':
      return settleCycle(state, requireOpenCycle(state), result, {
        beganAt: before.lastTransitionAt,
        at,
        history,
      });
    case 'plan_change':
      return result.kind === 'paid'
        ? changePlan(state, openCharge, at)
        : declinePlanChange(state, openCharge, at);
    default:
      return assertNever(openCharge);
  }
}

/** The plan and the status stay as they are. */
function declinePlanChange(
  state: SubscriptionState,
  { cycle: declined, change }: ChargedPlanChange,
  at: Date,
): Transition {
  const cycle = { ...declined, firstFailedAt: at };
  const failed = { type: 'subscription.payment.failed', cycle, final: false } as const;
  return { ...transition(state, [failed]), closed: [{ status: 'failed', cycle, change }] };
}

function settleCycle(
  state: SubscriptionState,
  cycle: OpenCycle,
  result: SubscriptionChargeResult,
  { beganAt, at, history }: { readonly beganAt: Date; readonly at: Date; readonly history: CardHistory },
): Transition {
  const decline = (reason: RetryAdvice): Transition => {
    const ended = endHold(state, cycle, at);
    return markCycleDeclined(ended.state, ended.cycle, reason, at, history);
  };
  switch (result.kind) {
    case 'paid':
      return markCyclePaid(state, cycle, at);
    case 'declined':
      return decline(result.decline);
    // Neither of the other failures says anything about the card.
    case 'gateway_refused':
      return decline(SOFT_DECLINE);
    case 'unanswered':
      // The customer of a first charge is waiting, and can try again.
      if (state.status === 'pending') return decline(SOFT_DECLINE);
      return holdCycle(state, cycle, { beganAt, at, reason: result.reason, detail: result.detail ?? null });
    default:
      return assertNever(result);
  }
}

/**
 * Resumes after a pause. Within the paid period the billing dates stay; after it a new period starts now, with the planned
 * plan change applied. The time of the pause is not charged.
 */
export function resume(before: SubscriptionState, at: Date, now: Date = at): Transition {
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
  const resumed = transition(state, [{ type: 'subscription.resumed' }]);
  if (cycle !== null || (period !== null && period.end > at)) return resumed;
  return chain(chain(resumed, applyPlannedChange), (next) =>
    openNextCycle(rescheduled(next, at, next.billingDay), at, now),
  );
}

/** Cancels the subscription. Nothing is refunded; the coupon's redemption is released if no cycle was ever paid. */
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
    events: [{ type: 'subscription.canceled', atPeriodEnd: cancelReason === 'period_end' }],
    closed: cycle === null ? [] : [{ status: 'failed', cycle, change: null }],
    releasesCoupon: coupon !== null && cyclesPaid === 0,
  };
}

/** Applies the planned plan change and opens the next cycle. */
function renew(state: SubscriptionState, at: Date, now: Date): Transition {
  const { plan, schedule } = state;
  return chain(applyPlannedChange(state), (next) =>
    openNextCycle(
      hasSameInterval(plan, next.plan) ? next : rescheduled(next, at, schedule.billingDay),
      at,
      now,
    ),
  );
}

function requireOpenCycle({ openCycle: cycle }: SubscriptionState): OpenCycle {
  if (cycle === null) throw new Error('no cycle is open');
  return cycle;
}
