import { z } from 'zod';
import { GatewayError } from '../errors';
import type { Declined, GatewayCard, GatewayContext } from '../gateway';
import { post, postPayment } from './calls';
import { authenticationRequired, declined, wordsOfError } from './declines';
import { asksForAuthentication, type StripeFailure } from './errors';
import { ABANDONED } from './outcomes';
import { cardMethodParams, type CardOwner } from './request-bodies';
import { methodReply, type StripeErrorFields } from './wire';

/** What a card is confirmed for: a payment, or later payments. */
export type CardIntents = 'payment_intents' | 'setup_intents';

/**
 * The PaymentMethod of the card. No money moves, so a lost answer is a failure. Repeated with the same key it is the same
 * PaymentMethod, so that the request that follows is the same too.
 */
export async function createCardMethod(
  ctx: GatewayContext,
  card: GatewayCard,
  owner: CardOwner,
): Promise<{ readonly id: string } | { readonly failure: StripeFailure }> {
  try {
    const answer = await postPayment(
      ctx,
      {
        path: 'payment_methods',
        params: cardMethodParams(card, owner),
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

/** The decline of a card by the error of its confirmation. `id` is of what the error left behind; null if nothing. */
export async function refusedCard(
  ctx: GatewayContext,
  error: StripeErrorFields,
  { intents, id }: { readonly intents: CardIntents; readonly id: string | null },
): Promise<Declined> {
  const outcome = declined(wordsOfError(error), id);
  if (!asksForAuthentication(error)) return outcome;
  if (id !== null) await abandon(ctx, intents, id);
  return outcome.code === null ? authenticationRequired(id) : outcome;
}

/** Cancels what waits for its customer. Nobody else can complete it, so a failure changes nothing. */
export async function abandon(ctx: GatewayContext, intents: CardIntents, id: string): Promise<void> {
  const request = {
    path: `${intents}/${encodeURIComponent(id)}/cancel`,
    params: { cancellation_reason: ABANDONED },
    idempotencyKey: `${ctx.idempotencyKey}-abandon`,
    sendBefore: null,
  };
  try {
    await post(ctx, request, z.looseObject({}));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}
