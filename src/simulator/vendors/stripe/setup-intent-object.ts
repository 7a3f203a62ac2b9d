import type { StripeObject } from './refund-object';

export interface SetupIntentRecord {
  readonly id: string;
  /** Of the secret key that created it. */
  readonly account: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly status: 'canceled' | 'requires_action' | 'requires_payment_method' | 'succeeded';
  readonly usage: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The id of its PaymentMethod; null after a decline. */
  readonly method: string | null;
  /** Why the issuer declined. */
  readonly error: StripeObject | null;
  readonly cancellationReason: string | null;
}

/** https://docs.stripe.com/api/setup_intents/object */
export function setupIntentObject(intent: SetupIntentRecord): StripeObject {
  const { id, created, status, usage, description, metadata, method, error, cancellationReason } = intent;
  return {
    id,
    object: 'setup_intent',
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: cancellationReason,
    client_secret: `${id}_secret_fake`,
    created,
    customer: null,
    customer_account: null,
    description,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: error,
    latest_attempt: id.replace('seti_', 'setatt_'),
    livemode: false,
    mandate: null,
    metadata,
    // The content is only for Stripe's own libraries: https://docs.stripe.com/api/setup_intents/object#setup_intent_object-next_action
    next_action: status === 'requires_action' ? { type: 'use_stripe_sdk', use_stripe_sdk: {} } : null,
    on_behalf_of: null,
    payment_method: method,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    single_use_mandate: null,
    status,
    usage,
  };
}
