import { GatewayError } from '../errors';

/**
 * Amounts are minor units of ISO 4217, at Adyen too, except these currencies:
 * https://docs.adyen.com/development-resources/currency-codes
 */
const OTHER_DECIMALS: ReadonlySet<string> = new Set(['CLP', 'CVE', 'IDR', 'ISK']);

export interface AdyenAmount {
  readonly value: number;
  readonly currency: string;
}

/** @throws GatewayError `unsupported` if Adyen counts the currency in another way */
export function adyenAmount(amountCents: number, currency: string): AdyenAmount {
  if (OTHER_DECIMALS.has(currency)) {
    throw new GatewayError('unsupported', `this gateway does not support ${currency}`);
  }
  return { value: amountCents, currency };
}
