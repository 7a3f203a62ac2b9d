import { z } from 'zod';
import { MISSING } from './errors';

/** Parameters are texts. `ignored` ones are Stripe's, but change nothing here. */
const ignored = z.unknown().optional();
const ignoring = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, ignored])) as Record<Name, typeof ignored>;

const text = z.string({ error: ({ input }) => (input === undefined ? MISSING : 'must be a string') });
const integer = text.regex(/^-?\d+$/).transform(Number);
const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1');
const list = z.record(z.string(), z.string()).transform((hash) => Object.values(hash));
const expand = list.default([]);

/** https://docs.stripe.com/api/metadata: 50 keys of 40 characters, values of 500. An empty value removes the key. */
const metadata = z
  .union([z.literal(''), z.record(z.string().max(40), z.string().max(500))])
  .transform((value): Readonly<Record<string, string>> => (value === '' ? {} : value))
  .refine((value) => Object.keys(value).length <= 50, 'must have at most 50 keys')
  .default({});

const card = z.strictObject({
  number: text,
  exp_month: integer,
  exp_year: integer,
  cvc: z.string().optional(),
  ...ignoring('networks'),
});

const address = z
  .strictObject({
    city: z.string().optional(),
    country: z.string().optional(),
    line1: z.string().optional(),
    line2: z.string().optional(),
    postal_code: z.string().optional(),
    state: z.string().optional(),
  })
  .optional();
const billingDetails = z
  .strictObject({
    name: z.string().optional(),
    email: z.string().optional(),
    address,
    ...ignoring('phone', 'tax_id'),
  })
  .default({});

/** `POST /v1/payment_methods`, and `payment_method_data` of a PaymentIntent. */
export const paymentMethodParams = z.strictObject({
  type: text.pipe(z.enum(['card', 'boleto', 'pix'])),
  card: card.optional(),
  boleto: z.strictObject({ tax_id: text }).optional(),
  pix: ignored,
  billing_details: billingDetails,
  metadata,
  expand,
  ...ignoring('allow_redisplay', 'customer', 'radar_options'),
});
export type PaymentMethodParams = z.output<typeof paymentMethodParams>;

const methodOptions = z
  .strictObject({
    card: z
      .strictObject({
        // Not in the public reference; Stripe enables it for an account. Source: the driver for PaymentIntents in
        // https://github.com/activemerchant/active_merchant/pull/4060
        mit_exemption: z
          .strictObject({ network_transaction_id: z.string().optional(), ...ignoring('ds_transaction_id') })
          .optional(),
        // Installments, the 3-D Secure choice, mandates: the issuer of the simulator looks at none of them.
        ...ignoring('capture_method', 'cvc_token', 'installments', 'mandate_options', 'moto', 'network'),
        ...ignoring('request_extended_authorization', 'request_incremental_authorization'),
        ...ignoring('request_multicapture', 'request_overcapture', 'request_three_d_secure'),
        ...ignoring('require_cvc_recollection', 'setup_future_usage', 'three_d_secure'),
        ...ignoring('statement_descriptor_suffix_kana', 'statement_descriptor_suffix_kanji'),
      })
      .optional(),
    pix: z
      .strictObject({
        expires_after_seconds: integer.optional(),
        expires_at: integer.optional(),
        ...ignoring('amount_includes_iof', 'mandate_options', 'setup_future_usage'),
      })
      .optional(),
    boleto: z
      .strictObject({ expires_after_days: integer.optional(), ...ignoring('setup_future_usage') })
      .optional(),
  })
  .default({});

/** `POST /v1/payment_intents`. */
export const createParams = z.strictObject({
  amount: integer,
  currency: text.transform((code) => code.toLowerCase()).pipe(z.string().length(3)),
  confirm: flag.default(false),
  capture_method: z.enum(['automatic', 'automatic_async', 'manual']).default('automatic_async'),
  payment_method: z.string().optional(),
  payment_method_data: paymentMethodParams.optional(),
  payment_method_types: list.optional(),
  allowed_payment_method_types: list.optional(),
  payment_method_options: methodOptions,
  off_session: z.enum(['true', 'false', 'one_off', 'recurring']).default('false'),
  setup_future_usage: z.enum(['', 'on_session', 'off_session']).optional(),
  error_on_requires_action: flag.default(false),
  description: z.string().optional(),
  statement_descriptor: z.string().optional(),
  statement_descriptor_suffix: z.string().max(22).optional(),
  transfer_data: z
    .strictObject({
      destination: text,
      amount: integer.optional(),
      ...ignoring('description', 'metadata', 'payment_data'),
    })
    .optional(),
  application_fee_amount: integer.optional(),
  metadata,
  expand,
  ...ignoring(
    ...['amount_details', 'automatic_payment_methods', 'confirmation_method', 'customer', 'customer_account'],
    ...['mandate', 'mandate_data', 'on_behalf_of', 'payment_details', 'payment_method_configuration'],
    ...['radar_options', 'receipt_email', 'return_url', 'shipping', 'transfer_group', 'use_stripe_sdk'],
    ...['excluded_payment_method_types', 'hooks'],
  ),
});
export type CreateParams = z.output<typeof createParams>;

