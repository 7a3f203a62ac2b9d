import { validationError } from '../../domain/shared/errors';
import { parsePlanId } from '../../domain/shared/ids';
import type { PaymentLinkType } from '../../domain/checkout/payment-link';
import type { Plan } from '../../domain/subscriptions/plan';
import { FaultCollector } from '../../domain/shared/validation';
import type { PlanRepository } from '../../persistence/subscriptions/plan-repository';
import type { Tx } from '../../persistence/sql/transaction';
import { NO_PLAN } from '../subscriptions/subscription-request';

export interface OfferDeps {
  readonly plans: PlanRepository;
}

/** What a link, or a session of its own, is to sell. */
export interface OfferRequest {
  readonly type: PaymentLinkType;
  readonly amountCents: number | null;
  /** As it was sent. */
  readonly planId: string | null;
  readonly currency: string | null;
}

interface ReadOffer {
  readonly type: PaymentLinkType;
  readonly amountCents: number | null;
  readonly currency: string;
  readonly plan: Plan | null;
}

/**
 * What is sold: an amount, or an active plan of the company.
 *
 * @throws ApiError `validation_error` on `amount`, `plan_id`, `currency`
 */
export async function readOffer(
  { plans }: OfferDeps,
  tx: Tx,
  companyId: number,
  { type, amountCents, planId, currency }: OfferRequest,
): Promise<ReadOffer> {
  const faults = new FaultCollector();
  if (type === 'one_time') {
    if (amountCents === null) faults.add('amount', 'is required when type is one_time');
    if (planId !== null) faults.add('plan_id', 'is for subscriptions only');
    if (faults.found) throw validationError(faults.errors);
    return { type, amountCents, currency: currency ?? 'BRL', plan: null };
  }
  if (amountCents !== null) faults.add('amount', 'is what the plan says: a subscription has none of its own');
  if (planId === null) faults.add('plan_id', 'is required when type is subscription');
  if (faults.found || planId === null) throw validationError(faults.errors);
  const id = parsePlanId(planId);
  const plan = id && (await plans.lockForUse(tx, companyId, id));
  if (plan === null) throw validationError({ plan_id: [NO_PLAN] });
  if (!plan.isActive) throw validationError({ plan_id: ['the plan is not active'] });
  if (currency !== null && currency !== plan.currency) {
    throw validationError({ currency: [`must be as the plan has it, ${plan.currency}`] });
  }
  return { type, amountCents: null, currency: plan.currency, plan };
}
