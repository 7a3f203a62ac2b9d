import type { Interval, Recurrence, Share } from './billing-calendar';

/** What is charged how often; cents. */
export interface Price extends Recurrence {
  readonly amountCents: number;
}

/** Charges below this are waived: no gateway takes them (interface, section 8). */
export const LEAST_CHARGE_CENTS = 100;

/** How often an interval comes in a year. */
const PER_YEAR: Readonly<Record<Interval, Share>> = {
  daily: { part: 365, whole: 1 },
  weekly: { part: 365, whole: 7 },
  monthly: { part: 12, whole: 1 },
  yearly: { part: 1, whole: 1 },
};

/** What is really charged of a computed total: less than a real is waived like nothing (decisions, section 7). */
export function chargeableCents(totalCents: number): number {
  return totalCents < LEAST_CHARGE_CENTS ? 0 : totalCents;
}

/** A share of an amount, to the cent, rounded half up. Amounts are not negative. */
export function shareOf(amountCents: number, { part, whole }: Share): number {
  return roundHalfUp(BigInt(amountCents) * BigInt(part), BigInt(whole));
}

/**
 * What an immediate plan change costs while the dates stay: the dearer price for what is left of the period, less what
 * was paid for it. Nothing is given back. `left` in ms.
 */
export function changeCharge(oldCents: number, newCents: number, left: Share): number {
  return newCents <= oldCents ? 0 : shareOf(newCents - oldCents, left);
}

/** What a plan change costs that begins a new period at once: its price, less what is left of the one before. `left` in ms. */
export function restartCharge(oldCents: number, newCents: number, { part, whole }: Share): number {
  const due = BigInt(newCents) * BigInt(whole) - BigInt(oldCents) * BigInt(part);
  return due <= 0n ? 0 : roundHalfUp(due, BigInt(whole));
}

/** Whether a plan costs at least as much a year as another (decisions, section 7). */
export function isUpgrade(from: Price, to: Price): boolean {
  return yearlyCents(to, from) >= yearlyCents(from, to);
}

/** The yearly amount, made whole by the other's denominators: of use in a comparison only. */
function yearlyCents(price: Price, other: Price): bigint {
  const { part } = PER_YEAR[price.interval];
  const { whole } = PER_YEAR[other.interval];
  return BigInt(price.amountCents) * BigInt(part) * BigInt(whole) * BigInt(other.intervalCount);
}

function roundHalfUp(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator));
}
