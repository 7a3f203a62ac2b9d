import type { Plan, PlanDetails } from '../domain/subscriptions/plan';
import type { components } from '../http/generated/openapi';

type WirePlan = components['schemas']['Plan'];

export function presentPlan(plan: Plan): WirePlan {
  return {
    id: plan.uuid,
    ...presentPlanDetails(plan),
    created_at: plan.createdAt.toISOString(),
    updated_at: plan.updatedAt.toISOString(),
  };
}

/** The fields that the company sets. */
export function presentPlanDetails(plan: PlanDetails): Omit<WirePlan, 'id' | 'created_at' | 'updated_at'> {
  return {
    name: plan.name,
    description: plan.description,
    amount: plan.amountCents,
    currency: plan.currency,
    interval: plan.interval,
    interval_count: plan.intervalCount,
    trial_period_days: plan.trialPeriodDays,
    billing_day: plan.billingDay,
    min_card_months: plan.minCardMonths,
    is_active: plan.isActive,
  };
}