/** `POST /v1/setup_intents`. */
export const setupIntentParams = z.strictObject({
  confirm: flag.default(false),
  payment_method: z.string().optional(),
  payment_method_data: paymentMethodParams.optional(),
  payment_method_types: list.optional(),
  allowed_payment_method_types: list.optional(),
  usage: z.enum(['off_session', 'on_session']).default('off_session'),
  description: z.string().optional(),
  metadata,
  expand,
  ...ignoring(
    ...['attach_to_self', 'automatic_payment_methods', 'confirmation_token', 'customer', 'customer_account'],
    ...['excluded_payment_method_types', 'flow_directions', 'mandate_data', 'on_behalf_of', 'return_url'],
    ...['payment_method_configuration', 'payment_method_options', 'single_use', 'use_stripe_sdk'],
  ),
});

/** `POST /v1/setup_intents/{id}/cancel`. */
export const setupCancelParams = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'requested_by_customer']).nullable().default(null),
  expand,
});

/** `POST /v1/payment_intents/{id}/capture`. */
export const captureParams = z.strictObject({
  amount_to_capture: integer.optional(),
  application_fee_amount: integer.optional(),
  transfer_data: z.strictObject({ amount: integer.optional() }).optional(),
  metadata,
  expand,
  ...ignoring('amount_details', 'final_capture', 'hooks', 'payment_details'),
  ...ignoring('statement_descriptor', 'statement_descriptor_suffix'),
});
export type CaptureParams = z.output<typeof captureParams>;

/** `POST /v1/payment_intents/{id}/cancel`. */
export const cancelParams = z.strictObject({
  cancellation_reason: z
    .enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'])
    .nullable()
    .default(null),
  expand,
});

/** `POST /v1/refunds`. */
export const refundParams = z.strictObject({
  payment_intent: z.string().optional(),
  charge: z.string().optional(),
  amount: integer.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).nullable().default(null),
  reverse_transfer: flag.default(false),
  metadata,
  expand,
  ...ignoring('currency', 'customer', 'instructions_email', 'origin', 'refund_application_fee'),
});
export type RefundParams = z.output<typeof refundParams>;

/** `POST /v1/accounts`: the connected account's data is accepted unchecked. */
export const accountParams = z.looseObject({
  email: z.string().optional(),
  individual: z.looseObject({ id_number: z.string().optional() }).optional(),
  company: z.looseObject({ tax_id: z.string().optional() }).optional(),
  metadata,
});

/** `POST /v1/account_links`: https://docs.stripe.com/api/account_links/create */
export const accountLinkParams = z.strictObject({
  account: text,
  type: text.pipe(z.enum(['account_onboarding', 'account_update'])),
  refresh_url: z.url(),
  return_url: z.url(),
  expand,
  ...ignoring('collect', 'collection_options'),
});

const created = z
  .union([
    integer.transform((at) => ({ gte: at, lte: at })),
    z.strictObject({
      gt: integer.optional(),
      gte: integer.optional(),
      lt: integer.optional(),
      lte: integer.optional(),
    }),
  ])
  .default({});
/** Epoch seconds. */
export type CreatedRange = { readonly [Bound in 'gt' | 'gte' | 'lt' | 'lte']?: number | undefined };

const limit = integer.pipe(z.int().min(1).max(100)).default(10);

/** Query of every list: https://docs.stripe.com/api/pagination. */
export const listParams = z.strictObject({
  created,
  limit,
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
  payment_intent: z.string().optional(),
  charge: z.string().optional(),
  expand,
  ...ignoring('customer', 'customer_account', 'transfer_group'),
});
export type ListParams = z.output<typeof listParams>;

/** https://docs.stripe.com/api/payment_intents/search */
export const searchParams = z.strictObject({ query: text, limit, page: z.string().optional(), expand });

/** Query of a single object. */
export const retrieveParams = z.strictObject({ expand, ...ignoring('client_secret') });
