import { advisedPauseMs, advisesNeverAgain } from '../payments/advice-code';
import { addDays } from './billing-calendar';
import type { DeclineClass } from '../payments/decline';

const DAY_MS = 24 * 3_600_000;

/** The days after the first failure on which a charge is tried again (decisions, section 7). */
export const DEFAULT_DUNNING_DAYS: readonly number[] = [1, 4, 9, 16];

/** No retry comes later after the first failure. */
export const LONGEST_DUNNING_DAYS = 30;

/** A refusal, as far as it says whether and when to try again. */
export interface Refusal {
  readonly declineClass: DeclineClass;
  /** Mastercard's Merchant Advice Code, two digits; null where the network gives none. */
  readonly adviceCode: string | null;
}

/** No charge is tried oftener, whatever its network allows. */
const MOST_TRIES = 10;

/** Fewer refusals than `under` in any `withinMs` for one card and amount, or the network fines the company. */
interface NetworkCap {
  readonly under: number;
  readonly withinMs: number;
}

const NETWORK_CAPS: Readonly<Record<string, readonly NetworkCap[]>> = {
  visa: [{ under: 15, withinMs: 30 * DAY_MS }],
  elo: [{ under: 15, withinMs: 30 * DAY_MS }],
  mastercard: [
    { under: 7, withinMs: DAY_MS },
    { under: 35, withinMs: 30 * DAY_MS },
  ],
};

export interface DunningContext {
  /** When the cycle's charge was refused for the first time, and now; in the subscription's own time. */
  readonly firstFailedAt: Date;
  readonly at: Date;
  readonly refusal: Refusal;
  /** The company's days, ascending. */
  readonly days: readonly number[];
  readonly timezone: string;
  readonly brand: string;
  /** When subscription charges of this card and amount were refused until now, this time included. */
  readonly refusedAt: readonly Date[];
}

/** Whether the same card must never be tried again, not even by hand. */
export function isIrreversible({ declineClass, adviceCode }: Refusal): boolean {
  return declineClass === 'hard' || advisesNeverAgain(adviceCode);
}

/** Whether the same card is tried again by itself: not where its holder, or its issuer, has to do something first. */
export function isRetriedByItself(refusal: Refusal): boolean {
  return refusal.declineClass === 'soft' && !isIrreversible(refusal);
}

/** When the charge is tried again by itself; null when all retries are over. */
export function nextRetryAt(situation: DunningContext): Date | null {
  const { firstFailedAt, at, refusal, days, timezone, brand, refusedAt } = situation;
  if (!isRetriedByItself(refusal)) return null;
  const scheduled = days.map((day) => addDays(firstFailedAt, day, timezone)).find((retry) => retry > at);
  if (scheduled === undefined) return null;
  const advised = +at + advisedPauseMs(refusal.adviceCode);
  const retry = firstAllowedAt(brand, refusedAt, new Date(Math.max(+scheduled, advised)));
  return retry <= addDays(firstFailedAt, LONGEST_DUNNING_DAYS, timezone) ? retry : null;
}

/** The first instant, not before `from`, at which the card's network allows another try of the same amount. */
export function firstAllowedAt(brand: string, refusedAt: readonly Date[], from: Date): Date {
  const caps = NETWORK_CAPS[brand] ?? [];
  const newestFirst = refusedAt.map(Number).sort((a, b) => b - a);
  // The refusal that has to leave the window, so that this try is not one too many in it.
  const allowed = caps.map(({ under, withinMs }) => (newestFirst[under - 2] ?? -Infinity) + withinMs);
  return new Date(Math.max(+from, ...allowed));
}

/** How often a charge may be tried at an instant, at several gateways if need be, before the card's network would object. */
export function triesAllowed(brand: string, refusedAt: readonly Date[], at: Date): number {
  const caps = NETWORK_CAPS[brand] ?? [];
  const left = caps.map(({ under, withinMs }) => {
    const recent = refusedAt.filter((refusal) => +refusal > +at - withinMs).length;
    return under - 1 - recent;
  });
  return Math.max(1, Math.min(MOST_TRIES, ...left));
}
