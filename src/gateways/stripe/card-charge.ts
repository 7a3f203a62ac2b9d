import { GatewayError } from '../errors';
import type { ChargeRequest, GatewayCard, GatewayContext, Outcome } from '../gateway';
import { post, postPayment } from './calls';
import { authenticationRequired, declined, wordsOfError } from './declines';
import { asksForAuthentication, type StripeFailure } from './errors';
import type { RequestParams } from './form';
import { ABANDONED } from './outcomes';
import { cardIntentParams, cardMethodParams } from './request-bodies';
import { requireCreated } from './created-intent';
import { intentReply, methodReply } from './wire';

const PATH = 'payment_intents';

/** Charges or authorizes a card in two requests, of which only the second one moves money. */
export async function chargeCard(
  ctx: GatewayContext,
  request: ChargeRequest,
  { manualCapture }: { readonly manualCapture: boolean },
): Promise<Outcome> {
  if (request.card === null) throw new GatewayError('invalid_request', 'a card charge needs a card');
  const method = await createMethod(ctx, request.card, request);
  if ('failure' in method) return declined(wordsOfError(method.failure.error), null);
  const params = cardIntentParams(request, method.id, manualCapture);
  const answer = await sendIntent(ctx, params);
  if ('failure' in answer) return refused(ctx, answer.failure);
  const outcome = requireCreated(answer.object, request, manualCapture ? 'authorized' : 'approved');
  if (outcome.kind === 'declined') await abandon(ctx, answer.object.id);
  return outcome;
}

/**
 * The PaymentMethod of the card. No money moves, so a lost answer is a failure. Repeated with the same key it is the same
 * PaymentMethod, so that the request that follows is the same too.
 */
async function createMethod(
  ctx: GatewayContext,
  card: GatewayCard,
  request: ChargeRequest,
): Promise<{ readonly id: string } | { readonly failure: StripeFailure }> {
  try {
    const answer = await postPayment(
      ctx,
      {
        path: 'payment_methods',
        params: cardMethodParams(card, request),
        idempotencyKey: `${ctx.idempotencyKey}-method`,
        sendBefore: null,
      },
      methodReply,
    );
    return 'failure' in answer ? answer : { id: answer.object.id };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.family !== 'ambiguous') throw error;
    throw new GatewayError('not_sent', 'the gateway did not take the card', error.code);
  }
}

/**
 * Stripe takes the network transaction id only from accounts that it has enabled for it, and refuses the parameter of all
 * others before it does anything. Those are charged without it.
 */
async function sendIntent(ctx: GatewayContext, params: RequestParams) {
  const { idempotencyKey, sendBefore } = ctx;
  const request = { path: PATH, params, idempotencyKey, sendBefore };
  try {
    return await postPayment(ctx, request, intentReply);
  } catch (error) {
    const isRefused = error instanceof GatewayError && error.code === 'parameter_unknown';
    if (!isRefused || (params.payment_method_options ?? null) === null) throw error;
    const { payment_method_options: _, ...others } = params;
    return postPayment(ctx, { ...request, params: others }, intentReply);
  }
}

async function refused(ctx: GatewayContext, { error, intentId }: StripeFailure): Promise<Outcome> {
  if (!asksForAuthentication(error)) return declined(wordsOfError(error), intentId);
  if (intentId !== null) await abandon(ctx, intentId);
  const outcome = declined(wordsOfError(error), intentId);
  return outcome.code === null ? authenticationRequired(intentId) : outcome;
}

/** Cancels a PaymentIntent that waits for its customer. Nobody else can complete it, so a failure changes nothing. */
async function abandon(ctx: GatewayContext, intentId: string): Promise<void> {
  const request = {
    path: `${PATH}/${encodeURIComponent(intentId)}/cancel`,
    params: { cancellation_reason: ABANDONED },
    idempotencyKey: `${ctx.idempotencyKey}-abandon`,
    sendBefore: null,
  };
  try {
    await post(ctx, request, intentReply);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}
