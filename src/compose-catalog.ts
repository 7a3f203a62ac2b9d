import { Coupons } from './application/coupons';
import { Plans } from './application/plans';
import type { Parts } from './compose';
import type { CouponOperationsDeps } from './http/routes/coupons';
import type { PlanOperationsDeps } from './http/routes/plans';
import { presentCouponDetails } from './presenters/coupon';
import { presentPlanDetails } from './presenters/plan';

/** What a company sells by subscription, and the coupons for it. */
export function composeCatalog(parts: Parts): PlanOperationsDeps & CouponOperationsDeps {
  return {
    plans: new Plans({ ...parts, present: presentPlanDetails }),
    coupons: new Coupons({ ...parts, present: presentCouponDetails }),
  };
}
