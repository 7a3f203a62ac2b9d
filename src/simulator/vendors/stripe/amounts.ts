import type { SimulatorResponse } from '../../replies';
import { invalidRequest } from './errors';

/** Amounts are in the currency's smallest unit, of which Stripe has its own list: https://docs.stripe.com/currencies */
const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const THREE_DECIMAL = new Set('bhd jod kwd omr tnd'.split(' '));
/** Written with two decimals although they have none: the amount must be whole. */
const WHOLE_WITH_DECIMALS = new Set('isk ugx'.split(' '));

/** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts; 1 for a currency that is not listed there. */
const MINIMUM: Readonly<Record<string, number>> = {
  ...{ aed: 200, aud: 50, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50, gbp: 30, hkd: 400 },
  ...{ huf: 17500, inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200, sek: 300 },
  ...{ sgd: 50, thb: 1000, usd: 50 },
};
const MAX_AMOUNT = 99_999_999;
/** https://docs.stripe.com/payments/boleto: R$ 5 to R$ 49,999.99. */
const BOLETO = { min: 500, max: 4_999_999 };

/** How many decimals an amount of this currency has at Stripe. */
export function decimalsOf(currency: string): number {
  if (ZERO_DECIMAL.has(currency)) return 0;
  return THREE_DECIMAL.has(currency) ? 3 : 2;
}

/** What is wrong with the amount of a payment; null if nothing is. */
export function amountProblem(amount: number, currency: string, type: string): SimulatorResponse | null {
  const problem = (code: string, message: string) => invalidRequest(message, { code, param: 'amount' });
  if (amount < 1)
    return problem('parameter_invalid_integer', 'This value must be greater than or equal to 1.');
  const min = type === 'boleto' ? BOLETO.min : (MINIMUM[currency] ?? 1);
  if (amount < min) return problem('amount_too_small', `Amount must be at least ${shown(min, currency)}`);
  const max = type === 'boleto' ? BOLETO.max : MAX_AMOUNT;
  if (amount > max) return problem('amount_too_large', `Amount must be no more than ${shown(max, currency)}`);
  const step = WHOLE_WITH_DECIMALS.has(currency) ? 100 : THREE_DECIMAL.has(currency) ? 10 : 1;
  if (amount % step === 0) return null;
  return invalidRequest(`Invalid ${currency.toUpperCase()} amount: it must be a multiple of ${step}.`, {
    param: 'amount',
  });
}

/** An amount in a message. */
export function shown(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return `${(amount / 10 ** decimals).toFixed(decimals)} ${currency.toUpperCase()}`;
}
