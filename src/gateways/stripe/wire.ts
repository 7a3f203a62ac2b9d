import { z } from 'zod';

/**
 * Stripe's objects as far as the driver reads them (https://docs.stripe.com/api). Amounts are in minor units, instants are epoch seconds. A state that is not listed makes an answer unreadable, so that it proves nothing.
 */
/** Later versions (2026-09-30.endive) take `allowed_payment_method_types` in place of `payment_method_types`. */
export const API_VERSION = '2026-08-26.dahlia';

const amount = z.int().nonnegative();
const seconds = z.int().positive();
const metadata = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});
/** An object that may be expanded: its id, or the object. */
const id = z
  .union([z.string(), z.object({ id: z.string() }).transform((object) => object.id)])
  .nullish()
  .transform((value) => value ?? null);

/** https://docs.stripe.com/api/errors */
const ERROR_TYPES = ['api_error', 'card_error', 'idempotency_error', 'invalid_request_error'] as const;
const errorFields = z.object({
  type: z.enum(ERROR_TYPES),
  code: z.string().nullish(),
  decline_code: z.string().nullish(),
  network_decline_code: z.string().nullish(),
  network_advice_code: z.string().nullish(),
  advice_code: z.string().nullish(),
  param: z.string().nullish(),
  message: z.string().nullish(),
});
export type StripeErrorFields = z.output<typeof errorFields>;

const leftBehind = z.object({ id: z.string().min(1) }).nullish();
/** The body of every error, with the PaymentIntent or SetupIntent that it left behind. */
export const errorReply = z.object({
  error: errorFields.extend({ payment_intent: leftBehind, setup_intent: leftBehind }),
});

/** https://docs.stripe.com/api/refunds/object#refund_object-status */
export const REFUND_STATUSES = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const;
export const refundReply = z.object({
  id: z.string().min(1),
  object: z.literal('refund'),
  amount,
  currency: z.string(),
  status: z.enum(REFUND_STATUSES),
  failure_reason: z.string().nullish(),
  balance_transaction: id,
  payment_intent: id,
  metadata,
});
export type StripeRefund = z.output<typeof refundReply>;

/** https://docs.stripe.com/api/charges/object#charge_object-payment_method_details-card */
const cardDetails = z.object({
  authorization_code: z.string().nullish(),
  network_transaction_id: z.string().nullish(),
  /** Mastercard's Transaction Link Identifier. */
  transaction_link_id: z.string().nullish(),
  capture_before: seconds.nullish(),
});
export type CardDetails = z.output<typeof cardDetails>;

/** https://docs.stripe.com/api/charges/object#charge_object-status */
const CHARGE_STATUSES = ['failed', 'pending', 'succeeded'] as const;
const charge = z.object({
  id: z.string().min(1),
  object: z.literal('charge'),
  status: z.enum(CHARGE_STATUSES),
  amount,
  amount_captured: amount.optional(),
  amount_refunded: amount,
  currency: z.string(),
  payment_intent: id,
  metadata,
  failure_code: z.string().nullish(),
  outcome: z
    .object({
      reason: z.string().nullish(),
      network_decline_code: z.string().nullish(),
      network_advice_code: z.string().nullish(),
      advice_code: z.string().nullish(),
    })
    .nullish(),
  payment_method_details: z
    .object({
      type: z.string(),
      card: cardDetails.nullish(),
      pix: z.object({ bank_transaction_id: z.string().nullish() }).nullish(),
    })
    .nullish(),
  /** Only if the request expands it. */
  refunds: z.object({ data: z.array(refundReply), has_more: z.boolean() }).nullish(),
});
export const chargeReply = charge;
export type StripeCharge = z.output<typeof charge>;

/** https://docs.stripe.com/api/payment_intents/object#payment_intent_object-status */
export const INTENT_STATUSES = [
  'canceled',
  'processing',
  'requires_action',
  'requires_capture',
  'requires_confirmation',
  'requires_payment_method',
  'succeeded',
] as const;

/** The types of payment method that the driver uses. */
export const METHOD_TYPES = ['card', 'pix', 'boleto'] as const;
export type MethodType = (typeof METHOD_TYPES)[number];

