import type { Accepted } from './gateway';

/** What was accepted, with nothing else known. Amounts are minor units. */
export function followUpOutcome(
  kind: Accepted['kind'],
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
