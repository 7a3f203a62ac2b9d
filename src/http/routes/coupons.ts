import type { CreateOnce } from '../../application/shared/create-once';
import type { Coupons } from '../../application/subscriptions/coupons';
import { userInitiator, apiKeyInitiator, type Initiator } from '../../domain/companies/audit-actor';
import type { Change } from '../../domain/shared/change';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { CouponDetails } from '../../domain/subscriptions/coupon';
import { presentCoupon } from '../../presenters/coupon';
import { presentPage } from '../../presenters/page';
import type { components } from '../generated/openapi';
import type { RouteHandlers, RouteRequest } from '../server/route';
import { answerCreation } from './creation';
import { pageRequest } from './page-request';

type Schemas = components['schemas'];

export interface CouponRouteDeps {
  readonly coupons: Coupons;
  readonly createOnce: CreateOnce;
}

type CouponRouteId = 'createCoupon' | 'listCoupons' | 'getCoupon' | 'updateCoupon' | 'deleteCoupon';
type UserCouponRouteId =
  | 'createUserCoupon'
  | 'listUserCoupons'
  | 'getUserCoupon'
  | 'updateUserCoupon'
  | 'deleteUserCoupon';

type CompanyTimezone = Pick<AuthenticatedCompany, 'timezone'>;

/** The same routes for API keys and for users. */
export function couponRoutes({
  coupons,
  createOnce,
}: CouponRouteDeps): Pick<RouteHandlers, CouponRouteId | UserCouponRouteId> {
  const create = (initiator: Initiator, request: RouteRequest<'createCoupon'>) =>
    answerCreation(createOnce, request, () => coupons.create(initiator, detailsOf(request.body)), {
      status: 201,
      present: (coupon) => ({ data: presentCoupon(coupon, request.company.timezone) }),
    });
  const list = async ({ company, query }: RouteRequest<'listCoupons'>) => {
    const page = pageRequest(query);
    const { is_active: isActive, code } = query;
    const found = await coupons.list(company.id, { isActive, code }, page);
    const body = presentPage(found, page, (coupon) => presentCoupon(coupon, company.timezone));
    return { status: 200, body };
  };
  const get = async ({ company, params }: RouteRequest<'getCoupon'>) => {
    const found = await coupons.get(company.id, params.uuid);
    return { status: 200, body: { data: presentCoupon(found, company.timezone) } };
  };
  const update = async (
    initiator: Initiator,
    { timezone }: CompanyTimezone,
    id: string,
    body: Schemas['CouponChange'],
  ) => {
    const changed = await coupons.change(initiator, id, changeOf(body));
    return { status: 200, body: { data: presentCoupon(changed, timezone) } };
  };
  const deactivate = async (initiator: Initiator, id: string) => {
    await coupons.deactivate(initiator, id);
    return { status: 204 };
  };
  return {
    createCoupon: (request) => create(apiKeyInitiator(request), request),
    createUserCoupon: (request) => create(userInitiator(request), request),
    listCoupons: list,
    listUserCoupons: list,
    getCoupon: get,
    getUserCoupon: get,
    updateCoupon: (request) =>
      update(apiKeyInitiator(request), request.company, request.params.uuid, request.body),
    updateUserCoupon: (request) =>
      update(userInitiator(request), request.company, request.params.uuid, request.body),
    deleteCoupon: (request) => deactivate(apiKeyInitiator(request), request.params.uuid),
    deleteUserCoupon: (request) => deactivate(userInitiator(request), request.params.uuid),
  };
}

function detailsOf(body: Schemas['CouponRequest']): CouponDetails {
  return {
    code: body.code,
    name: body.name,
    description: body.description ?? null,
    discountType: body.discount_type,
    discountValue: body.discount_value,
    maxRedemptions: body.max_redemptions ?? null,
    maxCycles: body.max_cycles ?? null,
    validFrom: body.valid_from,
    validUntil: body.valid_until ?? null,
    isActive: true,
  };
}

function changeOf(body: Schemas['CouponChange']): Change<CouponDetails> {
  return {
    code: body.code,
    name: body.name,
    description: body.description,
    discountType: body.discount_type,
    discountValue: body.discount_value,
    maxRedemptions: body.max_redemptions,
    maxCycles: body.max_cycles,
    validFrom: body.valid_from,
    validUntil: body.valid_until,
    isActive: body.is_active,
  };
}
