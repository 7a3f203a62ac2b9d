import { EMPTY_BILLING } from './charge-object';
import type { IntentData } from './record';
import type { StripeObject } from './refund-object';

export type CardFacts = NonNullable<IntentData['card']>;

/** https://docs.stripe.com/api/payment_methods/object. `details` are those of its type. */
export function paymentMethodObject(method: {
  readonly id: string | null;
  readonly type: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly details: StripeObject;
}): StripeObject {
  const { id, type, created, metadata, details } = method;
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: EMPTY_BILLING,
    [type]: details,
    created,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata,
    type,
  };
}

export function cardObject({ brand, last4, exp_month, exp_year }: CardFacts): StripeObject {
  return {
    brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'unchecked' },
    country: 'BR',
    display_brand: brand,
    exp_month,
    exp_year,
    fingerprint: null,
    funding: 'credit',
    generated_from: null,
    last4,
    networks: { available: [brand], preferred: null },
    regulated_status: null,
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}
