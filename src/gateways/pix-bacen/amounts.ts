import { z } from 'zod';
import { GatewayError } from '../errors';

/** Amounts are texts: `valor` of the Pix API 2.9.0, whose pattern is not anchored. */
const AMOUNT = /^\d{1,10}\.\d{2}$/;
const MAX_CENTS = 999_999_999_999;

/** @throws GatewayError `unsupported` beyond ten digits of reais */
export function amountText(cents: number): string {
  if (cents > MAX_CENTS) throw new GatewayError('unsupported', 'the amount is too large for a pix');
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads an amount as cents. */
export const amount = z
  .string()
  .regex(AMOUNT)
  .transform((text) => Number(text.replace('.', '')));
