import { z } from 'zod';
import { DECLINE_CLASSES } from '../../domain/payments/decline';
import { CUSTOMER_REASONS, MERCHANT_REASONS } from '../../domain/shared/charge-initiation';
import { PAYMENT_METHODS } from '../../domain/payments/payment';
import { purchase } from './wire-purchase';

/**
 * The wire format of the simulator's protocol, used by its driver and its server. Amounts are cents, instants ISO 8601.
 */

const cents = z.int().positive();
export const reference = z.string().min(1).max(255);
export const nonNegativeCents = z.int().nonnegative();

const split = z.object({
  recipient_id: z.string().min(1),
  amount: nonNegativeCents,
  liable: z.boolean(),
  charge_processing_fee: z.boolean(),
});
export type WireSplit = z.output<typeof split>;

const networkId = z.string().min(1).max(64).nullable();

/** The card network's ids of a transaction. */
export const networkIds = z.object({
  network_transaction_id: networkId,
  /** Mastercard's TLID. */
  transaction_link_id: networkId.default(null),
  /** Elo's NRID. */
  elo_reference: networkId.default(null),
});
export type WireNetworkIds = z.output<typeof networkIds>;

/** Who initiates a charge and why. */
export const initiation = z.discriminatedUnion('initiator', [
  z.object({ initiator: z.literal('customer'), reason: z.enum(CUSTOMER_REASONS) }),
  z.object({
    initiator: z.literal('merchant'),
    reason: z.enum(MERCHANT_REASONS),
    /** Of the transaction in which the customer agreed. */
    network_ids: networkIds.nullable(),
  }),
]);
export type WireInitiation = z.output<typeof initiation>;
export const ONE_OFF = { initiator: 'customer', reason: 'one_off' } as const satisfies WireInitiation;

const customer = z.object({ name: z.string(), email: z.string(), document: z.string().nullable() });

const card = z.object({
  number: z.string().regex(/^\d{13,19}$/),
  cvv: z.string().nullable(),
  holder_name: z.string(),
  expire_month: z.int().min(1).max(12),
  expire_year: z.int().min(2000),
  brand: z.string(),
});

/** `POST /charges` and `POST /authorizations`. */
export const chargeBody = z.object({
  reference,
  amount: cents,
  currency: z.string().length(3),
  method: z.enum(PAYMENT_METHODS),
  installments: z.int().min(1).max(24).default(1),
  soft_descriptor: z.string().nullable().default(null),
  customer,
  card: card.nullable().default(null),
  billing_address: z.record(z.string(), z.unknown()).nullable().default(null),
  splits: z.array(split).default([]),
  /** Seconds until a pix expires. */
  expires_in: z.int().positive().optional(),
  /** A billet's due date, its expiry, and the instructions printed on it. */
  due_at: z.iso.date().optional(),
  expires_at: z.iso.datetime().optional(),
  instructions: z.string().max(255).nullable().default(null),
  initiation: initiation.default(ONE_OFF),
  purchase: purchase.optional(),
});
export type ChargeBody = z.output<typeof chargeBody>;

/** `POST /charges/{id}/captures`, `/cancels` and `/refunds`. A cancel releases the whole held amount, whatever `amount` says. */
export const followUpBody = z.object({
  reference,
  amount: cents,
  splits: z.array(split).default([]),
  reason: z.string().nullable().default(null),
  /** The account that receives the refund of a billet. */
  bank_account: z
    .object({
      holder_name: z.string().min(1),
      holder_type: z.enum(['individual', 'company']),
      holder_document: z.string().min(1),
      bank_code: z.string().min(1),
      branch_number: z.string().min(1),
      account_number: z.string().min(1),
      account_check_digit: z.string().min(1),
      type: z.enum(['checking', 'savings']),
    })
    .nullable()
    .default(null),
});
export type FollowUpBody = z.output<typeof followUpBody>;

/** `POST /verifications`: an authorization of zero. */
export const verificationBody = z.object({
  reference,
  currency: z.string().length(3),
  customer,
  card,
  initiation,
});

/** `POST /recipients`; other fields are accepted unchecked. */
export const recipientBody = z.looseObject({
  reference,
  name: z.string().min(1),
  email: z.string().min(1),
  document: z.string().min(1),
  type: z.enum(['individual', 'corporation']),
});

const responseDetails = z.object({
  /** Null for a decline without a code. */
  code: z.string().nullable(),
  /** The class of a decline without a code. */
  decline_class: z.enum(DECLINE_CLASSES).nullable().default(null),
  message: z.string(),
  /** The Merchant Advice Code of a decline. */
  advice_code: z
    .string()
    .regex(/^\d{2}$/)
    .nullable()
    .default(null),
});

