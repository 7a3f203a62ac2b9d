import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { GatewayContext, InquirySubject, Outcome } from '../gateway';
import { get, paymentPath } from './calls';
import { declined } from './declines';
import { type AsaasPayment, type AsaasRefund, refundList } from './wire';

/** All refunds of a payment. A payment that has none may leave them out; so may one whose answer is abridged. */
export async function refundsOf(
  ctx: GatewayContext,
  { id, refunds }: AsaasPayment,
): Promise<readonly AsaasRefund[]> {
  if (refunds !== null && refunds !== undefined && refunds.length > 0) return refunds;
  const { data, hasMore } = await get(ctx, `${paymentPath(id)}/refunds`, refundList);
  if (hasMore) throw new GatewayError('ambiguous', 'the charge has too many refunds to be read');
  return data;
}

/** The refunds with our reference, which begins their description. */
export function refundsWith(reference: string, refunds: readonly AsaasRefund[]): readonly AsaasRefund[] {
  return refunds.filter(({ description }) => description?.split(' ')[0] === reference);
}

/** https://docs.asaas.com/docs/refunds */
export function refundOutcome({ status, value }: AsaasRefund, paymentId: string): Outcome {
  switch (status) {
    case 'DONE':
      return followUpOutcome('refunded', paymentId, value);
    case 'CANCELLED':
      return declined('refund_cancelled', 'hard', paymentId);
    // Somebody of the company, or the payer, must agree.
    case 'AWAITING_CRITICAL_ACTION_AUTHORIZATION':
    case 'AWAITING_CUSTOMER_EXTERNAL_AUTHORIZATION':
    case 'PENDING':
      return followUpOutcome('pending', paymentId, value);
  }
}

/**
 * Whether a refund that is not listed may count as never made. Asaas does not say how soon a refund is listed, so a refund of a part
 * is never proven absent: if it were sent again, Asaas would carry both out. A refund of all that is left is safe, because Asaas gives back
 * no more than the payment's value: https://docs.asaas.com/reference/refund-payment
 */
export function isRefundAbsent(
  { status, value }: Pick<AsaasPayment, 'status' | 'value'>,
  listed: readonly AsaasRefund[],
  asked: InquirySubject['refund'],
): boolean {
  // The payment shows a refund that is not listed, or not as ours.
  if (status.startsWith('REFUND') || asked === undefined) return false;
  const returned = listed
    .filter((each) => each.status !== 'CANCELLED')
    .reduce((sum, refund) => sum + refund.value, 0);
  return returned + asked.amountCents >= value;
}
