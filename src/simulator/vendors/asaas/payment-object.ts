import { DateTime } from 'luxon';
import type { StoredCharge, StoredOperation } from '../../charge-store';
import { dayOf, momentOf, reais } from './amounts';
import { chargebackOf } from './chargebacks';
import type { AsaasObject, PaymentOfCharge } from './endpoint';
import { installmentIdOf, numberOf, paymentIdOf, pixTransactionIdOf } from './ids';
import { type AsaasSplit, centsOf, followUpDataOf, paymentDataOf, refundedCents, refundsOf } from './record';
import { type AsaasPaymentStatus, paymentStatusOf } from './states';

export const BILLING_TYPES = { card: 'CREDIT_CARD', pix: 'PIX', billet: 'BOLETO' } as const;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Recorded `card-approved`: a card's money is credited 32 to 34 days later. */
const CREDIT_DAYS = 32;

/** The fields of the recorded answer `card-approved`, and `split` and `chargeback` of the SDK. */
export function paymentObject(
  { charge, part }: PaymentOfCharge,
  origin: string,
  given?: AsaasPaymentStatus,
): AsaasObject {
  const chargeback = chargebackOf(charge);
  const status = given ?? chargeback?.status ?? paymentStatusOf(charge, part);
  const data = paymentDataOf(charge);
  const cents = centsOf(charge, part);
  const isBoleto = charge.method === 'billet';
  const paidOn = paidDateOf(charge);
  const dueDate = dueDateOf(charge, part);
  const creditDate = charge.method === 'card' && paidOn !== null ? later(paidOn, CREDIT_DAYS * part) : paidOn;
  const id = paymentIdOf(charge.id, part);
  return {
    object: 'payment',
    id,
    dateCreated: dayOf(createdAt(charge)),
    customer: data.customer,
    ...(data.installments > 1 && { installment: installmentIdOf(charge.id) }),
    checkoutSession: null,
    paymentLink: null,
    value: reais(cents),
    netValue: reais(cents - centsOf(charge, part, data.fee)),
    originalValue: null,
    interestValue: null,
    description: data.description,
    billingType: BILLING_TYPES[charge.method],
    confirmedDate: paidOn,
    ...(data.card !== null && { creditCard: data.card }),
    ...(isBoleto && { canBePaidAfterDueDate: true }),
    pixTransaction: (charge.pix?.endToEndId ?? null) === null ? null : pixTransactionIdOf(charge.id),
    status,
    dueDate,
    originalDueDate: dueDate,
    paymentDate: charge.method === 'card' ? null : paidOn,
    clientPaymentDate: paidOn,
    installmentNumber: data.installments > 1 ? part : null,
    invoiceUrl: `${origin}/${charge.gateway}/i/${id.slice('pay_'.length)}`,
    invoiceNumber: numberOf(charge.id, 8),
    externalReference: data.external_reference,
    deleted: isDeleted(charge),
    anticipated: false,
    anticipable: false,
    creditDate,
    estimatedCreditDate: creditDate,
    transactionReceiptUrl:
      paidOn === null ? null : `${origin}/${charge.gateway}/comprovantes/${numberOf(charge.id, 16)}`,
    nossoNumero: isBoleto ? numberOf(charge.id, 9) : null,
    bankSlipUrl: isBoleto ? `${origin}/${charge.gateway}/billets/${charge.id}` : null,
    lastInvoiceViewedDate: null,
    lastBankSlipViewedDate: null,
    discount: { value: 0, limitDate: null, dueDateLimitDays: 0, type: 'FIXED' },
    fine: { value: 0, type: 'FIXED' },
    interest: { value: 0, type: 'PERCENTAGE' },
    ...(data.splits.length > 0 && { split: data.splits.map((each) => splitObject(charge, each, status)) }),
    postalService: false,
    escrow: null,
    refunds: refundObjects({ charge, part }, origin),
    ...(chargeback !== null && { chargeback: chargeback.object }),
  };
}

/** Recorded `card-approved`: null without any. */
function refundObjects(payment: PaymentOfCharge, origin: string): AsaasObject[] | null {
  const refunds = refundsOf(payment.charge, payment.part);
  return refunds.length === 0 ? null : refunds.map((operation) => refundObject(payment, operation, origin));
}

/** `PaymentRefundGetResponseDto` of the SDK; https://docs.asaas.com/docs/refunds */
export function refundObject(
  { charge, part }: PaymentOfCharge,
  operation: StoredOperation,
  origin: string,
): AsaasObject {
  const isDone = operation.pending === undefined && operation.status !== 'declined';
  const waits = charge.method === 'billet' ? 'AWAITING_CUSTOMER_EXTERNAL_AUTHORIZATION' : 'PENDING';
  return {
    dateCreated: momentOf(operation.at),
    status: isDone ? 'DONE' : operation.pending === undefined ? 'CANCELLED' : waits,
    value: reais(refundedCents(charge, part, operation)),
    endToEndIdentifier: charge.pix?.endToEndId?.replace(/^E/, 'D') ?? null,
    description: followUpDataOf(operation).description,
    effectiveDate: isDone ? momentOf(operation.at) : null,
    transactionReceiptUrl: isDone
      ? `${origin}/${charge.gateway}/comprovantes/${numberOf(charge.id, 16)}`
      : null,
    refundedSplits: [],
  };
}

/** `PaymentSplitGetResponseDto` of the SDK. */
function splitObject(charge: StoredCharge, split: AsaasSplit, status: AsaasPaymentStatus): AsaasObject {
  const { walletId, fixedValue, percentualValue, externalReference, description, amount } = split;
  return {
    id: splitIdOf(charge, walletId),
    walletId,
    fixedValue: fixedValue === null ? null : reais(fixedValue),
    percentualValue,
    totalValue: reais(amount),
    cancellationReason: isDeleted(charge) ? 'PAYMENT_DELETED' : null,
    status: isDeleted(charge) ? 'CANCELLED' : splitStatusOf(status),
    externalReference,
    description,
  };
}

function splitStatusOf(status: AsaasPaymentStatus): string {
  if (status === 'CONFIRMED') return 'AWAITING_CREDIT';
  if (status === 'RECEIVED') return 'DONE';
  return status === 'REFUNDED' ? 'REFUNDED' : 'PENDING';
}

/** A split needs an id only to be named in a refund; a wallet occurs once in a payment. */
export function splitIdOf(charge: StoredCharge, walletId: string): string {
  return `${charge.id.slice(3, 22)}${walletId.slice(19)}`;
}

/** https://docs.asaas.com/discuss/64f8f3a45a61b5007abc37a8: a removed payment is in no list; alone it is marked. */
export function isDeleted(charge: StoredCharge): boolean {
  return charge.status === 'canceled' && charge.method !== 'card';
}

export const createdAt = ({ operations: [first] }: StoredCharge): string => first?.at ?? '';

/** When the customer paid; null before. The core keeps no time of a pix or boleto, so their day is that of the creation. */
function paidDateOf(charge: StoredCharge): string | null {
  if (charge.captured === 0) return null;
  const captured = charge.operations.findLast(
    ({ operation, status }) => operation === 'capture' && status === 'approved',
  );
  return dayOf(captured?.at ?? createdAt(charge));
}

/** An installment is due a month after the one before it. */
function dueDateOf(charge: StoredCharge, part: number): string {
  const first = DateTime.fromISO(paymentDataOf(charge).due_date);
  return first.plus({ months: part - 1 }).toFormat('yyyy-MM-dd');
}

function later(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
