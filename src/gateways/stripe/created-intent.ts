import { GatewayError } from '../errors';
import type { ChargeRequest, Outcome } from '../gateway';
import { stripeAmount } from './money';
import { chargeOutcome, methodOf } from './outcomes';
import { REFERENCE_KEY } from './references';
import type { MethodType, StripeIntent } from './wire';

const METHOD_TYPE = { card: 'card', pix: 'pix', billet: 'boleto' } as const satisfies Record<
  ChargeRequest['paymentMethod'],
  MethodType
>;

/**
 * The outcome of a PaymentIntent that was just created.
 *
 * @throws GatewayError `ambiguous` if it is of another request, or in a state that tells no result of it
 */
export function requireCreated(
  intent: StripeIntent,
  request: ChargeRequest,
  expected: 'approved' | 'authorized' | 'pending',
): Outcome {
  const { amount, currency, metadata, transfer_data: transfer } = intent;
  const isOurs =
    metadata[REFERENCE_KEY] === request.reference &&
    amount === stripeAmount(request.amountCents, request.currency) &&
    currency === request.currency.toLowerCase() &&
    methodOf(intent) === METHOD_TYPE[request.paymentMethod] &&
    (transfer?.destination ?? null) === (request.splits[0]?.recipientId ?? null);
  if (!isOurs) throw new GatewayError('ambiguous', 'the gateway answered for another request');
  const outcome = chargeOutcome(intent);
  if (outcome === null) throw new GatewayError('ambiguous', 'the gateway did not finish the payment');
  if (outcome.kind === 'declined' || outcome.kind === expected) return outcome;
  throw new GatewayError('ambiguous', 'the gateway answered with an unexpected state');
}
