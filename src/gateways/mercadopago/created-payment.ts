import { GatewayError } from '../errors';
import type { ChargeRequest, Declined, Outcome } from '../gateway';
import { INVALID_INSTALLMENTS, DUPLICATE } from './declines';
import { CURRENCY } from './money';
import { chargeOutcome, methodOf } from './outcomes';
import type { MercadoPagoPayment } from './wire';

/**
 * The outcome of a payment that was just created.
 *
 * @throws GatewayError `ambiguous` if it is of another request, or in a state that tells no result of it; `invalid_request` if
 *   the card cannot be charged in so many installments
 */
export function requireCreated(
  payment: MercadoPagoPayment,
  request: ChargeRequest,
  expected: 'approved' | 'authorized' | 'pending',
): Outcome {
  const isOurs =
    payment.external_reference === request.reference &&
    payment.transaction_amount === request.amountCents &&
    payment.currency_id === CURRENCY &&
    methodOf(payment) === request.paymentMethod;
  if (!isOurs) throw new GatewayError('ambiguous', 'the gateway answered for another request');
  const outcome = chargeOutcome(payment);
  if (outcome === null) throw new GatewayError('ambiguous', 'the gateway did not finish the payment');
  if (outcome.kind === 'declined') return requireDecline(outcome);
  if (outcome.kind === expected) return outcome;
  throw new GatewayError('ambiguous', 'the gateway answered with an unexpected state');
}

function requireDecline(outcome: Declined): Declined {
  const { message } = outcome;
  if (message === INVALID_INSTALLMENTS)
    throw new GatewayError('invalid_request', 'the card cannot be charged in so many installments', message);
  // The equal payment may be ours, made by an earlier sending of this request.
  if (message === DUPLICATE)
    throw new GatewayError('ambiguous', 'the gateway has just made an equal payment', message);
  return outcome;
}
