import { differing } from '../shared/change';
import { daysIn } from '../time/day-range';
import type { FieldErrors } from '../shared/errors';
import type { CouponId } from '../shared/ids';
import { shareOf } from './proration';
import { dateIn } from '../time/timezone';
import { FaultCollector } from '../shared/validation';

export type DiscountType = 'percentage' | 'fixed';

export interface Discount {
  readonly discountType: DiscountType;
  /** Percent, 1 to 100, or cents. */
  readonly discountValue: number;
  /** How many paid cycles it is taken off; null for ever. */
  readonly maxCycles: number | null;
}

/** What decides whether a coupon can be redeemed. Dates are days in the company's zone, Y-m-d, both inclusive. */
export interface CouponTerms {
  readonly isActive: boolean;
  readonly validFrom: string;
  readonly validUntil: string | null;
  readonly maxRedemptions: number | null;
  readonly redemptionsCount: number;
}

/** What a company says of a coupon. */
export interface CouponDetails extends Discount, Omit<CouponTerms, 'redemptionsCount'> {
  /** What customers enter, to the letter. */
  readonly code: string;
  readonly name: string;
  readonly description: string | null;
}

export interface Coupon extends CouponDetails, CouponTerms {
  /** Its inner number. */
  readonly id: number;
  /** What the API names it by. */
  readonly uuid: CouponId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type CouponProblem = 'coupon_inactive' | 'coupon_not_started' | 'coupon_expired' | 'coupon_exhausted';

/** Why a code cannot be redeemed. */
export type CouponRefusal = CouponProblem | 'coupon_not_found';

/** Why a coupon cannot be redeemed at an instant, or null. */
export function couponProblem(coupon: CouponTerms, at: Date, timezone: string): CouponProblem | null {
  const today = dateIn(timezone, at);
  if (!coupon.isActive) return 'coupon_inactive';
  if (today < coupon.validFrom) return 'coupon_not_started';
  if (coupon.validUntil !== null && today > coupon.validUntil) return 'coupon_expired';
  const { maxRedemptions, redemptionsCount } = coupon;
  return maxRedemptions !== null && redemptionsCount >= maxRedemptions ? 'coupon_exhausted' : null;
}

/** The first and the last instant at which a coupon can be redeemed; it may have no last. */
export function validity(
  { validFrom, validUntil }: Pick<CouponTerms, 'validFrom' | 'validUntil'>,
  timezone: string,
): { readonly from: Date; readonly until: Date | null } {
  const { from, to } = daysIn(timezone, validFrom, validUntil ?? undefined);
  return { from, until: validUntil === null ? null : new Date(to.getTime() - 1) };
}

/** What is wrong with a coupon although each of its fields is well formed; null when nothing is. */
export function couponFaults({
  discountType,
  discountValue,
  validFrom,
  validUntil,
}: CouponDetails): FieldErrors | null {
  const faults = new FaultCollector();
  if (discountType === 'percentage' && discountValue > 100) {
    faults.add('discount_value', 'must be 1 to 100 when discount_type is percentage');
  }
  if (validUntil !== null && validUntil <= validFrom) faults.add('valid_until', 'must be after valid_from');
  return faults.found ? faults.errors : null;
}

const DISCOUNT = {
  code: 'code',
  discount_type: 'discountType',
  discount_value: 'discountValue',
} as const satisfies Record<string, keyof CouponDetails>;

/** What a change makes of a coupon that only another coupon can be, by the API's names; null when nothing. */
export function immutableFaults(before: CouponDetails, after: CouponDetails): FieldErrors | null {
  const names = differing<CouponDetails>(DISCOUNT, before, after);
  if (names.length === 0) return null;
  return Object.fromEntries(names.map((name) => [name, ['never changes: make another coupon']]));
}

/** What is taken off an amount, in cents: never more than it. Percentages round half up. */
export function discountCents({ discountType, discountValue }: Discount, amountCents: number): number {
  if (discountType === 'fixed') return Math.min(discountValue, amountCents);
  return shareOf(amountCents, { part: discountValue, whole: 100 });
}

/** Whether it still counts after so many paid cycles. */
export function isUsable({ maxCycles }: Discount, cyclesUsed: number): boolean {
  return maxCycles === null || cyclesUsed < maxCycles;
}
