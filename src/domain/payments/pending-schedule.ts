import { DateTime } from 'luxon';
import { assertNever } from '../shared/assert-never';
import type { PaymentMethod } from './payment';
import { BRASILIA } from '../time/timezone';

/** A payment that waits for its customer. Instants by the payment's own clock. */
export interface PendingPayment {
  readonly paymentMethod: PaymentMethod;
  readonly createdAt: Date;
  /** Null when it never expires. */
  readonly expiresAt: Date | null;
  /** When the gateway was last asked whether it was paid. */
  readonly lastPolledAt: Date | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What is paid in the last second is heard of a little later (decisions, section 5). */
const GRACE_MS = 5 * MINUTE_MS;

/** After creation, for a pix; then hourly. */
const FIRST_LOOKS_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);

/** When a pending payment of which nothing was paid fails: its expiry and the grace after it. */
export function expiryDecidedAt(expiresAt: Date): Date {
  return later(expiresAt, GRACE_MS);
}

/**
 * When the gateway is to be asked next about a payment of which no callback tells: the first instant of its schedule
 * after the last look. A pix after 1, 5, 15 and 60 minutes, then hourly; a billet each morning; both at expiry and when
 * expiry is decided. While the gateway cannot tell even then, every five minutes for an hour, then hourly.
 */
export function nextPollAt(payment: PendingPayment): Date {
  const { createdAt, expiresAt, lastPolledAt } = payment;
  const after = lastPolledAt !== null && lastPolledAt > createdAt ? lastPolledAt : createdAt;
  if (expiresAt === null) return nextOrdinaryLook(payment, after);
  if (after < expiresAt) return earlier(nextOrdinaryLook(payment, after), expiresAt);
  const decidedAt = expiryDecidedAt(expiresAt);
  return after < decidedAt ? decidedAt : nextLateLook(decidedAt, after);
}

function nextOrdinaryLook({ paymentMethod, createdAt }: PendingPayment, after: Date): Date {
  switch (paymentMethod) {
    case 'billet':
      return nextMorning(createdAt, after);
    case 'pix':
    case 'card': {
      const ageMs = after.getTime() - createdAt.getTime();
      const first = FIRST_LOOKS_MS.find((ms) => ms > ageMs);
      return later(createdAt, first ?? nextMultiple(HOUR_MS, ageMs));
    }
    default:
      return assertNever(paymentMethod);
  }
}

/** 8 in the morning in Brasília, when banks have told of what was paid the day before; from the day after creation. */
function nextMorning(createdAt: Date, after: Date): Date {
  const day = DateTime.fromJSDate(after, { zone: BRASILIA }).startOf('day');
  const created = DateTime.fromJSDate(createdAt, { zone: BRASILIA }).startOf('day');
  const morning = day.set({ hour: 8 });
  const isToday = day > created && morning.toMillis() > after.getTime();
  return (isToday ? morning : day.plus({ days: 1 }).set({ hour: 8 })).toJSDate();
}

function nextLateLook(decidedAt: Date, after: Date): Date {
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
