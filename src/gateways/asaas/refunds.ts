import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { GatewayContext, Outcome } from '../gateway';
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
