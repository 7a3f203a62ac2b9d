import { GatewayError } from '../errors';
import type { ChargeRequest, Declined, GatewayContext, Outcome } from '../gateway';
import { read, send } from './calls';
import { requireCreated } from './created-payment';
import { createPayment } from './create-payment';
import { CHALLENGE, declinedToken } from './declines';
import { codesOf, ownError } from './errors';
import { cardPaymentBody, tokenBody } from './request-bodies';
import { tokenReply } from './wire';

/** Charges or authorizes a card in two requests, of which only the second one moves money. */
export async function chargeCard(
  ctx: GatewayContext,
  request: ChargeRequest,
  { capture }: { readonly capture: boolean },
): Promise<Outcome> {
  if (request.card === null) throw new GatewayError('invalid_request', 'a card charge needs a card');
  // Built first: what cannot be charged needs no token.
  const bodyWith = (token: string): object => cardPaymentBody(ctx, request, token, capture);
  bodyWith('');
  const token = await createToken(ctx, { ...request, card: request.card });
  if (typeof token !== 'string') return token;
  const answer = await createPayment(ctx, bodyWith(token));
  if ('declined' in answer) return answer.declined;
  const outcome = requireCreated(answer.payment, request, capture ? 'approved' : 'authorized');
  if (isChallenge(outcome)) await abandon(ctx, answer.payment.id);
  return outcome;
}

/** The token of the card, or why the card was refused. No money moves, so a lost answer is a failure. */
export async function createToken(
  ctx: GatewayContext,
  { card, customer }: Pick<ChargeRequest, 'customer'> & { readonly card: NonNullable<ChargeRequest['card']> },
): Promise<string | Declined> {
  try {
    const response = await send(ctx, {
      method: 'POST',
      path: 'card_tokens',
      body: tokenBody(card, customer),
      idempotencyKey: `${ctx.idempotencyKey}-token`,
      sendBefore: null,
    });
    const error = ownError(response);
    const refused = error !== null && response.status === 400 ? declinedToken(codesOf(error)) : null;
    return refused ?? read(response, tokenReply).id;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.family !== 'ambiguous') throw error;
    throw new GatewayError('not_sent', 'the gateway did not take the card', error.code);
  }
}

function isChallenge(outcome: Outcome): boolean {
  return outcome.kind === 'declined' && outcome.message === CHALLENGE;
}

/**
 * Cancels a payment that waits for its customer, which would stay pending otherwise. Only our server knows what an answer to the
 * challenge needs, so a failure changes nothing.
 */
async function abandon(ctx: GatewayContext, id: string): Promise<void> {
  try {
    await send(ctx, {
      method: 'PUT',
      path: `payments/${encodeURIComponent(id)}`,
      body: { status: 'cancelled' },
      idempotencyKey: `${ctx.idempotencyKey}-abandon`,
      sendBefore: null,
    });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}
