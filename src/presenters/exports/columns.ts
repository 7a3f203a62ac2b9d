import { maskDocument } from '../../domain/customers/document';
import type { SplitAllocation } from '../../domain/payments/split';
import type { AttemptPurpose, AttemptStatus } from '../../domain/payments/payment';
import type { CsvColumn } from './csv';
import { presentAttemptStatus, type PresentablePayment } from '../payment';
import { presentSubscription, type PresentableSubscription } from '../subscription';
import { presentEvent, type PresentableEvent } from '../webhook';

/*
 * The columns of each export. An interrupted download resumes after the value of the first one. New columns are added at
 * the end.
 */

type ExportedPayment = PresentablePayment & { readonly lastGateway: string | null };

export const PAYMENT_COLUMNS: readonly CsvColumn<ExportedPayment>[] = [
  ['transaction_id', ({ transactionId }) => transactionId],
  ['created_at', ({ createdAt }) => createdAt],
  ['updated_at', ({ updatedAt }) => updatedAt],
  ['status', ({ status }) => status],
  ['code', ({ code }) => code],
  ['message', ({ message }) => message],
  ['payment_method', ({ paymentMethod }) => paymentMethod],
  ['gateway', ({ lastGateway }) => lastGateway],
  ['currency', ({ currency }) => currency],
  ['amount', ({ amountCents }) => amountCents],
  ['captured_amount', ({ capturedAmountCents }) => capturedAmountCents],
  ['refunded_amount', ({ refundedAmountCents }) => refundedAmountCents],
  ['paid_amount', ({ paidAmountCents }) => paidAmountCents],
  ['interest_amount', ({ interestCents }) => interestCents],
  ['installments', ({ installments }) => installments],
  ['attempts', ({ attempts }) => attempts],
  ['merchant_order_id', ({ merchantOrderId }) => merchantOrderId],
  ['subscription_id', ({ subscriptionId }) => subscriptionId],
  ['card_brand', ({ card }) => card?.brand],
  ['card_last_4_digits', ({ card }) => card?.last4Digits],
  ['customer_token', ({ customer }) => customer.token],
  ['customer_name', ({ customer }) => customer.name],
  ['customer_email', ({ customer }) => customer.email],
  ['customer_document', ({ customer }) => customer.document && maskDocument(customer.document)],
  ['metadata', ({ metadata }) => metadata && JSON.stringify(metadata)],
];

