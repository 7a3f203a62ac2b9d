import { assertNever } from '../../domain/shared/assert-never';
import { GatewayError } from '../errors';
import type { CardVerificationRequest, Declined, GatewayContext, VerifiedCard } from '../gateway';
import { postPayment } from './calls';
import { abandon, createCardMethod, refusedCard } from './card-requests';
import { authenticationRequired, declined, wordsOfError } from './declines';
import { REFERENCE_KEY } from './references';
import { setupIntentParams } from './request-bodies';
import { setupIntentReply, type StripeSetupIntent } from './wire';

const PATH = 'setup_intents';

/**
 * Asks the issuer by a SetupIntent without a customer, so that Stripe saves nothing. Stripe tells no network ids of it.
 * https://docs.stripe.com/payments/setup-intents, https://docs.stripe.com/api/setup_attempts/object
 */
export async function verifyCard(
  ctx: GatewayContext,
  request: CardVerificationRequest,
): Promise<VerifiedCard | Declined> {
  const method = await createCardMethod(ctx, request.card, request);
  if ('failure' in method) return declined(wordsOfError(method.failure.error), null);
  const params = setupIntentParams(request.reference, method.id);
  const { idempotencyKey, sendBefore } = ctx;
  const answer = await postPayment(ctx, { path: PATH, params, idempotencyKey, sendBefore }, setupIntentReply);
  if ('failure' in answer) {
    const { error, setupIntentId: id } = answer.failure;
    return refusedCard(ctx, error, { intents: PATH, id });
  }
  const setup = answer.object;
  if (setup.metadata[REFERENCE_KEY] !== request.reference) {
    throw new GatewayError('ambiguous', 'the gateway answered for another request');
  }
  const outcome = verificationOutcome(setup, method.id);
  if (outcome === null) throw new GatewayError('ambiguous', 'the gateway did not verify the card');
  // It has no `error_on_requires_action`, and nobody could answer the challenge.
  if (setup.status === 'requires_action') await abandon(ctx, PATH, setup.id);
  return outcome;
}

/** Null if the state says neither that the issuer agreed nor that it refused. */
function verificationOutcome(setup: StripeSetupIntent, methodId: string): VerifiedCard | Declined | null {
  switch (setup.status) {
    case 'succeeded':
      return setup.payment_method === methodId ? { kind: 'verified', networkIds: null } : null;
    case 'requires_action':
      return authenticationRequired(setup.id);
    case 'requires_payment_method':
      return setup.last_setup_error ? declined(wordsOfError(setup.last_setup_error), setup.id) : null;
    case 'canceled':
    case 'processing':
    case 'requires_confirmation':
      return null;
    default:
      return assertNever(setup.status);
  }
}
