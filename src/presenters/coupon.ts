import { validityPeriod, type Coupon, type CouponDetails } from '../domain/subscriptions/coupon';
import type { components } from '../http/generated/openapi';

type WireCoupon = components['schemas']['Coupon'];

/** The validity days, in the company's time zone, are shown as UTC instants. */
export function presentCoupon(coupon: Coupon, timezone: string): WireCoupon {
  const { from, until } = validityPeriod(coupon, timezone);
  return {
    id: coupon.uuid,
    ...presentCouponDetails(coupon),
    redemptions_count: coupon.redemptionsCount,
    valid_from: from.toISOString(),
    valid_until: until && until.toISOString(),
    created_at: coupon.createdAt.toISOString(),
  };
}

/** The fields that the company sets, as in requests: dates are days. */
export function presentCouponDetails(
  coupon: CouponDetails,
): Omit<WireCoupon, 'id' | 'redemptions_count' | 'created_at'> {
  return {
    code: coupon.code,
    name: coupon.name,
    description: coupon.description,
    discount_type: coupon.discountType,
    discount_value: coupon.discountValue,
    max_redemptions: coupon.maxRedemptions,
    max_cycles: coupon.maxCycles,
    valid_from: coupon.validFrom,
    valid_until: coupon.validUntil,
    is_active: coupon.isActive,
  };
}
