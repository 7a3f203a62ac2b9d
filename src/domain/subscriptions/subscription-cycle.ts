import { addDays, periodOf } from './billing-calendar';
import { heldCycle, type UnansweredCharge, withoutProbe } from './charge-hold';
import { isUsable } from './coupon';
import {
  isRestarted,
  NEVER_DECLINED,
  netCents,
  regularPrice,
  rescheduled,
  settledStatus,
  waivedCents,
} from './cycle-price';
import type { RetryAdvice } from '../payments/advice-code';
import { permissionFor, type ChargePermission, type ChargeInitiator } from './charge-guard';
import { MAX_DUNNING_DAYS, nextRetryAt } from './dunning';
import { applyPlannedChange } from './planned-change';
import {
  chain,
  transition,
  type CardHistory,
  type Transition,
  type OpenCycle,
  type RedeemedCoupon,
  type SubscriptionEvent,
  type SubscriptionState,
} from './subscription';

/**
 * Starts the next period and charges it. A period that costs nothing, or that the credit balance pays, counts as paid.
 * `now` is when the charge begins: if the period has ended by then, a period from now on is charged instead.
 */
export function openNextCycle(before: SubscriptionState, at: Date, now: Date = at): Transition {
  const isOver = now >= periodOf(before.schedule, before.periodNumber + 1).end;
  const state = isOver ? rescheduled(before, now, before.billingDay) : before;
  const dueAt = isOver ? now : at;
  const number = state.periodNumber + 1;
  const cycle: OpenCycle = {
    kind: 'regular',
    number: state.cyclesOpened + 1,
    period: periodOf(state.schedule, number),
    dueAt,
    ...regularPrice(state, number),
    ...NEVER_DECLINED,
  };
  const opened = startPeriod(
    { ...state, cyclesOpened: cycle.number, lastTransitionAt: dueAt },
    number,
    cycle,
  );
  return startCharge(opened, cycle, now);
}

/** Makes an unpaid cycle's period the current one. */
function startPeriod(
  state: SubscriptionState,
  periodNumber: number,
  openCycle: OpenCycle,
): SubscriptionState {
  const periodValueCents = netCents(openCycle);
  const { period } = openCycle;
  return { ...state, periodNumber, period, periodValueCents, periodDiscounted: false, openCycle };
}

/** Charges the open cycle, or closes it if nothing is left to charge. */
function startCharge(state: SubscriptionState, cycle: OpenCycle, at: Date): Transition {
  return cycle.chargeCents > 0
    ? transition({ ...state, openCycle: cycle, openCharge: { kind: 'cycle' }, lastTransitionAt: at })
    : markCyclePaid(state, cycle, at);
}

/** Closes the open cycle as paid or waived. */
export function markCyclePaid(before: SubscriptionState, paid: OpenCycle, at: Date): Transition {
  const { state, cycle } = startAtPayment(before, { ...paid, hold: null }, at);
  const next: SubscriptionState = {
    ...state,
    status: 'active',
    period: cycle.period,
    periodValueCents: state.periodValueCents - waivedCents(cycle),
    periodDiscounted: cycle.discountCents > 0,
    creditBalanceCents: state.creditBalanceCents - cycle.creditCents,
    cyclesPaid: state.cyclesPaid + 1,
    coupon: countCouponUse(state.coupon),
    openCycle: null,
    pastDueSince: null,
    lastTransitionAt: at,
  };
  const events: SubscriptionEvent[] = [{ type: 'subscription.payment.success', cycle }];
  if (state.cyclesPaid === 0) events.push({ type: 'subscription.activated' });
  return { ...transition(next, events), closed: [{ status: settledStatus(cycle), cycle, change: null }] };
}

/**
 * A period that a late charge bought starts at the payment, unless the charge took so long that the period would then cost
 * something else.
 */
