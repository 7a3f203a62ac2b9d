import { DateTime } from 'luxon';
import { addDays } from './billing-calendar';
import type { SubscriptionState } from './subscription';

const HOUR_MS = 3_600_000;

/** How long a first charge that was refused may be made up for by a new card or by hand (decisions, section 7). */
const FIRST_CHARGE_WITHIN_MS = 23 * HOUR_MS;
const PAST_DUE_DAYS = 90;
const CARD_EXPIRING_DAYS = 30;

/**
 * What happens by itself when its time comes. At one instant the first of the list comes first: an end that was asked for
 * before the pause that would be followed by a new period.
 */
const KINDS = [
  'trial_ending',
  'card_expiring',
  'period_ended',
  'pause_ended',
  'retry',
  'initial_payment_expired',
  'past_due_expired',
] as const;

export interface DueEvent {
  readonly what: (typeof KINDS)[number];
  readonly at: Date;
}

/** What happens next by itself, and when; null when nothing does, or a charge has to be settled first. */
export function nextDue(state: SubscriptionState): DueEvent | null {
  if (state.openCharge !== null) return null;
  const dues = KINDS.flatMap((what): DueEvent[] => {
    const at = dueAt(state, what);
    return at === null ? [] : [{ what, at: at < state.lastTransitionAt ? state.lastTransitionAt : at }];
  });
  return dues.reduce<DueEvent | null>(
    (first, due) => (first === null || due.at < first.at ? due : first),
    null,
  );
}

/** Whether what is due is charged for, or may be. */
export function isChargeable({ what }: DueEvent, { cancelAtPeriodEnd }: SubscriptionState): boolean {
  switch (what) {
    case 'retry':
    case 'pause_ended':
      return true;
    case 'period_ended':
      return !cancelAtPeriodEnd;
    case 'trial_ending':
    case 'card_expiring':
    case 'initial_payment_expired':
    case 'past_due_expired':
      return false;
  }
}

function dueAt(state: SubscriptionState, what: DueEvent['what']): Date | null {
  switch (what) {
    case 'trial_ending':
      return isInTrial(state) && !state.trialEndingNotified ? trialEndingAt(state) : null;
    case 'card_expiring':
      return isRunning(state) && !state.cardExpiringNotified ? cardExpiringAt(state) : null;
    case 'pause_ended':
      return state.status === 'paused' ? state.pausedUntil : null;
    case 'period_ended':
      return periodOverAt(state);
    case 'retry':
      return isRunning(state) ? (state.openCycle?.nextRetryAt ?? null) : null;
    case 'initial_payment_expired':
      return state.status === 'pending' ? new Date(+state.createdAt + FIRST_CHARGE_WITHIN_MS) : null;
    case 'past_due_expired':
      return state.pastDueSince && addDays(state.pastDueSince, PAST_DUE_DAYS, state.schedule.timezone);
  }
}

/** A cycle that is not paid yet keeps the next one closed; an end that was asked for waits for neither that nor a pause. */
function periodOverAt(state: SubscriptionState): Date | null {
  const { status, period, cancelAtPeriodEnd, openCycle } = state;
  if (period === null) return null;
  if (cancelAtPeriodEnd) return status === 'canceled' ? null : period.end;
  return isRunning(state) && openCycle === null ? period.end : null;
}

/** When its next cycle is due if nothing else happens to it before; null when none will be. */
export function nextBillingAt(state: SubscriptionState): Date | null {
  const { status, period, cancelAtPeriodEnd, pausedUntil } = state;
  if (period === null || cancelAtPeriodEnd) return null;
  switch (status) {
    case 'pending':
    case 'trialing':
    case 'active':
      return period.end;
    case 'paused':
      return pausedUntil && new Date(Math.max(+pausedUntil, +period.end));
    case 'past_due':
    case 'canceled':
      return null;
  }
}

/** The trial still runs. */
export function isInTrial({ status, periodNumber }: SubscriptionState): boolean {
  return status === 'trialing' && periodNumber === 0;
}

/** Periods follow one another, each with its charge. */
export function isRunning({ status }: SubscriptionState): boolean {
  return status === 'trialing' || status === 'active';
}

/** Three days before, or one where the trial is shorter than three. */
function trialEndingAt({ trial, schedule: { timezone } }: SubscriptionState): Date | null {
  if (trial === null) return null;
  const isShort = trial.end < addDays(trial.start, 3, timezone);
  return addDays(trial.end, isShort ? -1 : -3, timezone);
}

/** Thirty days before the card's last month ends. */
function cardExpiringAt({ card, schedule: { timezone } }: SubscriptionState): Date {
  const month = DateTime.fromObject({ year: card.expireYear, month: card.expireMonth }, { zone: timezone });
  return addDays(month.plus({ months: 1 }).toJSDate(), -CARD_EXPIRING_DAYS, timezone);
}
