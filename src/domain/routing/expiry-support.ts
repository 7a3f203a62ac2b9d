import { DateTime } from 'luxon';
import type { PaymentMethod } from '../payments/payment';
import { assertNever } from '../shared/assert-never';
import { BRASILIA, dateIn } from '../time/timezone';

/** When an unpaid pix can expire: after any number of seconds in a range, after a fixed time, or at the end of a day in Brasília. */
export type PixExpiry =
  | { readonly kind: 'seconds'; readonly minSeconds: number; readonly maxSeconds: number }
  | { readonly kind: 'fixed'; readonly seconds: number }
  | { readonly kind: 'day' };

export interface ExpirySupport {
  /** Null if the gateway has no pix. */
  readonly pixExpiry: PixExpiry | null;
  /** In how many calendar days in Brasília a boleto may be due, 0 for today. Null if the gateway has no boletos. */
  readonly billetDueDays: { readonly min: number; readonly max: number } | null;
  /** The methods whose unpaid charges can still be paid after they expired. */
  readonly payableAfterExpiry: readonly PaymentMethod[];
}

/** The expiry of a payment that is paid later. */
export interface PaymentExpiry {
  /** Null unless it is a pix. */
  readonly pixExpiresInSeconds: number | null;
  /** `YYYY-MM-DD`. Null unless it is a boleto. */
  readonly billetDueAt: string | null;
  /** The company's default, which a gateway may change to what it can do. A request's own expiry is never changed. */
  readonly isDefault: boolean;
  /** The days of a boleto count from here. */
  readonly createdAt: Date;
}

/** The expiry of a payment as it is stored; null for a card. */
export function paymentExpiry({
  pixExpiresIn: pixExpiresInSeconds,
  billetDueAt,
  expiryIsDefault: isDefault,
  createdAt,
}: {
  readonly pixExpiresIn: number | null;
  readonly billetDueAt: string | null;
  readonly expiryIsDefault: boolean;
  readonly createdAt: Date;
}): PaymentExpiry | null {
  if (pixExpiresInSeconds === null && billetDueAt === null) return null;
  return { pixExpiresInSeconds, billetDueAt, isDefault, createdAt };
}

/** The expiry that a gateway cannot do. */
export type ExpiryLimit = 'pix_expires_in' | 'pix_payable_after_expiry' | 'billet_due_at';

/** Null if a gateway can make the payment expire as the request asks. A default is no reason to pass a gateway over. */
export function expiryLimit(support: ExpirySupport, expiry: PaymentExpiry | null): ExpiryLimit | null {
  if (expiry === null || expiry.isDefault) return null;
  const { pixExpiresInSeconds: seconds, billetDueAt } = expiry;
  if (seconds !== null) {
    if (support.pixExpiry !== null && !canExpireAfter(support.pixExpiry, seconds)) return 'pix_expires_in';
    if (support.payableAfterExpiry.includes('pix')) return 'pix_payable_after_expiry';
  }
  if (billetDueAt === null || support.billetDueDays === null) return null;
  const days = daysUntil(billetDueAt, expiry.createdAt);
  const { min, max } = support.billetDueDays;
  return days < min || days > max ? 'billet_due_at' : null;
}

/** Why a gateway cannot do it, after its name. */
export function describeExpiryLimit(limit: ExpiryLimit, support: ExpirySupport): string {
  switch (limit) {
    case 'pix_expires_in':
      return `lets a pix expire ${describePixExpiry(support.pixExpiry)}`;
    case 'pix_payable_after_expiry':
      return 'lets a pix be paid after its expiry, so it does not support pix_expires_in';
    case 'billet_due_at': {
      const { min = 0, max = 0 } = support.billetDueDays ?? {};
      return `needs a boleto to be due in ${min} to ${max} days`;
    }
    default:
      return assertNever(limit);
  }
}

function describePixExpiry(rule: PixExpiry | null): string {
  switch (rule?.kind) {
    case undefined:
      return 'never';
    case 'seconds':
      return `after ${rule.minSeconds} to ${rule.maxSeconds} seconds only`;
    case 'fixed':
      return `after ${rule.seconds} seconds only`;
    case 'day':
      return 'at the end of a day only';
    default:
      return assertNever(rule);
  }
}

export interface SentPixExpiry {
  /** From the payment's creation. */
  readonly expiresInSeconds: number;
  /** The same as an ISO instant, for gateways that take one: it is the same in a repeated request. */
  readonly expiresAt: string;
  /** `YYYY-MM-DD` in Brazilian time, at the end of which it expires. Set if `pixExpiry` is `day`, which replaces the others. */
  readonly lastDay: string | null;
}

/** What a gateway is asked for. */
export interface SentExpiry {
  readonly pix: SentPixExpiry | null;
  /** `YYYY-MM-DD`. */
  readonly billetDueAt: string | null;
}

/**
 * The expiry that is sent to a gateway that is not passed over: the asked one, or the default as near as the gateway can do it. It
 * depends only on the payment, so that a repeated request is the same.
 */
export function sentExpiry(support: ExpirySupport, expiry: PaymentExpiry): SentExpiry {
  const { pixExpiresInSeconds: seconds, billetDueAt } = expiry;
  return {
    pix: seconds === null ? null : sentPix(support.pixExpiry, seconds, expiry.createdAt),
    billetDueAt: billetDueAt === null ? null : sentDueDate(support.billetDueDays, billetDueAt, expiry),
  };
}

function sentPix(rule: PixExpiry | null, asked: number, createdAt: Date): SentPixExpiry {
  const seconds = sentSeconds(rule, asked);
  const expiresAt = new Date(createdAt.getTime() + seconds * 1_000);
  const lastDay = rule?.kind === 'day' ? dateIn(BRASILIA, expiresAt) : null;
  return { expiresInSeconds: seconds, expiresAt: expiresAt.toISOString(), lastDay };
}

function sentSeconds(rule: PixExpiry | null, asked: number): number {
  switch (rule?.kind) {
    case undefined:
    case 'day':
      return asked;
    case 'seconds':
      return clamp(asked, rule.minSeconds, rule.maxSeconds);
    case 'fixed':
      return rule.seconds;
    default:
      return assertNever(rule);
  }
}

function sentDueDate(
  range: ExpirySupport['billetDueDays'],
  dueAt: string,
  { isDefault, createdAt }: PaymentExpiry,
): string {
  if (range === null || !isDefault) return dueAt;
  const days = daysUntil(dueAt, createdAt);
  const change = clamp(days, range.min, range.max) - days;
  return day(dueAt).plus({ days: change }).toFormat('yyyy-MM-dd');
}

function canExpireAfter(rule: PixExpiry, seconds: number): boolean {
  switch (rule.kind) {
    case 'seconds':
      return seconds >= rule.minSeconds && seconds <= rule.maxSeconds;
    case 'fixed':
      return seconds === rule.seconds;
    case 'day':
      return false;
    default:
      return assertNever(rule);
  }
}

function daysUntil(dueAt: string, createdAt: Date): number {
  return day(dueAt).diff(day(dateIn(BRASILIA, createdAt)), 'days').days;
}

/** UTC, because every day has 24 hours there. */
function day(date: string): DateTime {
  return DateTime.fromISO(date, { zone: 'utc' });
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
