import type { GatewayDisputeStatus } from '../disputes/dispute-driver';
import type { DisputeHint } from '../callback';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import { get } from './calls';
import { chargebackPage, type MercadoPagoChargeback, type MercadoPagoPayment } from './wire';

/** `disputes.reason_code` */
const MAX_REASON = 64;

/**
 * The chargebacks of a payment: https://www.mercadopago.com.br/developers/en/docs/checkout-pro/chargebacks/manage. Only a payment
 * that is `charged_back` has one. A token that may not read them shows none.
 *
 * @param askedAt when a chargeback became so, if Mercado Pago does not tell
 */
export async function chargebacksOf(
  ctx: GatewayContext,
  payment: MercadoPagoPayment,
  askedAt: Date,
): Promise<readonly DisputeHint[]> {
  if (payment.status !== 'charged_back') return [];
  const path = `chargebacks/search?${new URLSearchParams({ payment_id: payment.id }).toString()}`;
  const results = await shown(get(ctx, path, chargebackPage));
  return results.filter(({ amount }) => amount > 0).map((each) => disputeOf(each, payment, askedAt));
}

async function shown(
  page: Promise<{ readonly results: readonly MercadoPagoChargeback[] }>,
): Promise<readonly MercadoPagoChargeback[]> {
  try {
    return (await page).results;
  } catch (error) {
    // Without an answer the inquiry is repeated.
    if (!(error instanceof GatewayError) || error.family === 'ambiguous') throw error;
    return [];
  }
}

function disputeOf(
  chargeback: MercadoPagoChargeback,
  payment: MercadoPagoPayment,
  askedAt: Date,
): DisputeHint {
  const { id, amount, currency, reason } = chargeback;
  const status = statusOf(chargeback);
  return {
    gatewayDisputeId: id,
    currency: currency ?? payment.currency_id,
    kind: 'chargeback',
    status,
    // A chargeback may be of several payments.
    amountCents: Math.min(amount, payment.transaction_amount),
    reasonCode: reason && reason.length <= MAX_REASON ? reason : null,
    evidenceDueAt: status === 'opened' ? (chargeback.date_documentation_deadline ?? null) : null,
    at: chargeback.date_last_updated ?? chargeback.date_created ?? askedAt,
  };
}

/**
 * `coverage_applied`: true if the seller keeps the money, null while it is not decided. `pending` means that no documentation was received, or,
 * by another page, that it was and is not reviewed yet: then it is listed.
 */
export function statusOf({
  coverage_applied: isCovered,
  documentation_status: status,
  documentation,
}: MercadoPagoChargeback): GatewayDisputeStatus {
  if (isCovered === true) return 'won';
  if (isCovered === false) return 'lost';
  if (status === 'review_pending' || status === 'valid') return 'submitted';
  return status === 'pending' && (documentation?.length ?? 0) > 0 ? 'submitted' : 'opened';
}
