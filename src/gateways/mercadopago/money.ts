import { GatewayError } from '../errors';

/** A Mercado Pago account has one currency, and payments carry none: https://www.mercadopago.com.br is BRL. */
export const CURRENCY = 'BRL';

const DECIMAL = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/** 12990 is `129.90`. */
export function amountText(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * The number that a request carries: read from decimal text, so that the text of the request has the same digits.
 *
 * @throws GatewayError `unsupported` if the account's currency is another one, or the digits do not fit
 */
export function amountNumber(cents: number, currency: string): number {
  if (currency !== CURRENCY)
    throw new GatewayError('unsupported', `this gateway does not support ${currency}`);
  const amount = Number(amountText(cents));
  if (centsOf(amount) !== cents)
    throw new GatewayError('unsupported', 'this gateway does not take so large amounts');
  return amount;
}

/** The cents of an amount in an answer; null if it has more than two decimals. */
export function centsOf(amount: number): number | null {
  const [, reais, decimals = ''] = DECIMAL.exec(String(amount)) ?? [];
  return reais === undefined ? null : Number(`${reais}${decimals.padEnd(2, '0')}`);
}
