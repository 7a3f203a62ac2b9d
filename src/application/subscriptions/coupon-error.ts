import { ApiError } from '../../domain/shared/errors';
import type { CouponRefusal } from '../../domain/subscriptions/coupon';

const MESSAGES: Readonly<Record<CouponRefusal, string>> = {
  coupon_not_found: 'There is no such coupon.',
  coupon_inactive: 'The coupon is not active.',
  coupon_not_started: 'The coupon cannot be used yet.',
  coupon_expired: 'The coupon has expired.',
  coupon_exhausted: 'The coupon has no redemptions left.',
};

/** The API error for a coupon that cannot be redeemed. */
export function couponError(problem: CouponRefusal): ApiError {
  return new ApiError(problem, MESSAGES[problem]);
}
