import { assertNever } from '../../domain/shared/assert-never';
import { followUpOutcome } from '../follow-up-outcome';
import type { FollowUp, Outcome } from '../gateway';
import type { ListedRefund } from '../inquired-refund';
import { declined } from './declines';
import type { MercadoPagoPayment, MercadoPagoRefund } from './wire';

/** A pix refund may be `in_process`: https://www.mercadopago.com.br/developers/en/docs/checkout-api-payments/payment-management/cancellations-and-refunds */
export function stateOf({ status }: MercadoPagoRefund): ListedRefund['state'] {
  switch (status) {
    case 'approved':
    case null:
    case undefined:
      return 'done';
    case 'in_process':
      return 'pending';
    case 'rejected':
    case 'cancelled':
      return 'refused';
    default:
      return assertNever(status);
  }
}

export function refundOutcome(
  state: ListedRefund['state'],
  { gatewayTransactionId: id, amountCents }: Pick<FollowUp, 'gatewayTransactionId' | 'amountCents'>,
): Outcome {
  switch (state) {
    case 'done':
      return followUpOutcome('refunded', id, amountCents);
    case 'pending':
      return followUpOutcome('pending', id, amountCents);
    case 'refused':
      return declined('refund_rejected', id);
    default:
      return assertNever(state);
  }
}

/** Whether Mercado Pago answered for this refund. */
export function isRefundOf(refund: MercadoPagoRefund, operation: FollowUp): boolean {
  return refund.payment_id === operation.gatewayTransactionId && refund.amount === operation.amountCents;
}

/**
 * What went back to the customer: the refunds that are done, or what the payment says if that is more, because not each refund is
 * listed. A refund that is not done yet may be in the payment's sum.
 */
export function refundedCents(payment: MercadoPagoPayment): number {
  const refunds = payment.refunds ?? [];
  const sum = (state: ListedRefund['state']): number =>
    refunds.filter((refund) => stateOf(refund) === state).reduce((total, { amount }) => total + amount, 0);
  const reported =
    payment.status === 'refunded' ? payment.transaction_amount : (payment.transaction_amount_refunded ?? 0);
  return Math.max(sum('done'), reported - sum('pending'));
}
