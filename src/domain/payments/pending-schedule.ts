import { DateTime } from 'luxon';
import { assertNever } from '../shared/assert-never';
import type { PaymentMethod } from './payment';
import { BRASILIA } from '../time/timezone';

/** A payment that waits for its customer. Instants by the payment's clock. */
export interface PendingPayment {
  readonly paymentMethod: PaymentMethod;
  readonly createdAt: Date;
  /** Null when it never expires. */
  readonly expiresAt: Date | null;
  /** When the gateway was last polled. */
  readonly lastPolledAt: Date | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A payment in the last second is reported a little later (docs/decisions/payments.md). */
const GRACE_MS = 5 * MINUTE_MS;

/** Ages at which a pix is polled first; then hourly. */
const FIRST_POLLS_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);

/** When an unpaid pending payment fails: its expiry plus the grace period. */
export function expiryDecidedAt(expiresAt: Date): Date {
  return later(expiresAt, GRACE_MS);
}

/**
 * When the gateway is polled next, in case a callback is missed: the first instant of the schedule after the last poll.
 * A pix after 1, 5, 15 and 60 minutes, then hourly; a boleto each morning; both at expiry and at the end of the grace
 * period. If inquiries are inconclusive after that, every five minutes for an hour, then hourly.
 */
export function nextPollAt(payment: PendingPayment): Date {
  const { createdAt, expiresAt, lastPolledAt } = payment;
  const after = lastPolledAt !== null && lastPolledAt > createdAt ? lastPolledAt : createdAt;
  if (expiresAt === null) return nextRegularPoll(payment, after);
  if (after < expiresAt) return earlier(nextRegularPoll(payment, after), expiresAt);
  const decidedAt = expiryDecidedAt(expiresAt);
  return after < decidedAt ? decidedAt : nextLatePoll(decidedAt, after);
}

function nextRegularPoll({ paymentMethod, createdAt }: PendingPayment, after: Date): Date {
  switch (paymentMethod) {
    case 'billet':
      return nextMorning(createdAt, after);
    case 'pix':
    case 'card': {
      const ageMs = after.getTime() - createdAt.getTime();
      const first = FIRST_POLLS_MS.find((ms) => ms > ageMs);
      return later(createdAt, first ?? nextMultiple(HOUR_MS, ageMs));
    }
    default:
      return assertNever(paymentMethod);
  }
}

/** 8:00 in Brasília, when banks have reported the previous day's payments; from the day after creation. */
function nextMorning(createdAt: Date, after: Date): Date {
  const day = DateTime.fromJSDate(after, { zone: BRASILIA }).startOf('day');
  const created = DateTime.fromJSDate(createdAt, { zone: BRASILIA }).startOf('day');
  const morning = day.set({ hour: 8 });
  const isToday = day > created && morning.toMillis() > after.getTime();
  return (isToday ? morning : day.plus({ days: 1 }).set({ hour: 8 })).toJSDate();
}

function nextLatePoll(decidedAt: Date, after: Date): Date {
  const lateMs = after.getTime() - decidedAt.getTime();
  return later(decidedAt, nextMultiple(lateMs < HOUR_MS ? 5 * MINUTE_MS : HOUR_MS, lateMs));
}

/** The first multiple of a step that is more than `ms`. */
function nextMultiple(stepMs: number, ms: number): number {
  return (Math.floor(ms / stepMs) + 1) * stepMs;
}

function later(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
