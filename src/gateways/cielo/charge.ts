import type { AccountFeature } from '../../domain/routing/learned-limits';
import { GatewayError } from '../errors';
import type { ChargeRequest, GatewayContext, Outcome } from '../gateway';
import { readReply } from '../read-reply';
import { change } from './calls';
import { cieloErrorOf, NO_PIX } from './errors';
import { chargeOutcome, methodOf } from './outcomes';
import { boletoSale, cardSale, orderIdOf, pixSale } from './request-bodies';
import { type CieloPayment, type CieloSaleReply, saleReply } from './wire';

/** Charges or authorizes a card. */
export function chargeCard(
  ctx: GatewayContext,
  request: ChargeRequest,
  { capture }: { readonly capture: boolean },
): Promise<Outcome> {
  const body = cardSale(request, { capture });
  return create(ctx, request, { body, feature: 'raw_cards', expected: capture ? 'approved' : 'authorized' });
}

export function createPix(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
  return create(ctx, request, { body: pixSale(request), feature: 'pix', expected: 'pending' });
}

/** The name of the credential that says which bank issues the boletos. */
export const BOLETO_PROVIDER = 'boleto_provider';

/** A boleto of the company's own bank, with which it has a contract. */
export async function createBoleto(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
  const provider = ctx.credentials[BOLETO_PROVIDER];
  if (provider === undefined || provider === '')
    throw new GatewayError('unsupported', `the credentials have no ${BOLETO_PROVIDER}`, null, 'billet');
  const body = boletoSale(request, provider);
  const outcome = await create(ctx, request, { body, feature: 'billet', expected: 'pending' });
  // Nobody could pay it. An inquiry may show its code.
  if (outcome.kind !== 'declined' && outcome.billet === null)
    throw new GatewayError('ambiguous', 'the gateway did not show the boleto');
  return outcome;
}

async function create(
  ctx: GatewayContext,
  request: ChargeRequest,
  {
    body,
    feature,
    expected,
  }: {
    readonly body: object;
    readonly feature: AccountFeature;
    readonly expected: 'approved' | 'authorized' | 'pending';
  },
): Promise<Outcome> {
  const response = await change(ctx, { method: 'POST', path: 'sales/', body });
  if (response.status !== 201) throw cieloErrorOf(response, feature);
  const sale = readReply(response, saleReply);
  if (!isOf(sale, request)) throw new GatewayError('ambiguous', 'the gateway answered for another request');
  if (lacksPix(sale.Payment))
    throw new GatewayError('unsupported', 'Cielo has not enabled pix for this account', NO_PIX, 'pix');
  const outcome = chargeOutcome(sale.Payment);
  if (outcome?.kind === 'declined' || outcome?.kind === expected) return outcome;
  throw new GatewayError('ambiguous', 'the gateway did not finish the sale');
}

/** "Códigos e Mensagens de Erro - Pix": 422 of an authorization. The sale is aborted, so nobody can pay it. */
function lacksPix(payment: CieloPayment): boolean {
  const isAborted = payment.Status === 13 || payment.Status === 3;
  return methodOf(payment) === 'pix' && isAborted && payment.ReturnCode === NO_PIX;
}

function isOf({ MerchantOrderId, Payment }: CieloSaleReply, request: ChargeRequest): boolean {
  return (
    MerchantOrderId === orderIdOf(request.reference) &&
    Payment.Amount === request.amountCents &&
    methodOf(Payment) === request.paymentMethod
  );
}
