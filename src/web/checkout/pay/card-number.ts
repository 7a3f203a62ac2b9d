import creditCardType from 'credit-card-type';
import luhn from 'card-validator/dist/luhn-10';

/** Limits of the API, which allow the longest number of any brand. */
const LENGTH = { min: 13, max: 19 };
const UNKNOWN_BRAND = { type: 'unknown', gaps: [4, 8, 12], lengths: [16], code: { name: 'CVV', size: 3 } };

interface CardBrand {
  readonly type: string;
  readonly gaps: readonly number[];
  readonly lengths: readonly number[];
  readonly code: { readonly name: string; readonly size: number };
}

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/**
 * The card brand that a number starts with. The names are those of `credit-card-type`, such as `american-express`; the
 * API says `amex`.
 */
export function cardBrandOf(number: string): CardBrand {
  const digits = digitsOf(number);
  const [first, second] = digits === '' ? [] : creditCardType(digits);
  return first !== undefined && (second === undefined || digits.length >= 6) ? first : UNKNOWN_BRAND;
}

/** Groups the digits as they are printed on the card. */
export function formatNumber(typed: string): string {
  const { gaps, lengths, type } = cardBrandOf(typed);
  const longest = type === 'unknown' ? LENGTH.max : Math.max(...lengths);
  const digits = digitsOf(typed).slice(0, longest);
  const ends = [...gaps.filter((gap) => gap < digits.length), digits.length];
  return ends.map((end, index) => digits.slice(index === 0 ? 0 : ends[index - 1], end)).join(' ');
}

export function isNumberComplete(number: string): boolean {
  const digits = digitsOf(number);
  return digits.length >= Math.max(...cardBrandOf(digits).lengths);
}

export function isNumberValid(number: string): boolean {
  const digits = digitsOf(number);
  const { lengths, type } = cardBrandOf(digits);
  const fits = type === 'unknown' ? digits.length >= LENGTH.min : lengths.includes(digits.length);
  return fits && digits.length >= LENGTH.min && luhn(digits);
}
