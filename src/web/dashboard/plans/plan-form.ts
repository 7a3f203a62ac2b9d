import { unwrapBody, api, type Schema } from '../../api/client';
import { changedFields } from '../shared/changed-fields';
import type { Plan } from './queries';

/** Named like the API's fields, so that API errors map to form fields. */
export interface PlanForm {
  name: string;
  description: string;
  /** In cents. */
  amount: number | null;
  currency: string;
  interval: Plan['interval'];
  interval_count: number | string;
  trial_period_days: number | string;
  billing_day: number | string;
  min_card_months: number | string;
  is_active: boolean;
}

export const NEW_PLAN: PlanForm = {
  name: '',
  description: '',
  amount: null,
  currency: 'BRL',
  interval: 'monthly',
  interval_count: 1,
  trial_period_days: 0,
  billing_day: '',
  min_card_months: 0,
  is_active: true,
};

export function formOf({ description, billing_day, ...plan }: Plan): PlanForm {
  const { name, amount, currency, interval, interval_count, trial_period_days, min_card_months, is_active } =
    plan;
  return {
    name,
    description: description ?? '',
    amount,
    currency,
    interval,
    interval_count,
    trial_period_days,
    billing_day: billing_day ?? '',
    min_card_months,
    is_active,
  };
}

function requestOf(form: PlanForm): Schema<'PlanRequest'> {
  return {
    ...form,
    amount: form.amount ?? 0,
    description: form.description.trim() === '' ? null : form.description,
    interval_count: Number(form.interval_count),
    trial_period_days: Number(form.trial_period_days),
    billing_day: form.billing_day === '' ? null : Number(form.billing_day),
    min_card_months: Number(form.min_card_months),
  };
}

/** Creates a plan, or sends only the changed fields of an existing one. */
export async function savePlan(plan: Plan | undefined, form: PlanForm): Promise<void> {
  const body = requestOf(form);
  if (plan === undefined) {
    await unwrapBody(api.POST('/user/plans', { body }));
    return;
  }
  const params = { path: { uuid: plan.id } };
  await unwrapBody(api.PATCH('/user/plans/{uuid}', { params, body: changedFields(body, plan) }));
}
