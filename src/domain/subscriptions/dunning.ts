import type { RetryAdvice } from '../payments/advice-code';
import { addDays } from './billing-calendar';

const DAY_MS = 24 * 3_600_000;

/** Days after the first failure on which a charge is retried. See docs/decisions/subscriptions.md. */
export const DEFAULT_DUNNING_DAYS: readonly number[] = [1, 4, 9, 16];

/** Retries end this many days after the first failure. */
export const MAX_DUNNING_DAYS = 30;

/** Limit of attempts for one charge, even if the card's network allows more. */
const MAX_ATTEMPTS_PER_CHARGE = 10;

/** The network fines a company that has `fewerThan` or more declines of one card and amount within `windowMs`. */
interface NetworkCap {
  readonly fewerThan: number;
  readonly windowMs: number;
}

const NETWORK_CAPS: Readonly<Record<string, readonly NetworkCap[]>> = {
  visa: [{ fewerThan: 15, windowMs: 30 * DAY_MS }],
  elo: [{ fewerThan: 15, windowMs: 30 * DAY_MS }],
  mastercard: [
    { fewerThan: 7, windowMs: DAY_MS },
    { fewerThan: 35, windowMs: 30 * DAY_MS },
  ],
};

export interface DunningContext {
  /** When the cycle's charge was first declined, and the current time, both on the subscription's clock. */
  readonly firstFailedAt: Date;
  readonly at: Date;
  readonly decline: RetryAdvice;
  /** The company's dunning days, ascending. */
  readonly days: readonly number[];
  readonly timezone: string;
  readonly brand: string;
  /** When subscription charges of this card and amount were declined, including the current decline. */
  readonly declinedAt: readonly Date[];
}

/** When the charge is retried automatically; null if no retry is left. */
export function nextRetryAt(context: DunningContext): Date | null {
  const { firstFailedAt, at, decline, days, timezone, brand, declinedAt } = context;
  if (decline.retry !== 'automatic') return null;
  const scheduled = days.map((day) => addDays(firstFailedAt, day, timezone)).find((retry) => retry > at);
  if (scheduled === undefined) return null;
  const advised = +at + decline.waitMs;
  const retry = earliestAllowedAt(brand, declinedAt, new Date(Math.max(+scheduled, advised)));
  return retry <= addDays(firstFailedAt, MAX_DUNNING_DAYS, timezone) ? retry : null;
}

/** The first instant at or after `from` at which the card's network allows another charge of the same amount. */
export function earliestAllowedAt(brand: string, declinedAt: readonly Date[], from: Date): Date {
  const caps = NETWORK_CAPS[brand] ?? [];
  const newestFirst = declinedAt.map(Number).sort((a, b) => b - a);
  // With n = fewerThan, the (n-1)th newest decline must leave the window before another one is allowed.
  const allowed = caps.map(({ fewerThan, windowMs }) => (newestFirst[fewerThan - 2] ?? -Infinity) + windowMs);
  return new Date(Math.max(+from, ...allowed));
}

/** How many attempts (at one or several gateways) the card's network allows for a charge at an instant; at least 1. */
export function attemptsAllowed(brand: string, declinedAt: readonly Date[], at: Date): number {
  const caps = NETWORK_CAPS[brand] ?? [];
  const left = caps.map(({ fewerThan, windowMs }) => {
    const recent = declinedAt.filter((decline) => +decline > +at - windowMs).length;
    return fewerThan - 1 - recent;
  });
  return Math.max(1, Math.min(MAX_ATTEMPTS_PER_CHARGE, ...left));
}
