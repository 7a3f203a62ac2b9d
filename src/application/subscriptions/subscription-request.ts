import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { parsePlanId, type PlanId } from '../../domain/shared/ids';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import { FaultCollector, type Validated } from '../../domain/shared/validation';
import {
  readCard,
  readCustomer,
  type CardChoice,
  type CardRequest,
  type CustomerChoice,
  type PaymentRequest,
} from '../payments/payment-request';

/** The body of a subscription's creation, as the contract has let it through (decisions, section 7). */
export interface SubscriptionRequest {
  readonly plan_id: string;
  readonly customer: PaymentRequest['customer'];
  readonly card: CardRequest;
  readonly billing_address?: BillingAddress | null;
  readonly coupon_code?: string | null;
  readonly billing_day?: number | null;
  readonly trial_period_days?: number | null;
  readonly gateway_first_try?: GatewaySlug | null;
  readonly metadata?: Record<string, unknown>[] | null;
}

/** The body of a change of card. */
export interface CardChangeRequest {
  readonly card: CardRequest;
  readonly billing_address?: BillingAddress | null;
}

export type UsedCard = Exclude<CardChoice, { kind: 'none' }>;

/** What a request asks for, once it makes sense. */
export interface ReadSubscriptionRequest {
  readonly planId: PlanId;
  readonly customer: CustomerChoice;
  readonly card: UsedCard;
}

/** Picks between the request's alternatives (token or fields) and checks what the contract cannot; every fault is named. */
export function readSubscriptionRequest(
  request: SubscriptionRequest,
  now: Date,
): Validated<ReadSubscriptionRequest> {
  const faults = new FaultCollector();
  const planId = parsePlanId(request.plan_id);
  if (planId === null) faults.add('plan_id', NO_PLAN);
  const customer = readCustomer(request.customer, faults);
  const card = readCard(request.card, now, faults);
  if (faults.found || planId === null || customer === null || card === null) {
    return { valid: false, errors: faults.errors };
  }
  return { valid: true, value: { planId, customer, card } };
}

export function readCardChange(request: CardChangeRequest, now: Date): Validated<UsedCard> {
  const faults = new FaultCollector();
  const card = readCard(request.card, now, faults);
  if (faults.found || card === null) return { valid: false, errors: faults.errors };
  return { valid: true, value: card };
}

export const NO_PLAN = 'names no plan of yours';