/** An operation at a gateway with what is shown of its payment. */
interface PresentableOperation {
  readonly id: string;
  readonly transactionId: string;
  readonly merchantOrderId: string;
  readonly subscriptionId: string | null;
  readonly operation: string;
  readonly purpose: AttemptPurpose;
  readonly status: AttemptStatus;
  readonly amountCents: number;
  readonly currency: string;
  readonly gatewaySlug: string;
  readonly gatewayTransactionId: string | null;
  readonly reason: string | null;
  readonly responseCode: string | null;
  readonly responseMessage: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const REFUND_COLUMNS: readonly CsvColumn<PresentableOperation>[] = [
  ['refund_id', ({ id }) => id],
  ['created_at', ({ createdAt }) => createdAt],
  ['updated_at', ({ updatedAt }) => updatedAt],
  ['transaction_id', ({ transactionId }) => transactionId],
  ['merchant_order_id', ({ merchantOrderId }) => merchantOrderId],
  ['subscription_id', ({ subscriptionId }) => subscriptionId],
  ['status', ({ status }) => presentAttemptStatus(status)],
  ['currency', ({ currency }) => currency],
  ['amount', ({ amountCents }) => amountCents],
  ['purpose', ({ purpose }) => purpose],
  ['reason', ({ reason }) => reason],
  ['gateway', ({ gatewaySlug }) => gatewaySlug],
  ['gateway_transaction_id', ({ gatewayTransactionId }) => gatewayTransactionId],
  ['response_code', ({ responseCode }) => responseCode],
  ['response_message', ({ responseMessage }) => responseMessage],
];

interface PresentableSplit {
  readonly operation: PresentableOperation;
  readonly position: number;
  readonly share: SplitAllocation;
}

export const SPLIT_COLUMNS: readonly CsvColumn<PresentableSplit>[] = [
  ['split_id', ({ operation, position }) => `${operation.id}.${position}`],
  ['created_at', ({ operation }) => operation.createdAt],
  ['updated_at', ({ operation }) => operation.updatedAt],
  ['transaction_id', ({ operation }) => operation.transactionId],
  ['merchant_order_id', ({ operation }) => operation.merchantOrderId],
  ['operation', ({ operation }) => operation.operation],
  ['status', ({ operation }) => presentAttemptStatus(operation.status)],
  ['gateway', ({ operation }) => operation.gatewaySlug],
  ['recipient_id', ({ share }) => share.recipientId],
  ['currency', ({ operation }) => operation.currency],
  ['amount', ({ share }) => share.amountCents],
  ['type', ({ share }) => share.type],
  ['liable', ({ share }) => share.liable],
  ['charge_processing_fee', ({ share }) => share.chargeProcessingFee],
];

const SUBSCRIPTION_FIELDS = [
  'subscription_id',
  'created_at',
  'updated_at',
  'status',
  'plan_id',
  'plan_name',
  'currency',
  'amount',
  'original_amount',
  'discount_amount',
  'interval',
  'interval_count',
  'coupon_code',
  'credit_balance',
  'current_period_start',
  'current_period_end',
  'next_billing_at',
  'charge_on_hold_since',
  'paused_at',
  'cancel_at',
  'canceled_at',
  'cancel_reason',
  'customer_token',
  'customer_name',
  'customer_email',
  'customer_document',
  'card_brand',
  'card_last_4_digits',
  'metadata',
] as const;

type SubscriptionCells = ReturnType<typeof subscriptionCells>;

/** A subscription is presented once, and its cells are taken from that. */
export const SUBSCRIPTION_COLUMNS: readonly CsvColumn<SubscriptionCells>[] = SUBSCRIPTION_FIELDS.map(
  (name) => [name, (cells) => cells[name]] as const,
);

export function subscriptionCells(subscription: PresentableSubscription) {
  const body = presentSubscription(subscription);
  const { plan, customer, card, current_period: period } = body;
  return {
    subscription_id: body.id,
    created_at: body.created_at,
    updated_at: body.updated_at,
    status: body.status,
    plan_id: plan.id,
    plan_name: plan.name,
    currency: body.currency,
    amount: body.amount,
    original_amount: body.original_amount,
    discount_amount: body.discount_amount,
    interval: body.interval,
    interval_count: body.interval_count,
    coupon_code: body.coupon?.code,
    credit_balance: body.credit_balance,
    current_period_start: period?.start,
    current_period_end: period?.end,
    next_billing_at: body.next_billing_at,
    charge_on_hold_since: body.charge_on_hold?.since,
    paused_at: body.paused_at,
    cancel_at: body.cancel_at,
    canceled_at: body.canceled_at,
    cancel_reason: body.cancel_reason,
    customer_token: customer.token,
    customer_name: customer.name,
    customer_email: customer.email,
    customer_document: customer.document,
    card_brand: card.brand,
    card_last_4_digits: card.last_4_digits,
    metadata: body.metadata && JSON.stringify(body.metadata),
  } satisfies Record<(typeof SUBSCRIPTION_FIELDS)[number], unknown>;
}

export const EVENT_COLUMNS: readonly CsvColumn<{
  readonly event: PresentableEvent;
  readonly cursor: string;
}>[] = [
  ['cursor', ({ cursor }) => cursor],
  ['event_id', ({ event }) => event.id],
  ['created_at', ({ event }) => event.createdAt],
  ['event', ({ event }) => event.type],
  ['subject_type', ({ event }) => event.subject.type],
  ['subject_id', ({ event }) => event.subject.id],
  ['sequence', ({ event }) => event.sequence],
  ['body', ({ event }) => JSON.stringify(presentEvent(event).body)],
];
