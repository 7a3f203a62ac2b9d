import { currencyDecimals } from '../../domain/shared/currency';
import { GatewayError } from '../errors';

/**
 * Amounts are minor units of ISO 4217, at Stripe too: https://docs.stripe.com/currencies#zero-decimal. Not so these, which
 * have another number of decimals at Stripe (#special-cases, and MGA).
 */
const OTHER_DECIMALS: ReadonlySet<string> = new Set(['ISK', 'UGX', 'MGA']);

/** Of a currency with three decimals the last digit must be 0: https://docs.stripe.com/currencies#three-decimal */
const THREE_DECIMALS_STEP = 10;

/**
 * The amount as Stripe counts it, which is the same number.
 *
 * @throws GatewayError `unsupported` if Stripe counts the currency in another way, or cannot express the amount
 */
export function stripeAmount(amountCents: number, currency: string): number {
  if (OTHER_DECIMALS.has(currency)) {
    throw new GatewayError('unsupported', `this gateway does not support ${currency}`);
  }
  if (currencyDecimals(currency) === 3 && amountCents % THREE_DECIMALS_STEP !== 0) {
    throw new GatewayError('unsupported', 'this gateway does not take so small parts of the currency');
  }
  return amountCents;
}
