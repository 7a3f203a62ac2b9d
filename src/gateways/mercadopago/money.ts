import { centsOfDecimal, decimalAmount } from '../decimal-amount';
import { GatewayError } from '../errors';

/** A Mercado Pago account has one currency, and payments carry none: https://www.mercadopago.com.br is BRL. */
export const CURRENCY = 'BRL';

/**
 * The amount of a request.
 *
 * @throws GatewayError `unsupported` if the account's currency is another one, or a JSON number does not hold the amount
 */
export function amountNumber(cents: number, currency: string): number {
  if (currency !== CURRENCY)
    throw new GatewayError('unsupported', `this gateway does not support ${currency}`);
  const amount = decimalAmount(cents);
  if (centsOfDecimal(amount) !== cents)
    throw new GatewayError('unsupported', 'this gateway does not take so large amounts');
  return amount;
}