function startAtPayment(
  state: SubscriptionState,
  cycle: OpenCycle,
  at: Date,
): { readonly state: SubscriptionState; readonly cycle: OpenCycle } {
  if (!isRestarted(cycle)) return { state, cycle };
  const restarted = { ...rescheduled(state, at, state.schedule.billingDay), periodNumber: 1 };
  const isSamePrice = regularPrice(restarted, 1).amountCents === cycle.amountCents;
  if (at >= cycle.period.end || !isSamePrice) return { state, cycle };
  return { state: restarted, cycle: { ...cycle, period: periodOf(restarted.schedule, 1) } };
}

/**
 * Prices the open cycle for a charge that begins at `at`. If the period for which it was opened has ended, it buys a period
 * from then on, at the price of the plan then in force, like the first period of a new subscription.
 */
function pricedAt(before: SubscriptionState, cycle: OpenCycle, at: Date): Transition {
  if (at < cycle.period.end && !isRestarted(cycle)) return transition(before);
  return chain(applyPlannedChange(before), (changed) => {
    const state = { ...rescheduled(changed, at, changed.billingDay), lastTransitionAt: at };
    const priced = { ...cycle, period: periodOf(state.schedule, 1), ...regularPrice(state, 1) };
    return transition(startPeriod(state, 1, priced));
  });
}

/** Counts one more paid period that the coupon discounted. */
export function countCouponUse(coupon: RedeemedCoupon | null): RedeemedCoupon | null {
  if (coupon === null || !isUsable(coupon.discount, coupon.cyclesUsed)) return coupon;
  return { ...coupon, cyclesUsed: coupon.cyclesUsed + 1 };
}

/**
 * Handles a declined charge of the open cycle: schedules a retry or marks the subscription past due. See
 * docs/decisions/subscriptions.md.
 */
export function markCycleDeclined(
  state: SubscriptionState,
  cycle: OpenCycle,
  decline: RetryAdvice,
  at: Date,
  history: CardHistory,
): Transition {
  const firstFailedAt = cycle.firstFailedAt ?? at;
  const failed: OpenCycle = {
    ...cycle,
    firstFailedAt,
    retryCount: cycle.firstFailedAt === null ? 0 : cycle.retryCount + 1,
    nextRetryAt: null,
    irreversible: decline.retry === 'never',
  };
  if (state.status === 'pending' || state.status === 'past_due') {
    return declineWithoutRetry(state, failed, { final: state.status === 'past_due' });
  }
  const retryAt = nextRetryAt({
    firstFailedAt,
    at,
    decline,
    days: history.dunningDays,
    declines: history.declines,
    timezone: state.schedule.timezone,
    brand: state.card.brand,
    amountCents: failed.chargeCents,
  });
  return retryAt === null
    ? markPastDue(state, failed, at, decline.retry === 'automatic' ? 'retries_exhausted' : 'hard_decline')
    : scheduleRetry(state, { ...failed, nextRetryAt: retryAt });
}

/** Waits for a gateway: no issuer answered the charge of the open cycle, so nothing is declined and nothing is published. */
export function holdCycle(
  state: SubscriptionState,
  cycle: OpenCycle,
  unanswered: UnansweredCharge,
): Transition {
  return transition({ ...state, openCharge: null, openCycle: heldCycle(cycle, unanswered) });
}

/** Charges a cycle on hold again, unless the card's network forbids it: then later, or not at all. */
export function probeCycle(
  state: SubscriptionState,
  cycle: OpenCycle,
  at: Date,
  history: CardHistory,
): Transition {
  const charged = chargeAgain(state, cycle, at);
  const permission = permissionOf(charged.state, 'schedule', history);
  if (permission.kind === 'allowed' || cycle.hold === null) return charged;
  if (permission.kind === 'never') return withhold(state, { ...cycle, hold: null }, permission, at);
  const hold = { ...cycle.hold, nextProbeAt: permission.at };
  return transition({ ...state, openCycle: { ...cycle, hold } });
}

