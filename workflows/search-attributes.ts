import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  type SearchAttributeType,
} from '@temporalio/common';
import type { PaymentToStart } from './messages';

/**
 * The search attributes of the workflow list. They are stored unencrypted, so they must not contain personal data.
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

/** The initial search attributes of a payment's workflow. */
export function paymentSearchAttributes(payment: PaymentToStart): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: companyIdKey, value: String(payment.companyId) },
    { key: paymentStatusKey, value: 'processing' },
    { key: paymentMethodKey, value: payment.paymentMethod },
    { key: merchantOrderIdKey, value: payment.merchantOrderId },
    { key: amountCentsKey, value: payment.amountCents },
  ]);
}

/** The initial search attributes of a delivery's workflow. It has a status once it has failed. */
export function deliverySearchAttributes(companyId: number, event: string): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: companyIdKey, value: String(companyId) },
    { key: webhookEventKey, value: event },
  ]);
}

/** The initial search attributes of a subscription's workflow. */
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
