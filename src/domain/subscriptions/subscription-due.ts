import { addDays } from './billing-calendar';
import { delayedAt } from './charge-hold';
import { endOfExpiryMonth } from './card-validity';
import { isRestarted } from './cycle-price';
import type { SubscriptionState } from './subscription';

const HOUR_MS = 3_600_000;

/** How long a declined first charge can be paid with a new card or a retry. See docs/decisions/subscriptions.md. */
const INITIAL_PAYMENT_WINDOW_MS = 23 * HOUR_MS;
const PAST_DUE_DAYS = 90;
const CARD_EXPIRING_DAYS = 30;

/**
 * Events that occur when their time comes. Events due at the same instant apply in this order, so that a requested
 * cancellation at the period's end precedes the end of a pause, which would open a new period.
 */
const DUE_EVENT_KINDS = [
  'trial_ending',
  'card_expiring',
  'period_ended',
  'pause_ended',
  'retry',
  'probe',
  'payment_delayed',
  'initial_payment_expired',
  'past_due_expired',
] as const;

/** The events that do not wait for the result of an open charge. */
const DUE_DURING_CHARGE = ['payment_delayed'] as const satisfies (typeof DUE_EVENT_KINDS)[number][];

export interface DueEvent {
  readonly kind: (typeof DUE_EVENT_KINDS)[number];
  readonly at: Date;
}

/** The next due event; null if there is none. Nearly all wait until the open charge is settled. */
export function nextDue(state: SubscriptionState): DueEvent | null {
  const kinds = state.openCharge === null ? DUE_EVENT_KINDS : DUE_DURING_CHARGE;
  const events = kinds.flatMap((kind): DueEvent[] => {
    const at = dueAt(state, kind);
    return at === null ? [] : [{ kind, at: at < state.lastTransitionAt ? state.lastTransitionAt : at }];
  });
  return events.reduce<DueEvent | null>(
    (first, event) => (first === null || event.at < first.at ? event : first),
    null,
  );
}

/** Whether the event leads, or may lead, to a charge. */
export function isChargeable({ kind, at }: DueEvent, state: SubscriptionState): boolean {
  const { cancelAtPeriodEnd, openCycle, period } = state;
  switch (kind) {
    case 'retry':
    case 'probe':
      return true;
    case 'pause_ended':
      return openCycle === null && (period === null || period.end <= at);
    case 'period_ended':
      return !cancelAtPeriodEnd;
    case 'trial_ending':
    case 'card_expiring':
    case 'payment_delayed':
    case 'initial_payment_expired':
    case 'past_due_expired':
      return false;
  }
}

function dueAt(state: SubscriptionState, kind: DueEvent['kind']): Date | null {
  switch (kind) {
    case 'trial_ending':
      return isInTrial(state) && !state.trialEndingNotified ? trialEndingAt(state) : null;
    case 'card_expiring':
      return isRunning(state) && !state.cardExpiringNotified ? cardExpiringAt(state) : null;
    case 'pause_ended':
      return state.status === 'paused' ? state.pausedUntil : null;
    case 'period_ended':
      return periodEndedAt(state);
    case 'retry':
      return isRunning(state) ? (state.openCycle?.nextRetryAt ?? null) : null;
    case 'probe':
      return isCharging(state) ? (state.openCycle?.hold?.nextProbeAt ?? null) : null;
    case 'payment_delayed':
      return isCharging(state) ? delayedAt(state) : null;
    case 'initial_payment_expired':
      return state.status === 'pending' ? new Date(+state.createdAt + INITIAL_PAYMENT_WINDOW_MS) : null;
    case 'past_due_expired':
      return isOnHold(state)
        ? null
        : state.pastDueSince && addDays(state.pastDueSince, PAST_DUE_DAYS, state.schedule.timezone);
  }
}

/** No period ends while a cycle is unpaid or the subscription is paused, unless cancellation at its end was requested. */
function periodEndedAt(state: SubscriptionState): Date | null {
  const { period, cancelAtPeriodEnd, openCycle } = state;
  if (cancelAtPeriodEnd) return cancellationAt(state);
  return isRunning(state) && openCycle === null ? (period?.end ?? null) : null;
}

/** When a requested cancellation at the end of the period takes effect; null if none is planned. */
export function cancellationAt(state: SubscriptionState): Date | null {
  return state.cancelAtPeriodEnd && state.status !== 'canceled' ? paidPeriodEnd(state) : null;
}

/** When the current period ends: at once if it would only begin with the charge of an unpaid cycle. Null before the first. */
export function paidPeriodEnd(state: SubscriptionState): Date | null {
  const { period } = state;
  return (hasUnstartedPeriod(state) ? period?.start : period?.end) ?? null;
}

/** Whether the current period would only begin with the charge of an unpaid cycle. */
function hasUnstartedPeriod({ openCycle }: SubscriptionState): boolean {
  return openCycle !== null && isRestarted(openCycle);
}

/** Whether the pause was to end by `at`, and the subscription is not resumed yet. */
export function hasPauseEnded({ status, pausedUntil }: SubscriptionState, at: Date): boolean {
  return status === 'paused' && pausedUntil !== null && pausedUntil <= at;
}

/**
 * When the next period is charged if nothing else changes; null if none will be. The next try of an unpaid cycle charges one if
 * the current period has ended by then.
 */
export function nextBillingAt(state: SubscriptionState): Date | null {
  const { status, period, cancelAtPeriodEnd, pausedUntil, openCycle } = state;
  const nextTryAt = openCycle?.nextRetryAt ?? openCycle?.hold?.nextProbeAt ?? null;
  if (period === null || cancelAtPeriodEnd) return null;
  switch (status) {
    case 'pending':
    case 'trialing':
    case 'active':
      return nextTryAt !== null && (nextTryAt > period.end || hasUnstartedPeriod(state))
        ? nextTryAt
        : period.end;
    case 'paused':
      return pausedUntil && new Date(Math.max(+pausedUntil, +period.end));
    case 'past_due':
      return nextTryAt;
    case 'canceled':
      return null;
  }
}

/** Whether the trial period has not ended. */
export function isInTrial({ status, periodNumber }: SubscriptionState): boolean {
  return status === 'trialing' && periodNumber === 0;
}

/** Whether the subscription renews at the end of each period. */
export function isRunning({ status }: SubscriptionState): boolean {
  return status === 'trialing' || status === 'active';
}

/** Whether an unpaid cycle may be charged without a request, as far as the status decides. */
function isCharging(state: SubscriptionState): boolean {
  return isRunning(state) || state.status === 'past_due';
}

function isOnHold({ openCycle }: SubscriptionState): boolean {
  return openCycle !== null && openCycle.hold !== null;
}

/** Three days before the trial ends, or one day if the trial is shorter than three days. */
function trialEndingAt({ trial, schedule: { timezone } }: SubscriptionState): Date | null {
  if (trial === null) return null;
  const isShort = trial.end < addDays(trial.start, 3, timezone);
  return addDays(trial.end, isShort ? -1 : -3, timezone);
}

/** 30 days before the end of the card's last valid month. */
function cardExpiringAt({ card, schedule: { timezone } }: SubscriptionState): Date {
  return addDays(endOfExpiryMonth(card, timezone), -CARD_EXPIRING_DAYS, timezone);
}
