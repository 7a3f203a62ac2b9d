import type { Fraction, Interval, Recurrence } from './billing-calendar';

/** An amount in cents and how often it is charged. */
export interface Price extends Recurrence {
  readonly amountCents: number;
}

/** Smaller charges are waived, because gateways do not accept them. */
export const MIN_CHARGE_CENTS = 100;

/** Intervals per year. */
const PER_YEAR: Readonly<Record<Interval, Fraction>> = {
  daily: { numerator: 365, denominator: 1 },
  weekly: { numerator: 365, denominator: 7 },
  monthly: { numerator: 12, denominator: 1 },
  yearly: { numerator: 1, denominator: 1 },
};

/** The amount to charge for a computed total: 0 if the total is below the minimum. See docs/decisions/subscriptions.md. */
export function chargeableCents(totalCents: number): number {
  return totalCents < MIN_CHARGE_CENTS ? 0 : totalCents;
}

/** A fraction of a non-negative amount, in cents, rounded half up. */
export function fractionOf(amountCents: number, { numerator, denominator }: Fraction): number {
  return roundHalfUp(BigInt(amountCents) * BigInt(numerator), BigInt(denominator));
}

/**
 * The proration, in cents, of an immediate plan change that keeps the billing dates: the price difference for the rest
 * of the period. A cheaper plan is never refunded. `left` is in ms.
 */
export function prorationCents(oldCents: number, newCents: number, left: Fraction): number {
  return newCents <= oldCents ? 0 : fractionOf(newCents - oldCents, left);
}

/**
 * The charge, in cents, for a plan change that starts a new period: the new price less the credit for the unused part of
 * the old period. `left` is in ms.
 */
export function restartChargeCents(oldCents: number, newCents: number, left: Fraction): number {
  const [numerator, denominator] = [BigInt(left.numerator), BigInt(left.denominator)];
  const due = BigInt(newCents) * denominator - BigInt(oldCents) * numerator;
  return due <= 0n ? 0 : roundHalfUp(due, denominator);
}

/** Whether `to` costs at least as much per year as `from`. See docs/decisions/subscriptions.md. */
export function isUpgrade(from: Price, to: Price): boolean {
  return yearlyCents(to, from) >= yearlyCents(from, to);
}

/** The yearly amount scaled by the other price's denominators, so that both are integers. Only for comparison. */
function yearlyCents(price: Price, other: Price): bigint {
  const { numerator } = PER_YEAR[price.interval];
  const { denominator } = PER_YEAR[other.interval];
  return BigInt(price.amountCents) * BigInt(numerator) * BigInt(denominator) * BigInt(other.intervalCount);
}

function roundHalfUp(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator));
}
