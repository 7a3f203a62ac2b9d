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

/** A fraction of a non-negative amount, in cents, rounded half up. */
export function fractionOf(amountCents: number, { numerator, denominator }: Fraction): number {
  return roundHalfUp(BigInt(amountCents) * BigInt(numerator), BigInt(denominator));
}

/** What a plan change costs, in cents: a total to pay, or paid value that is left over. At least one of them is 0. */
export interface ChangeCost {
  readonly totalCents: number;
  readonly leftOverCents: number;
}

/**
 * The cost of an immediate plan change that keeps the billing dates: the price difference for the rest of the period.
 * `paidCents` is the value of the whole period, `left` is in ms.
 */
export function prorationCost(paidCents: number, newCents: number, left: Fraction): ChangeCost {
  return newCents >= paidCents
    ? { totalCents: fractionOf(newCents - paidCents, left), leftOverCents: 0 }
    : { totalCents: 0, leftOverCents: fractionOf(paidCents - newCents, left) };
}

/** The cost of a plan change that starts a new period: the new price less the unused value of the old period. */
export function restartCost(paidCents: number, newCents: number, left: Fraction): ChangeCost {
  const [numerator, denominator] = [BigInt(left.numerator), BigInt(left.denominator)];
  const due = BigInt(newCents) * denominator - BigInt(paidCents) * numerator;
  return due >= 0n
    ? { totalCents: roundHalfUp(due, denominator), leftOverCents: 0 }
    : { totalCents: 0, leftOverCents: roundHalfUp(-due, denominator) };
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
