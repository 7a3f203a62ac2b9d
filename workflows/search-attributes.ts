import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  type SearchAttributeType,
} from '@temporalio/common';

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
export const webhookEventKey = defineSearchAttributeKey('WebhookEvent', 'KEYWORD');
export const deliveryStatusKey = defineSearchAttributeKey('DeliveryStatus', 'KEYWORD');

/** What a delivery's workflow starts with, whoever starts it. */
export function deliverySearchAttributes(companyId: number, event: string): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: companyIdKey, value: String(companyId) },
    { key: webhookEventKey, value: event },
    { key: deliveryStatusKey, value: 'pending' },
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
  webhookEventKey,
  deliveryStatusKey,
];
