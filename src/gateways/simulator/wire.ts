import { z } from 'zod';

/** The simulator's vendor-like protocol: what its driver sends and what it answers. Amounts are cents, instants ISO 8601. */
const cents = z.int().positive();
const reference = z.string().min(1).max(255);
const countOfCents = z.int().nonnegative();

const split = z.object({
  recipient_id: z.string().min(1),
  amount: countOfCents,
  liable: z.boolean(),
  charge_processing_fee: z.boolean(),
});
export type SplitPart = z.output<typeof split>;

/** What is told of a charge on a card on file. */
export const recurring = z.object({
  initiated_by: z.literal('merchant'),
  sequence: z.enum(['first', 'subsequent']),
  network_transaction_id: z.string().min(1).max(64).nullable(),
});
export type Recurring = z.output<typeof recurring>;

/** `POST /charges` and `POST /authorizations`. */
export const chargeBody = z.object({
  reference,
  amount: cents,
  currency: z.string().length(3),
  method: z.enum(['card', 'pix', 'billet']),
  installments: z.int().min(1).max(24).default(1),
  soft_descriptor: z.string().nullable().default(null),
  customer: z.object({ name: z.string(), email: z.string(), document: z.string() }),
  card: z
    .object({
      number: z.string().regex(/^\d{13,19}$/),
      cvv: z.string().nullable(),
      holder_name: z.string(),
      expire_month: z.int().min(1).max(12),
      expire_year: z.int().min(2000),
      brand: z.string(),
    })
    .nullable()
    .default(null),
  billing_address: z.record(z.string(), z.unknown()).nullable().default(null),
  splits: z.array(split).default([]),
  /** Seconds a pix can be paid for. */
  expires_in: z.int().positive().optional(),
  /** A billet's due date, when it can no longer be paid, and what is printed on it. */
  due_at: z.iso.date().optional(),
  expires_at: z.iso.datetime().optional(),
  instructions: z.string().max(255).nullable().default(null),
  /** Null for a charge that the customer makes. */
  recurring: recurring.nullable().default(null),
});
export type ChargeBody = z.output<typeof chargeBody>;

/** `POST /charges/{id}/captures`, `/cancels` and `/refunds`. A cancel releases all that is held, whatever its amount. */
export const followUpBody = z.object({
  reference,
  amount: cents,
  splits: z.array(split).default([]),
  reason: z.string().nullable().default(null),
  /** Where a billet's money goes back to. */
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

/** `POST /recipients`; the rest of the information is accepted as it is. */
export const recipientBody = z.looseObject({
  reference,
  name: z.string().min(1),
  email: z.string().min(1),
  document: z.string().min(1),
  type: z.enum(['individual', 'corporation']),
});

const verdict = z.object({
  code: z.string(),
  message: z.string(),
  /** Of a refusal: the network's Merchant Advice Code. */
  advice_code: z
    .string()
    .regex(/^\d{2}$/)
    .nullable()
    .default(null),
});

const chargeStatus = z.enum([
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
  network_transaction_id: z.string().nullable(),
  capture_before: z.iso.datetime().nullable(),
  /** What was paid of a pix or billet until then; null for a card. */
  paid_amount: countOfCents.nullable(),
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

/** The answer to every operation on money: that operation's own result, the same one each time its key is replayed. */
export const operationReply = z.object({
  ...chargeFacts,
  reference,
  operation: moneyOperation,
  status: chargeStatus,
  amount: countOfCents,
  response: verdict,
});
export type OperationReply = z.output<typeof operationReply>;

/** `GET /charges/{id}`: the charge as it stands. `in_progress`: a request received for it may still change it. */
export const chargeReply = z.object({
  ...chargeFacts,
  reference,
  status: chargeStatus,
  amount: countOfCents,
  captured_amount: countOfCents,
  refunded_amount: countOfCents,
  response: verdict,
  recurring: recurring.nullable().default(null),
  in_progress: z.boolean(),
  operations: z.array(
    z.object({
      reference,
      operation: moneyOperation,
      status: chargeStatus,
      amount: countOfCents,
      response: verdict,
    }),
  ),
});
export type ChargeReply = z.output<typeof chargeReply>;

/** `GET /charges?reference=`: charges that carry the reference, their own or one of their operations'. */
export const chargeList = z.object({ data: z.array(chargeReply), in_progress: z.boolean() });

export const recipientReply = z.object({
  id: z.string().min(1),
  reference,
  status: z.enum(['pending', 'active', 'refused']),
  message: z.string().nullable(),
});
export type RecipientReply = z.output<typeof recipientReply>;

/** `GET /recipients?reference=`. */
export const recipientList = z.object({ data: z.array(recipientReply), in_progress: z.boolean() });

/** What a callback tells: a charge's state as it then was, or that its payer disputes it. */
export const callbackBody = z.object({
  id: z.string().min(1).max(255),
  kind: z.enum([...chargeStatus.options, 'chargeback']),
  charge_id: z.string().min(1),
  reference,
  amount: countOfCents,
  paid_amount: countOfCents,
  captured_amount: countOfCents.optional(),
  refunded_amount: countOfCents.optional(),
  created_at: z.iso.datetime(),
});
export type CallbackBody = z.output<typeof callbackBody>;

export const errorReply = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
export type ErrorReply = z.output<typeof errorReply>;

const UUID_PREFIX = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** The payment a reference belongs to: references begin with its `transaction_id`, a UUID. */
export function transactionOf(reference: string): string {
  return UUID_PREFIX.exec(reference)?.[0] ?? reference;
}
