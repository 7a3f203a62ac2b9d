import type { AccountFeature } from '../../domain/routing/learned-limits';
import { GatewayError } from '../errors';
import type { Accepted, ChargeRequest, GatewayContext, Outcome } from '../gateway';
import { readReply } from '../read-reply';
import { call, paymentPath, send } from './calls';
import { cardTokenOf, requireKnownToken } from './card-tokens';
import { customerId } from './customers';
import { declineOf } from './declines';
import { afterCharge, asaasErrorOf } from './errors';
import { readInstallments } from './installments';
import { chargeOutcome, methodOf } from './outcomes';
import { withCodes } from './payment-codes';
import { billetPayment, cardData, cardPayment, pixPayment, tokenData } from './request-bodies';
import { type AsaasPayment, deletedReply, paymentReply } from './wire';

/** Charges or authorizes a card: the customer, then the payment, which charges it at once. A token has its customer. */
export async function chargeCard(
  ctx: GatewayContext,
  request: ChargeRequest,
  { authorizeOnly }: { readonly authorizeOnly: boolean },
): Promise<Outcome> {
  const token = cardTokenOf(request);
  const card = token === null ? cardData(request) : tokenData(request, token);
  const customer = token?.customer ?? (await customerId(ctx, request.customer));
  const body = cardPayment(request, { customer, card, authorizeOnly }, new Date());
  const response = await post(ctx, body);
  if (token !== null) requireKnownToken(response);
  const refusal = declineOf(response);
  if (refusal !== null) return refusal;
  if (response.status !== 200) throw asaasErrorOf(response, 'raw_cards');
  const payment = readReply(response, paymentReply);
  const whole = request.installments > 1 ? await afterCharge(allInstallments(ctx, payment)) : payment;
  return requireCreated(whole, request, authorizeOnly ? 'authorized' : 'approved');
}

/** Creates a pix or boleto: the customer, the payment, and the code by which it is paid. */
export async function createPending(
  ctx: GatewayContext,
  request: ChargeRequest,
  feature: AccountFeature & ('pix' | 'billet'),
): Promise<Outcome> {
  const bodyFor = (customer: string): object =>
    feature === 'pix' ? pixPayment(request, customer) : billetPayment(request, customer);
  // Tells before a request is sent that the payment cannot be made.
  bodyFor('');
  const body = bodyFor(await customerId(ctx, request.customer));
  const response = await post(ctx, body);
  if (response.status !== 200) throw asaasErrorOf(response, feature);
  const payment = readReply(response, paymentReply);
  const outcome = requireCreated(payment, request, 'pending');
  return feature === 'pix'
    ? withQrCode(ctx, payment, outcome)
    : afterCharge(withCodes(ctx, payment, outcome));
}

/** Asaas answers with the first of several payments. */
async function allInstallments(ctx: GatewayContext, { installment }: AsaasPayment): Promise<AsaasPayment> {
  const whole = installment === null ? null : await readInstallments(ctx, installment);
  if (whole === null) throw new GatewayError('ambiguous', 'the gateway did not show the installments');
  return whole;
}

function post(ctx: GatewayContext, body: object) {
  return send(ctx, { method: 'POST', path: 'payments', body, sendBefore: ctx.sendBefore });
}

/** Without a Pix key Asaas may refuse the code. The payment is removed then, since nobody can pay it. */
async function withQrCode(ctx: GatewayContext, payment: AsaasPayment, outcome: Accepted): Promise<Accepted> {
  try {
    return await withCodes(ctx, payment, outcome);
  } catch (error) {
    const isRefused = error instanceof GatewayError && error.family === 'invalid_request';
    if (!isRefused) return afterCharge(Promise.reject(error as Error));
    const request = { method: 'DELETE', path: paymentPath(payment.id), sendBefore: null } as const;
    await afterCharge(call(ctx, request, deletedReply));
    throw new GatewayError(
      'unsupported',
      'Asaas gives this account no pix codes: register a Pix key',
      error.code,
      'pix',
    );
  }
}

/**
 * The outcome of a payment that was just created.
 *
 * @throws GatewayError `ambiguous` if it is of another request, or in a state that tells no result of it
 */
function requireCreated(
  payment: AsaasPayment,
  request: ChargeRequest,
  expected: 'approved' | 'authorized' | 'pending',
): Accepted {
  const isOurs =
    payment.externalReference === request.reference &&
    payment.value === request.amountCents &&
    methodOf(payment) === request.paymentMethod;
  if (!isOurs) throw new GatewayError('ambiguous', 'the gateway answered for another request');
  const outcome = chargeOutcome(payment);
  if (outcome?.kind === expected) return outcome;
  throw new GatewayError('ambiguous', 'the gateway did not finish the payment');
}