export const chargeStatus = z.enum([
  'approved',
  'authorized',
  'pending',
  'declined',
  'canceled',
  'refunded',
  'expired',
]);
export type ChargeStatus = z.output<typeof chargeStatus>;

const moneyOperation = z.enum(['charge', 'authorize', 'capture', 'cancel', 'refund']);
export type MoneyOperation = z.output<typeof moneyOperation>;

const chargeFacts = {
  id: z.string().min(1),
  authorization_code: z.string().nullable(),
  /** Null unless the issuer approved a card. */
  network_ids: networkIds.nullable(),
  capture_before: z.iso.datetime().nullable(),
  /** Cents paid for a pix or billet at that time; null for a card. */
  paid_amount: nonNegativeCents.nullable(),
  pix: z
    .object({
      qr_code: z.string().min(1),
      expires_at: z.iso.datetime(),
      end_to_end_id: z.string().nullable(),
    })
    .nullable(),
  billet: z
    .object({
      line: z.string().regex(/^\d{47}$/),
      barcode: z.string().regex(/^\d{44}$/),
      url: z.url(),
      due_at: z.iso.date(),
    })
    .nullable(),
};

/** The reply to a charge, capture, cancel or refund: the result of that operation, identical when its key is replayed. */
export const operationReply = z.object({
  ...chargeFacts,
  reference,
  operation: moneyOperation,
  status: chargeStatus,
  amount: nonNegativeCents,
  response: responseDetails,
});
export type OperationReply = z.output<typeof operationReply>;

/** `GET /charges/{id}`: the charge's current state. `in_progress`: a received request may still change the charge. */
export const chargeReply = z.object({
  ...chargeFacts,
  reference,
  status: chargeStatus,
  amount: nonNegativeCents,
  captured_amount: nonNegativeCents,
  refunded_amount: nonNegativeCents,
  response: responseDetails,
  initiation: initiation.default(ONE_OFF),
  in_progress: z.boolean(),
  operations: z.array(
    z.object({
      reference,
      operation: moneyOperation,
      status: chargeStatus,
      amount: nonNegativeCents,
      response: responseDetails,
    }),
  ),
});
export type ChargeReply = z.output<typeof chargeReply>;

/** `GET /charges?reference=`: charges whose own reference or an operation's reference matches. */
export const chargeList = z.object({ reference, data: z.array(chargeReply), in_progress: z.boolean() });

export const verificationReply = z.object({
  reference,
  status: z.enum(['verified', 'declined']),
  network_ids: networkIds.nullable(),
  response: responseDetails,
});
export type VerificationReply = z.output<typeof verificationReply>;

export const recipientReply = z.object({
  id: z.string().min(1),
  reference,
  status: z.enum(['pending', 'needs_consent', 'active', 'refused']),
  message: z.string().nullable(),
  consent_url: z.url().optional(),
  /** In the answer to the creation only. */
  api_key: z.string().optional(),
});
export type RecipientReply = z.output<typeof recipientReply>;

/** `GET /recipients?reference=`. */
export const recipientList = z.object({
  reference,
  data: z.array(recipientReply),
  in_progress: z.boolean(),
});

/** `GET /account`: the account of the secret key. */
export const accountReply = z.object({ id: z.string().min(1) });

/** The gateway's error codes and the status of each. */
export const ERROR_STATUSES = {
  unauthenticated: 401,
  not_found: 404,
  in_progress: 409,
  payload_too_large: 413,
  amount_too_large: 422,
  bank_account_required: 422,
  capture_window_passed: 422,
  card_required: 422,
  date_required: 422,
  invalid_request: 422,
  invalid_state: 422,
  key_reused: 422,
  network_ids_required: 422,
  raw_cards_disabled: 422,
  pix_disabled: 422,
  billet_disabled: 422,
  splits_disabled: 422,
  splits_mismatch: 422,
  unknown_recipient: 422,
  unsupported: 422,
  internal: 500,
  not_supported: 501,
  unavailable: 503,
} as const;
export type SimulatorErrorCode = keyof typeof ERROR_STATUSES;

/** The code of an error that a script makes the gateway answer with, which has any status. */
export const SCRIPTED_ERROR = 'scripted';

const errorCodes = Object.keys(ERROR_STATUSES) as SimulatorErrorCode[];

export const errorReply = z.object({
  error: z.object({ code: z.enum([...errorCodes, SCRIPTED_ERROR]), message: z.string() }),
});
export type ErrorReply = z.output<typeof errorReply>;

const UUID_PREFIX = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** The payment's `transaction_id`, a UUID with which every reference begins. */
export function transactionOf(reference: string): string {
  return UUID_PREFIX.exec(reference)?.[0] ?? reference;
}
