import type { DisputeHint } from '../callback';
import type { ChargeMoney } from './charge-money';
import type { PagarmeCharge } from './wire';

/**
 * The chargeback of a charge; null if it has none. `chargedback` is the final state of a charge: the money is gone, and whoever
 * contests that does so with Pagar.me outside the API (https://docs.pagar.me/page/chargeback-novo-status-na-cobrança). It has neither
 * an id of its own, nor a reason, nor a deadline, and is of all that the charge still holds.
 *
 * @param otherwise when it became so, if the charge does not tell
 */
export function chargebackOf(
  charge: PagarmeCharge,
  { paidCents, refundedCents }: ChargeMoney,
  otherwise: Date | null,
): DisputeHint | null {
  const at = instantOf(charge.updated_at) ?? otherwise;
  const amountCents = paidCents - refundedCents;
  if (charge.status !== 'chargedback' || amountCents <= 0 || at === null) return null;
  return {
    gatewayDisputeId: charge.id,
    currency: charge.currency?.toUpperCase() ?? null,
    kind: 'chargeback',
    status: 'lost',
    amountCents,
    reasonCode: null,
    evidenceDueAt: null,
    at,
  };
}

function instantOf(text: string | null | undefined): Date | null {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? null : at;
}
