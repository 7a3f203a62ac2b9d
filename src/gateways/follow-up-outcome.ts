import type { Accepted } from './gateway';

/** The result of a capture, cancel or refund. Amounts are minor units. */
export function followUpOutcome(
  kind: 'approved' | 'canceled' | 'refunded' | 'pending',
  gatewayTransactionId: string,
  amountCents: number,
): Accepted {
  return {
    kind,
    gatewayTransactionId,
    amountCents,
    responseCode: '00',
    responseMessage: kind,
    authorizationCode: null,
    networkIds: null,
    captureBefore: null,
    paidAmountCents: null,
    pix: null,
    billet: null,
    chargeState: null,
  };
}
