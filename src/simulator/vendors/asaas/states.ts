import { assertNever } from '../../../domain/shared/assert-never';
import type { StoredCharge, StoredOperation } from '../../charge-store';
import { dayOf } from './amounts';
import { centsOf, followUpDataOf, paymentDataOf, refundedCents, refundsOf } from './record';

/** `PaymentGetResponsePaymentStatus` of the SDK, and AUTHORIZED of https://docs.asaas.com/reference/capture-payment-with-pre-authorization */
export type AsaasPaymentStatus =
  | 'PENDING'
  | 'RECEIVED'
  | 'CONFIRMED'
  | 'OVERDUE'
  | 'REFUNDED'
  | 'REFUND_REQUESTED'
  | 'REFUND_IN_PROGRESS'
  | 'CHARGEBACK_REQUESTED'
  | 'CHARGEBACK_DISPUTE'
  | 'AWAITING_CHARGEBACK_REVERSAL'
  | 'AWAITING_RISK_ANALYSIS'
  | 'AUTHORIZED';

/** https://docs.asaas.com/docs/payments-1: after three days a reservation is released. */
const RESERVATION_MS = 3 * 24 * 60 * 60 * 1000;

export function isReservationOver({ operations }: StoredCharge): boolean {
  return Date.parse(operations[0]?.at ?? '') + RESERVATION_MS < Date.now();
}

export function paymentStatusOf(charge: StoredCharge, part: number): AsaasPaymentStatus {
  switch (charge.status) {
    case 'approved':
      return paidStatusOf(charge, part);
    case 'authorized':
      return reservedStatusOf(charge);
    // https://docs.asaas.com/docs/webhook-para-cobrancas: overdue from the day after the due date, and still payable.
    case 'pending':
      return paymentDataOf(charge).due_date < dayOf(new Date()) ? 'OVERDUE' : 'PENDING';
    case 'expired':
      return 'OVERDUE';
    // A deleted payment keeps its status and is marked as `deleted`; a released reservation is refunded.
    case 'canceled':
      return charge.method === 'card' ? 'REFUNDED' : 'PENDING';
    case 'refunded':
      return 'REFUNDED';
    case 'declined':
      throw new Error('a declined payment is not kept');
    default:
      return assertNever(charge.status);
  }
}

/** A card's money comes a month later, so it is confirmed; pix and boleto are received. A partial refund changes nothing. */
function paidStatusOf(charge: StoredCharge, part: number): AsaasPaymentStatus {
  const refunds = refundsOf(charge, part).filter(({ status }) => status !== 'declined');
  const sum = refunds.reduce((total, each) => total + refundedCents(charge, part, each), 0);
  if (refunds.length > 0 && sum >= centsOf(charge, part)) {
    if (refunds.every(({ pending }) => pending === undefined)) return 'REFUNDED';
    // https://docs.asaas.com/docs/webhook-para-cobrancas: a boleto's refund waits for the payer's account.
    return charge.method === 'billet' ? 'REFUND_REQUESTED' : 'REFUND_IN_PROGRESS';
  }
  return charge.method === 'card' ? 'CONFIRMED' : 'RECEIVED';
}

function reservedStatusOf(charge: StoredCharge): AsaasPaymentStatus {
  const waiting = charge.operations.find(({ pending }) => pending !== undefined);
  if (waiting !== undefined && isReview(waiting)) return 'AWAITING_RISK_ANALYSIS';
  if (waiting?.operation === 'cancel') return 'REFUND_IN_PROGRESS';
  return isReservationOver(charge) ? 'REFUNDED' : 'AUTHORIZED';
}

/** Whether an operation is the outcome of a risk analysis, which no request asked for. */
export function isReview(operation: StoredOperation): boolean {
  return followUpDataOf(operation).review;
}