export const intentReply = z.object({
  id: z.string().min(1),
  object: z.literal('payment_intent'),
  status: z.enum(INTENT_STATUSES),
  amount,
  amount_received: amount,
  currency: z.string(),
  created: seconds,
  cancellation_reason: z.string().nullish(),
  payment_method_types: z.array(z.string()),
  metadata,
  /** Of a payment that is a connected account's. */
  transfer_data: z.object({ destination: id }).nullish(),
  last_payment_error: errorFields.nullish(),
  /** The id, if the request does not expand it. */
  latest_charge: z.union([charge, z.string()]).nullish(),
  next_action: z
    .object({
      type: z.string(),
      pix_display_qr_code: z.object({ data: z.string().min(1), expires_at: seconds }).nullish(),
      boleto_display_details: z
        .object({
          number: z.string().regex(/^\d{47}$/),
          hosted_voucher_url: z.url(),
          expires_at: seconds,
        })
        .nullish(),
    })
    .nullish(),
});
export type StripeIntent = z.output<typeof intentReply>;

/** https://docs.stripe.com/api/setup_intents/object#setup_intent_object-status */
export const SETUP_INTENT_STATUSES = [
  'canceled',
  'processing',
  'requires_action',
  'requires_confirmation',
  'requires_payment_method',
  'succeeded',
] as const;

export const setupIntentReply = z.object({
  id: z.string().min(1),
  object: z.literal('setup_intent'),
  status: z.enum(SETUP_INTENT_STATUSES),
  payment_method: id,
  metadata,
  last_setup_error: errorFields.nullish(),
});
export type StripeSetupIntent = z.output<typeof setupIntentReply>;

export const methodReply = z.object({ id: z.string().min(1), object: z.literal('payment_method') });

/**
 * A page of PaymentIntents, of which only what identifies them is read: an account also has payments that this driver did not
 * make, and one of them that it cannot read must not hide the others.
 */
export const intentList = z.object({
  object: z.enum(['list', 'search_result']),
  data: z.array(z.object({ id: z.string().min(1), metadata })),
  has_more: z.boolean(),
});
export type ListedIntent = z.output<typeof intentList>['data'][number];

export const refundList = z.object({
  object: z.literal('list'),
  data: z.array(refundReply),
  has_more: z.boolean(),
});

/** `GET /v1/payment_intents` of which only the form matters. */
export const anyList = z.object({ object: z.literal('list'), data: z.array(z.unknown()) });

/** https://docs.stripe.com/api/accounts/object */
export const accountReply = z.object({
  id: z.string().regex(/^acct_\w{1,250}$/),
  object: z.literal('account'),
  metadata,
  details_submitted: z.boolean(),
  capabilities: z.object({ transfers: z.enum(['active', 'inactive', 'pending']).nullish() }).nullish(),
  requirements: z
    .object({
      disabled_reason: z.string().nullish(),
      currently_due: z.array(z.string()).nullish(),
    })
    .nullish(),
});
export type StripeAccount = z.output<typeof accountReply>;

/** As `intentList`, of connected accounts. */
export const accountList = z.object({
  object: z.literal('list'),
  data: z.array(z.object({ id: z.string().min(1), metadata })),
  has_more: z.boolean(),
});

/** https://docs.stripe.com/api/account_links/object */
export const accountLinkReply = z.object({ object: z.literal('account_link'), url: z.url() });

/** https://docs.stripe.com/api/events/object */
export const eventBody = z.object({
  id: z.string().regex(/^evt_\w{1,250}$/),
  object: z.literal('event'),
  type: z.string(),
  created: z.int().nonnegative().optional(),
  data: z.object({ object: z.looseObject({}) }),
});

/** https://docs.stripe.com/api/disputes/object */
export const dispute = z.object({ object: z.literal('dispute'), payment_intent: id });

/** The parts of a dispute that tell its whole state. */
export const wholeDispute = z.object({
  id: z.string().regex(/^\w{1,250}$/),
  amount: z.int().positive(),
  currency: z.string().length(3),
  reason: z.string().min(1).max(100),
  status: z.enum([
    'needs_response',
    'under_review',
    'won',
    'lost',
    'prevented',
    'warning_needs_response',
    'warning_under_review',
    'warning_closed',
  ]),
  evidence_details: z.object({ due_by: z.int().nonnegative().nullish() }),
  network_reason_code: z.string().min(1).max(64).nullish(),
});
