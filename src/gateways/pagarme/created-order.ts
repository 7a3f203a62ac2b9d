import { GatewayError } from '../errors';
import type { AccountFeature } from '../../domain/routing/learned-limits';
import type { ChargeRequest, Outcome } from '../gateway';
import { moneyOf } from './charge-money';
import { withWords } from './errors';
import { chargeOutcome, refusalOf } from './outcomes';
import type { PagarmeCharge, PagarmeOrder } from './wire';

const METHODS = { card: 'credit_card', pix: 'pix', billet: 'boleto' } as const satisfies Record<
  ChargeRequest['paymentMethod'],
  PagarmeCharge['payment_method']
>;

/**
 * The outcome of an order that was just created.
 *
 * @throws GatewayError `ambiguous` if it is of another request or in a state that tells no result of it, and the refusal of an order
 *   that Pagar.me did not send to an acquirer
 */
export function requireCreated(
  order: PagarmeOrder,
  request: ChargeRequest,
  expected: 'approved' | 'authorized' | 'pending',
): Outcome {
  const [charge, ...others] = order.charges;
  const isOurs =
    order.code === request.reference &&
    order.amount === request.amountCents &&
    others.length === 0 &&
    charge?.amount === request.amountCents &&
    charge.payment_method === METHODS[request.paymentMethod];
  if (charge === undefined || !isOurs)
    throw new GatewayError('ambiguous', 'the gateway answered for another request');
  if (charge.status === 'failed') throwRefusal(charge, request);
  const outcome = chargeOutcome(charge, moneyOf(charge));
  if (outcome === null) throw new GatewayError('ambiguous', 'the gateway did not finish the payment');
  const isWhole = outcome.kind !== 'approved' || outcome.amountCents === request.amountCents;
  if (outcome.kind === 'declined' || (outcome.kind === expected && isWhole)) return outcome;
  throw new GatewayError('ambiguous', 'the gateway answered with an unexpected state');
}

/** Recorded: the account of a shop has no acquirer for a brand. */
const NOT_CONFIGURED = /possui um meio de pagamento configurado/i;
const FEATURES: Readonly<Record<ChargeRequest['paymentMethod'], AccountFeature | null>> = {
  // Only one brand may be missing, so it says nothing about other cards.
  card: null,
  pix: 'pix',
  billet: 'billet',
};

function throwRefusal(charge: PagarmeCharge, { paymentMethod }: ChargeRequest): void {
  const refusal = refusalOf(charge);
  if (refusal === null) return;
  const { code, words } = refusal;
  if (NOT_CONFIGURED.test(words)) {
    const message = withWords('the account has no such payment method at Pagar.me', words);
    throw new GatewayError('unsupported', message, code, FEATURES[paymentMethod]);
  }
  const message = withWords('Pagar.me refused the order before it asked an acquirer', words);
  throw new GatewayError('invalid_request', message, code);
}
