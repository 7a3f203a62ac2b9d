import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { parsePlanId, type PlanId } from '../../domain/shared/ids';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import type { Payer } from '../../domain/shared/purchase-details';
import { FieldErrorCollector, type Validated } from '../../domain/shared/validation';
import { readPayer, type PayerRequest } from '../payments/payer-request';
import {
  readCard,
  readCustomer,
  type CardChoice,
  type CardRequest,
  type CustomerChoice,
  type PaymentRequest,
} from '../payments/payment-request';

/** The body of a creation request, validated against the API contract. */
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
  readonly payer?: PayerRequest | null;
}

/** The body of a card change. */
export interface CardChangeRequest {
  readonly card: CardRequest;
  readonly billing_address?: BillingAddress | null;
  readonly payer?: PayerRequest | null;
}

export type UsedCard = Exclude<CardChoice, { kind: 'none' }>;

/** A creation request after validation. */
export interface ReadSubscriptionRequest {
  readonly planId: PlanId;
  readonly customer: CustomerChoice;
  readonly card: UsedCard;
  readonly payer: Payer;
}

/** Resolves alternatives (token or fields) and checks what the API contract cannot. Returns all errors. `guestId`: of a buyer without a document. */
export function readSubscriptionRequest(
  request: SubscriptionRequest,
  now: Date,
  guestId: string | null = null,
): Validated<ReadSubscriptionRequest> {
  const errors = new FieldErrorCollector();
  const planId = parsePlanId(request.plan_id);
  if (planId === null) errors.add('plan_id', UNKNOWN_PLAN);
  const customer = readCustomer(request.customer, errors, guestId);
  const card = readCard(request.card, now, errors);
  const payer = readPayer(request.payer, errors);
  if (errors.hasErrors || planId === null || customer === null || card === null) {
    return { valid: false, errors: errors.errors };
  }
  return { valid: true, value: { planId, customer, card, payer } };
}

export function readCardChange(
  request: CardChangeRequest,
  now: Date,
): Validated<{ readonly card: UsedCard; readonly payer: Payer }> {
  const errors = new FieldErrorCollector();
  const card = readCard(request.card, now, errors);
  const payer = readPayer(request.payer, errors);
  if (errors.hasErrors || card === null) return { valid: false, errors: errors.errors };
  return { valid: true, value: { card, payer } };
}

export const UNKNOWN_PLAN = 'names no plan of yours';