function declineWithoutRetry(
  state: SubscriptionState,
  cycle: OpenCycle,
  { final }: { readonly final: boolean },
): Transition {
  return transition({ ...state, openCycle: cycle }, [{ type: 'subscription.payment.failed', cycle, final }]);
}

function scheduleRetry(state: SubscriptionState, cycle: OpenCycle): Transition {
  return transition({ ...state, openCycle: cycle }, [
    { type: 'subscription.payment.failed', cycle, final: false },
    { type: 'subscription.payment.retry', cycle },
  ]);
}

function markPastDue(
  state: SubscriptionState,
  cycle: OpenCycle,
  at: Date,
  reason: 'hard_decline' | 'retries_exhausted',
): Transition {
  return transition({ ...state, status: 'past_due', pastDueSince: at, openCycle: cycle }, [
    { type: 'subscription.payment.failed', cycle, final: true },
    { type: 'subscription.past_due', cycle, reason },
  ]);
}

/** Charges the open cycle again. */
export function chargeAgain(state: SubscriptionState, cycle: OpenCycle, at: Date): Transition {
  const charged = withoutProbe(cycle);
  return chain(pricedAt({ ...state, openCycle: charged }, charged, at), (next) =>
    startCharge(next, next.openCycle ?? charged, at),
  );
}

/** Whether the network of the state's card allows the charge that the state opens, when it begins. */
export function permissionOf(
  { openCharge, openCycle, card, lastTransitionAt: at }: SubscriptionState,
  initiator: ChargeInitiator,
  { declines }: CardHistory,
): ChargePermission {
  const charged = openCharge?.kind === 'plan_change' ? openCharge.cycle : openCycle;
  if (openCharge === null || charged === null) return { kind: 'allowed' };
  const { chargeCents: amountCents } = charged;
  return permissionFor({ brand: card.brand, amountCents, at, initiator }, declines);
}

/** Charges the open cycle again, unless the card's network forbids it: then later, or not at all. */
export function retryCycle(
  state: SubscriptionState,
  cycle: OpenCycle,
  at: Date,
  history: CardHistory,
): Transition {
  const charged = chargeAgain(state, cycle, at);
  const permission = permissionOf(charged.state, 'schedule', history);
  return permission.kind === 'allowed' ? charged : withhold(state, cycle, permission, at);
}

/** Keeps back the charge of a cycle that was just opened, if the card's network forbids it. */
export function guardOpened(opened: Transition, history: CardHistory): Transition {
  const { openCycle: cycle, openCharge, lastTransitionAt: at } = opened.state;
  const permission = permissionOf(opened.state, 'schedule', history);
  if (permission.kind === 'allowed' || cycle === null || openCharge === null) return opened;
  return chain(opened, (state) => withhold({ ...state, openCharge: null }, cycle, permission, at));
}

/** Charges the cycle later, or marks the subscription past due without a charge. */
function withhold(
  state: SubscriptionState,
  cycle: OpenCycle,
  permission: Exclude<ChargePermission, { kind: 'allowed' }>,
  at: Date,
): Transition {
  const firstFailedAt = cycle.firstFailedAt ?? at;
  const unpaid: OpenCycle = { ...cycle, firstFailedAt, nextRetryAt: null };
  if (permission.kind === 'never') {
    return markPastDue(state, { ...unpaid, irreversible: true }, at, 'hard_decline');
  }
  const end = addDays(firstFailedAt, MAX_DUNNING_DAYS, state.schedule.timezone);
  return permission.at <= end
    ? postponeCharge(state, { ...cycle, nextRetryAt: permission.at })
    : markPastDue(state, unpaid, at, 'retries_exhausted');
}

function postponeCharge(state: SubscriptionState, cycle: OpenCycle): Transition {
  return transition({ ...state, openCycle: cycle }, [{ type: 'subscription.payment.retry', cycle }]);
}
