import { changedFieldNames } from '../shared/change';
import { daysIn } from '../time/day-range';
import type { FieldErrors } from '../shared/errors';
import type { CouponId } from '../shared/ids';
import { fractionOf } from './proration';
import { dateIn } from '../time/timezone';
import { FieldErrorCollector } from '../shared/validation';

export type DiscountType = 'percentage' | 'fixed';

export interface Discount {
  readonly discountType: DiscountType;
  /** Percent, 1 to 100, or cents. */
  readonly discountValue: number;
  /** Number of paid cycles it discounts; null for all. */
  readonly maxCycles: number | null;
}

/** What decides whether a coupon can be redeemed. Dates are days (Y-m-d) in the company's time zone, both inclusive. */
export interface CouponTerms {
  readonly isActive: boolean;
  readonly validFrom: string;
  readonly validUntil: string | null;
  readonly maxRedemptions: number | null;
  readonly redemptionsCount: number;
}

/** The fields of a coupon that the company sets. */
export interface CouponDetails extends Discount, Omit<CouponTerms, 'redemptionsCount'> {
  /** Entered by customers; case-sensitive. */
  readonly code: string;
  readonly name: string;
  readonly description: string | null;
}

export interface Coupon extends CouponDetails, CouponTerms {
  /** Primary key; never shown by the API. */
  readonly id: number;
  /** Its id in the API. */
  readonly uuid: CouponId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type CouponProblem = 'coupon_inactive' | 'coupon_not_started' | 'coupon_expired' | 'coupon_exhausted';

/** Why a coupon code cannot be redeemed. */
export type CouponRefusal = CouponProblem | 'coupon_not_found';

/** Why the coupon cannot be redeemed at an instant; null if it can. */
export function couponProblem(coupon: CouponTerms, at: Date, timezone: string): CouponProblem | null {
  const today = dateIn(timezone, at);
  if (!coupon.isActive) return 'coupon_inactive';
  if (today < coupon.validFrom) return 'coupon_not_started';
  if (coupon.validUntil !== null && today > coupon.validUntil) return 'coupon_expired';
  const { maxRedemptions, redemptionsCount } = coupon;
  return maxRedemptions !== null && redemptionsCount >= maxRedemptions ? 'coupon_exhausted' : null;
}

/** The first and last instants at which a coupon can be redeemed. `until` is null if it does not expire. */
export function validityPeriod(
  { validFrom, validUntil }: Pick<CouponTerms, 'validFrom' | 'validUntil'>,
  timezone: string,
): { readonly from: Date; readonly until: Date | null } {
  const { from, to } = daysIn(timezone, validFrom, validUntil ?? undefined);
  return { from, until: validUntil === null ? null : new Date(to.getTime() - 1) };
}

/** Errors that involve several fields of a coupon; null if there are none. */
export function couponErrors({
  discountType,
  discountValue,
  validFrom,
  validUntil,
}: CouponDetails): FieldErrors | null {
  const errors = new FieldErrorCollector();
  if (discountType === 'percentage' && discountValue > 100) {
    errors.add('discount_value', 'must be 1 to 100 when discount_type is percentage');
  }
  if (validUntil !== null && validUntil <= validFrom) errors.add('valid_until', 'must be after valid_from');
  return errors.hasErrors ? errors.errors : null;
}

const IMMUTABLE_FIELDS = {
  code: 'code',
  discount_type: 'discountType',
  discount_value: 'discountValue',
} as const satisfies Record<string, keyof CouponDetails>;

/** Errors on immutable fields that a change would modify, by the API's field names; null if there are none. */
export function immutableFieldErrors(before: CouponDetails, after: CouponDetails): FieldErrors | null {
  const names = changedFieldNames<CouponDetails>(IMMUTABLE_FIELDS, before, after);
  if (names.length === 0) return null;
  return Object.fromEntries(names.map((name) => [name, ['never changes: make another coupon']]));
}

/** The discount on an amount, in cents; at most the amount. Percentages are rounded half up. */
export function discountCents({ discountType, discountValue }: Discount, amountCents: number): number {
  if (discountType === 'fixed') return Math.min(discountValue, amountCents);
  return fractionOf(amountCents, { numerator: discountValue, denominator: 100 });
}

/** Whether the discount still applies after `cyclesUsed` paid cycles. */
export function isUsable({ maxCycles }: Discount, cyclesUsed: number): boolean {
  return maxCycles === null || cyclesUsed < maxCycles;
}
