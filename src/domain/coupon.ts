import { shareOf } from './proration';
import { dateIn } from './timezone';

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

export type CouponProblem = 'coupon_inactive' | 'coupon_not_started' | 'coupon_expired' | 'coupon_exhausted';

/** Why a coupon cannot be redeemed at an instant, or null. */
export function couponProblem(coupon: CouponTerms, at: Date, timezone: string): CouponProblem | null {
  const today = dateIn(timezone, at);
  if (!coupon.isActive) return 'coupon_inactive';
  if (today < coupon.validFrom) return 'coupon_not_started';
  if (coupon.validUntil !== null && today > coupon.validUntil) return 'coupon_expired';
  const { maxRedemptions, redemptionsCount } = coupon;
  return maxRedemptions !== null && redemptionsCount >= maxRedemptions ? 'coupon_exhausted' : null;
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
