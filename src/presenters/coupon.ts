import { validity, type Coupon, type CouponDetails } from '../domain/subscriptions/coupon';
import type { components } from '../http/generated/openapi';

type WireCoupon = components['schemas']['Coupon'];

/** Its days are the company's; they are shown as instants in UTC. */
export function presentCoupon(coupon: Coupon, timezone: string): WireCoupon {
  const { from, until } = validity(coupon, timezone);
  return {
    id: coupon.uuid,
    ...presentCouponDetails(coupon),
    redemptions_count: coupon.redemptionsCount,
    valid_from: from.toISOString(),
    valid_until: until && until.toISOString(),
    created_at: coupon.createdAt.toISOString(),
  };
}

/** What its company says of it, as requests say it: dates are days. */
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
