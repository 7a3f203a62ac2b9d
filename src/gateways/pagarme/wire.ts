import { z } from 'zod';

/**
 * Pagar.me's objects (core v5) as far as the driver reads them: SDK 7.0.2 and https://docs.pagar.me/reference. Amounts are cents.
 * A state that is not listed makes an answer unreadable, so that it proves nothing.
 */
const cents = z.int().nonnegative();
const text = z
  .string()
  .nullish()
  .transform((value) => (value === undefined || value === '' ? null : value));

/** https://docs.pagar.me/reference/cobranças-1, and `ChargeStatus` of github.com/pagarme/ecommerce-module-core. */
export const CHARGE_STATUSES = [
  'pending',
  'processing',
  'paid',
  'canceled',
  'failed',
  'chargedback',
  'underpaid',
  'overpaid',
] as const;

/** `TransactionStatus` of the same module, and what https://docs.pagar.me/reference/transações-1 lists besides. */
export const TRANSACTION_STATUSES = [
  'authorized_pending_capture',
  'waiting_capture',
  'captured',
  'partial_capture',
  'voided',
  'partial_void',
  'refunded',
  'partial_refunded',
  'pending_refund',
  'waiting_cancellation',
  'error_on_voiding',
  'error_on_refunding',
  'not_authorized',
  'with_error',
  'failed',
  'generated',
  'viewed',
  'waiting_payment',
  'processing',
  'paid',
  'underpaid',
  'overpaid',
  'expired',
  'pending_review',
  'analyzing',
  'chargedback',
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** An amount that some transactions show as a text. */
const centsOrText = z
  .union([cents, z.string().regex(/^\d{1,15}$/)])
  .nullish()
  .transform((value) => (value === undefined || value === null ? null : Number(value)));

export const transactionReply = z.object({
  id: z.string().min(1),
  transaction_type: text,
  /** `auth_only`, `auth_and_capture`, `capture` or `cancel`; only of a card. */
  operation_type: text,
  amount: cents,
  status: z.enum(TRANSACTION_STATUSES),
  created_at: text,
  acquirer_auth_code: text,
  acquirer_message: text,
  acquirer_return_code: text,
  /** The network's id of the transaction. */
  brand_id: text,
  /** https://docs.pagar.me/docs/códigos-de-retorno-padrão-abecs: the network's advice, without leading zeros. */
  retry_info: z.object({ brand_failure_return_code: text }).nullish(),
  gateway_response: z
    .object({ code: text, errors: z.array(z.object({ message: text })).nullish() })
    .nullish(),
  antifraud_response: z.object({ status: text }).nullish(),
  qr_code: text,
  expires_at: text,
  end_to_end_id: text,
  /** The digitable line, with dots and blanks. */
  line: text,
  url: text,
  pdf: text,
  due_at: text,
  paid_amount: centsOrText,
});
export type PagarmeTransaction = z.output<typeof transactionReply>;

const charge = z.object({
  id: z.string().min(1),
  /** Our reference, until a capture gives the charge its own. */
  code: text,
  amount: cents,
  paid_amount: cents.nullish().transform((value) => value ?? null),
  canceled_amount: cents.nullish().transform((value) => value ?? null),
  status: z.enum(CHARGE_STATUSES),
  currency: text,
  payment_method: z.enum(['credit_card', 'pix', 'boleto']),
  created_at: text,
  updated_at: text,
  /** A refund that was accepted and is not carried out yet. */
  pending_cancellation: z.boolean().nullish(),
  last_transaction: transactionReply.nullish(),
});
export type PagarmeCharge = z.output<typeof charge>;
export const chargeReply = charge;

/** `GET /charges/{id}` shows the order too. */
export const chargeWithOrder = charge.extend({ order: z.object({ code: text }).nullish() });
export type PagarmeChargeWithOrder = z.output<typeof chargeWithOrder>;

export const orderReply = z.object({
  id: z.string().min(1),
  code: text,
  amount: cents,
  charges: z.array(charge),
});
export type PagarmeOrder = z.output<typeof orderReply>;

/** The count tells an empty list from a page that only looks like one. */
const paging = z.object({ total: cents, next: text });

/** Only what identifies an order: one that the driver cannot read must not hide the others. */
export const orderList = z.object({ data: z.array(z.object({ id: z.string().min(1), code: text })), paging });
export const transactionList = z.object({ data: z.array(transactionReply), paging });

/** https://docs.pagar.me/reference/erros-1. `request` repeats what was sent: it is never read. */
export const errorReply = z.strictObject({
  message: z.string().min(1),
  errors: z.record(z.string(), z.array(z.string())).nullish(),
  request: z.unknown().optional(),
});

/** https://docs.pagar.me/reference/recebedores-1, https://docs.pagar.me/page/api-v5-adição-do-fluxo-de-prova-de-vida, and `RecipientStatus` of the module. */
export const RECIPIENT_STATUSES = [
  'registration',
  'affiliation',
  'registered',
  'validation_requested',
  'waiting_for_analysis',
  'active',
  'refused',
  'disapproved',
  'suspended',
  'blocked',
  'inactive',
] as const;
export const recipientReply = z.object({
  id: z.string().min(1),
  code: text,
  status: z.enum(RECIPIENT_STATUSES),
});
export type PagarmeRecipient = z.output<typeof recipientReply>;

/** https://docs.pagar.me/reference/exemplo-de-webhook-1 */
export const webhookBody = z.object({
  id: z.string().regex(/^hook_\w{1,200}$/),
  type: z.string().regex(/^[a-z_]+\.[a-z_]+$/),
  data: z.looseObject({}),
});
export const chargeOfWebhook = z.object({
  id: z.string().regex(/^ch_\w{1,200}$/),
  code: text,
  order: z.object({ code: text }).nullish(),
});
export const orderOfWebhook = z.object({
  code: text,
  charges: z.array(z.looseObject({ id: z.string().regex(/^ch_\w{1,200}$/) })).nullish(),
});
