import { GatewayError } from '../errors';
import type { ChargeRequest, GatewayContext, Outcome } from '../gateway';
import { postPayment } from './calls';
import { abandon, createCardMethod, refusedCard } from './card-requests';
import { requireCreated } from './created-intent';
import { declined, wordsOfError } from './declines';
import type { RequestParams } from './form';
import { cardIntentParams } from './request-bodies';
import { intentReply } from './wire';

const PATH = 'payment_intents';

/** Charges or authorizes a card in two requests, of which only the second one moves money. */
export async function chargeCard(
  ctx: GatewayContext,
  request: ChargeRequest,
  { manualCapture }: { readonly manualCapture: boolean },
): Promise<Outcome> {
  if (request.card === null) throw new GatewayError('invalid_request', 'a card charge needs a card');
  const method = await createCardMethod(ctx, request.card, request);
  if ('failure' in method) return declined(wordsOfError(method.failure.error), null);
  const params = cardIntentParams(request, method.id, manualCapture);
  const answer = await sendIntent(ctx, params);
  if ('failure' in answer) {
    const { error, intentId: id } = answer.failure;
    return refusedCard(ctx, error, { intents: PATH, id });
  }
  const outcome = requireCreated(answer.object, request, manualCapture ? 'authorized' : 'approved');
  if (outcome.kind === 'declined') await abandon(ctx, PATH, answer.object.id);
  return outcome;
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
