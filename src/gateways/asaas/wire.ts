import { z } from 'zod';
import { centsOfDecimal } from '../decimal-amount';

/**
 * Asaas' objects as far as the driver reads them (https://docs.asaas.com/reference, models of asaasdev/asaas-api-sdk-java 1.0.3).
 * Amounts are decimal numbers of reais. A state that is not listed makes an answer unreadable, so that it proves nothing.
 */
const cents = z.number().transform((value, ctx) => {
  const amount = centsOfDecimal(value);
  if (amount !== null) return amount;
  ctx.addIssue({ code: 'custom', message: 'is no amount of money' });
  return z.NEVER;
});
const id = z.string().min(1).max(100);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

/** `PaymentGetResponsePaymentStatus`, and `AUTHORIZED`, which the models leave out: https://docs.asaas.com/docs/payments-1 */
export const PAYMENT_STATUSES = [
  'PENDING',
  'RECEIVED',
  'CONFIRMED',
  'OVERDUE',
  'REFUNDED',
  'RECEIVED_IN_CASH',
  'REFUND_REQUESTED',
  'REFUND_IN_PROGRESS',
  'CHARGEBACK_REQUESTED',
  'CHARGEBACK_DISPUTE',
  'AWAITING_CHARGEBACK_REVERSAL',
  'DUNNING_REQUESTED',
  'DUNNING_RECEIVED',
  'AWAITING_RISK_ANALYSIS',
  'AUTHORIZED',
] as const;

/** `PaymentGetResponseBillingType`. The driver creates `CREDIT_CARD`, `PIX` and `BOLETO`. */
export const BILLING_TYPES = [
  'UNDEFINED',
  'BOLETO',
  'CREDIT_CARD',
  'DEBIT_CARD',
  'TRANSFER',
  'DEPOSIT',
  'PIX',
] as const;

/** `PaymentRefundGetResponsePaymentRefundStatus` */
export const REFUND_STATUSES = [
  'PENDING',
  'AWAITING_CRITICAL_ACTION_AUTHORIZATION',
  'AWAITING_CUSTOMER_EXTERNAL_AUTHORIZATION',
  'CANCELLED',
  'DONE',
] as const;

/** A part of an amount; null if it is not in whole cents. */
const part = z
  .number()
  .nullish()
  .transform((value) => (value === null || value === undefined ? null : centsOfDecimal(value)));

const refund = z.object({
  status: z.enum(REFUND_STATUSES),
  value: cents,
  description: text,
  refundedSplits: z.array(z.object({ id: text, value: part })).nullish(),
});
export type AsaasRefund = z.output<typeof refund>;

/** `PaymentChargebackResponseChargebackStatus` */
export const CHARGEBACK_STATUSES = ['REQUESTED', 'IN_DISPUTE', 'DISPUTE_LOST', 'REVERSED', 'DONE'] as const;

/** `PaymentChargebackResponseDto` */
const chargeback = z.object({
  id: text,
  status: z.enum(CHARGEBACK_STATUSES),
  reason: text,
  value: part,
  deadlineToSendDisputeDocuments: text,
});
export type AsaasChargeback = z.output<typeof chargeback>;

export const paymentReply = z.object({
  object: z.literal('payment'),
  id,
  dateCreated: day,
  value: cents,
  /** The requested amount, if interest, a fine or a discount has changed it. */
  originalValue: cents.nullish(),
  billingType: z.enum(BILLING_TYPES),
  status: z.enum(PAYMENT_STATUSES),
  dueDate: day,
  /** When a card was captured. Only cards have it. */
  confirmedDate: text,
  /** When the customer paid. */
  clientPaymentDate: text,
  externalReference: text,
  customer: text,
  /** Of the customer's card. Only accounts for which Asaas has enabled tokens get one: https://docs.asaas.com/reference/credit-card-tokenization */
  creditCard: z.object({ creditCardToken: text }).nullish(),
  deleted: z.boolean(),
  bankSlipUrl: text,
  /** The id of all installments, if it is one of several. */
  installment: text,
  /** The id of the pix that paid it. */
  pixTransaction: text,
  refunds: z.array(refund).nullish(),
  chargeback: chargeback.nullish(),
  /** `totalValue`: what the recipient gets. */
  split: z.array(z.object({ id: text, walletId: text, totalValue: part })).nullish(),
});
export type AsaasPayment = z.output<typeof paymentReply>;

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    object: z.literal('list'),
    hasMore: z.boolean(),
    totalCount: z.int().nonnegative(),
    data: z.array(item),
  });

export const paymentList = listOf(paymentReply);
export const refundList = listOf(refund);
/** A list of which only the form matters. */
export const anyList = listOf(z.unknown());

export const customerReply = z.object({
  object: z.literal('customer'),
  id,
  externalReference: text,
  deleted: z.boolean(),
});
export const customerList = listOf(customerReply);

/** https://docs.asaas.com/reference/get-qr-code-for-pix-payments. Its expiry is twelve months after the due date. */
export const qrCodeReply = z.object({ payload: z.string().min(1) });
/** https://docs.asaas.com/reference/get-digitable-bill-line */
export const lineReply = z.object({
  identificationField: z.string().regex(/^\d{47}$/),
  barCode: z.string().regex(/^\d{44}$/),
});
export const pixTransactionReply = z.object({ id, endToEndIdentifier: text });
/** `InstallmentGetResponseDto` */
export const installmentReply = z.object({ object: z.literal('installment'), id });
/** https://docs.asaas.com/reference/delete-payment */
export const deletedReply = z.object({ id, deleted: z.literal(true) });

const account = z.object({
  object: z.literal('account'),
  id,
  walletId: id,
  email: z.string(),
  cpfCnpj: z.string(),
});
export const accountList = listOf(account);
/** `AccountSaveResponseDto` */
export const createdAccountReply = account.extend({ apiKey: z.string().min(1) });
/** `MyAccountGetStatusResponseStatus` */
export const ACCOUNT_STATES = ['PENDING', 'APPROVED', 'REJECTED', 'AWAITING_APPROVAL'] as const;
/** https://docs.asaas.com/reference/consult-registration-status-of-the-account: approved if `general` is. */
export const accountStatusReply = z.object({ general: z.enum(ACCOUNT_STATES) });

/** https://docs.asaas.com/docs/http-response-codes. There is no list of the codes; those of fields are `invalid_` and the name. */
export const errorReply = z.object({
  errors: z.array(z.object({ code: z.string().regex(/^[A-Za-z]\w{1,99}$/), description: z.string() })),
});
export type AsaasError = z.output<typeof errorReply>['errors'][number];

/** https://docs.asaas.com/docs/payment-events */
export const eventBody = z.object({
  id: z.string().regex(/^evt_[\w&]{1,250}$/),
  event: z.string().regex(/^[A-Z_]{1,100}$/),
  payment: z.object({ id, externalReference: text, installment: text }).nullish(),
});
