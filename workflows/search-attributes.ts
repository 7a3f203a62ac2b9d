import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  type SearchAttributeType,
} from '@temporalio/common';
import type { PaymentToStart } from './messages';

/**
 * What support staff can list workflows by. Set when a workflow starts and as it moves. They are stored unencrypted:
 * no personal data in any of them.
 */
export const companyIdKey = defineSearchAttributeKey('CompanyId', 'KEYWORD');
export const paymentStatusKey = defineSearchAttributeKey('PaymentStatus', 'KEYWORD');
export const paymentMethodKey = defineSearchAttributeKey('PaymentMethod', 'KEYWORD');
export const gatewayKey = defineSearchAttributeKey('Gateway', 'KEYWORD');
export const merchantOrderIdKey = defineSearchAttributeKey('MerchantOrderId', 'KEYWORD');
export const amountCentsKey = defineSearchAttributeKey('AmountCents', 'INT');
export const subscriptionStatusKey = defineSearchAttributeKey('SubscriptionStatus', 'KEYWORD');
export const subscriptionDueAtKey = defineSearchAttributeKey('SubscriptionDueAt', 'DATETIME');
export const webhookEventKey = defineSearchAttributeKey('WebhookEvent', 'KEYWORD');
export const deliveryStatusKey = defineSearchAttributeKey('DeliveryStatus', 'KEYWORD');

/** What a payment's workflow starts with, whoever starts it. */
export function paymentSearchAttributes(payment: PaymentToStart): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: companyIdKey, value: String(payment.companyId) },
    { key: paymentStatusKey, value: 'processing' },
    { key: paymentMethodKey, value: payment.paymentMethod },
    { key: merchantOrderIdKey, value: payment.merchantOrderId },
    { key: amountCentsKey, value: payment.amountCents },
  ]);
}

/** What a delivery's workflow starts with, whoever starts it. */
export function deliverySearchAttributes(companyId: number, event: string): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: companyIdKey, value: String(companyId) },
    { key: webhookEventKey, value: event },
    { key: deliveryStatusKey, value: 'pending' },
  ]);
}

/** What a subscription's workflow starts with, whoever starts it. */
export function subscriptionSearchAttributes(companyId: number, status: string): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: companyIdKey, value: String(companyId) },
    { key: subscriptionStatusKey, value: status },
  ]);
}

export interface SearchAttribute {
  readonly name: string;
  readonly type: SearchAttributeType;
}

export const searchAttributeKeys: readonly SearchAttribute[] = [
  companyIdKey,
  paymentStatusKey,
  paymentMethodKey,
  gatewayKey,
  merchantOrderIdKey,
  amountCentsKey,
  subscriptionStatusKey,
  subscriptionDueAtKey,
  webhookEventKey,
  deliveryStatusKey,
];
