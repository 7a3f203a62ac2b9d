import { validationError } from '../../domain/shared/errors';
import { parsePlanId } from '../../domain/shared/ids';
import type { PaymentLinkType } from '../../domain/checkout/payment-link';
import type { Plan } from '../../domain/subscriptions/plan';
import { FieldErrorCollector } from '../../domain/shared/validation';
import type { PlanRepository } from '../../persistence/subscriptions/plan-repository';
import type { Tx } from '../../persistence/sql/transaction';
import { UNKNOWN_PLAN } from '../subscriptions/subscription-request';

export interface OfferDeps {
  readonly plans: PlanRepository;
}

/** The offer of a new link, or of a session without a link. */
export interface OfferRequest {
  readonly type: PaymentLinkType;
  readonly amountCents: number | null;
  /** The plan's id as the request sent it, not yet parsed. */
  readonly planId: string | null;
  readonly currency: string | null;
}

/** The validation message for an amount on the offer of a subscription. */
export const PLAN_SETS_AMOUNT = 'is set by the plan: a subscription has no amount of its own';

interface ReadOffer {
  readonly type: PaymentLinkType;
  readonly amountCents: number | null;
  readonly currency: string;
  readonly plan: Plan | null;
}

/**
 * Validates an offer: an amount, or an active plan of the company.
 *
 * @throws ApiError `validation_error` on `amount`, `plan_id`, `currency`
 */
export async function readOffer(
  { plans }: OfferDeps,
  tx: Tx,
  companyId: number,
  { type, amountCents, planId, currency }: OfferRequest,
): Promise<ReadOffer> {
  const fieldErrors = new FieldErrorCollector();
  if (type === 'one_time') {
    if (amountCents === null) fieldErrors.add('amount', 'is required when type is one_time');
    if (planId !== null) fieldErrors.add('plan_id', 'is for subscriptions only');
    if (fieldErrors.hasErrors) throw validationError(fieldErrors.errors);
    return { type, amountCents, currency: currency ?? 'BRL', plan: null };
  }
  if (amountCents !== null) fieldErrors.add('amount', PLAN_SETS_AMOUNT);
  if (planId === null) fieldErrors.add('plan_id', 'is required when type is subscription');
  if (fieldErrors.hasErrors || planId === null) throw validationError(fieldErrors.errors);
  const id = parsePlanId(planId);
  const plan = id && (await plans.lockForUse(tx, companyId, id));
  if (plan === null) throw validationError({ plan_id: [UNKNOWN_PLAN] });
  if (!plan.isActive) throw validationError({ plan_id: ['the plan is not active'] });
  if (currency !== null && currency !== plan.currency) {
    throw validationError({ currency: [`must be as the plan has it, ${plan.currency}`] });
  }
  return { type, amountCents: null, currency: plan.currency, plan };
}
