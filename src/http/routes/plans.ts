import type { CreateOnce } from '../../application/shared/create-once';
import type { Plans } from '../../application/subscriptions/plans';
import { userInitiator, apiKeyInitiator, type Initiator } from '../../domain/companies/audit-actor';
import type { Change } from '../../domain/shared/change';
import type { PlanDetails } from '../../domain/subscriptions/plan';
import { presentPage } from '../../presenters/page';
import { presentPlan } from '../../presenters/plan';
import type { components } from '../generated/openapi';
import type { RouteHandlers, RouteRequest } from '../server/route';
import { answerCreation } from './creation';
import { pageRequest } from './page-request';

type Schemas = components['schemas'];

export interface PlanRouteDeps {
  readonly plans: Plans;
  readonly createOnce: CreateOnce;
}

type PlanRouteId = 'createPlan' | 'listPlans' | 'getPlan' | 'updatePlan' | 'deletePlan';
type UserPlanRouteId =
  | 'createUserPlan'
  | 'listUserPlans'
  | 'getUserPlan'
  | 'updateUserPlan'
  | 'deleteUserPlan';

/** The same routes for API keys and for users. */
export function planRoutes({
  plans,
  createOnce,
}: PlanRouteDeps): Pick<RouteHandlers, PlanRouteId | UserPlanRouteId> {
  const create = (initiator: Initiator, request: RouteRequest<'createPlan'>) =>
    answerCreation(createOnce, request, () => plans.create(initiator, detailsOf(request.body)), {
      status: 201,
      present: (plan) => ({ data: presentPlan(plan) }),
    });
  const list = async ({ company, query }: RouteRequest<'listPlans'>) => {
    const page = pageRequest(query);
    const found = await plans.list(company.id, { isActive: query.is_active }, page);
    return { status: 200, body: presentPage(found, page, presentPlan) };
  };
  const get = async ({ company, params }: RouteRequest<'getPlan'>) => ({
    status: 200,
    body: { data: presentPlan(await plans.get(company.id, params.uuid)) },
  });
  const update = async (initiator: Initiator, id: string, body: Schemas['PlanChange']) => {
    const changed = await plans.change(initiator, id, changeOf(body));
    return { status: 200, body: { data: presentPlan(changed) } };
  };
  const deactivate = async (initiator: Initiator, id: string) => {
    await plans.deactivate(initiator, id);
    return { status: 204 };
  };
  return {
    createPlan: (request) => create(apiKeyInitiator(request), request),
    createUserPlan: (request) => create(userInitiator(request), request),
    listPlans: list,
    listUserPlans: list,
    getPlan: get,
    getUserPlan: get,
    updatePlan: (request) => update(apiKeyInitiator(request), request.params.uuid, request.body),
    updateUserPlan: (request) => update(userInitiator(request), request.params.uuid, request.body),
    deletePlan: (request) => deactivate(apiKeyInitiator(request), request.params.uuid),
    deleteUserPlan: (request) => deactivate(userInitiator(request), request.params.uuid),
  };
}

function detailsOf(body: Schemas['PlanRequest']): PlanDetails {
  return {
    name: body.name,
    description: body.description ?? null,
    amountCents: body.amount,
    currency: body.currency,
    interval: body.interval,
    intervalCount: body.interval_count,
    trialPeriodDays: body.trial_period_days,
    billingDay: body.billing_day ?? null,
    minCardMonths: body.min_card_months,
    isActive: body.is_active,
  };
}

function changeOf(body: Schemas['PlanChange']): Change<PlanDetails> {
  return {
    name: body.name,
    description: body.description,
    amountCents: body.amount,
    currency: body.currency,
    interval: body.interval,
    intervalCount: body.interval_count,
    trialPeriodDays: body.trial_period_days,
    billingDay: body.billing_day,
    minCardMonths: body.min_card_months,
    isActive: body.is_active,
  };
}
