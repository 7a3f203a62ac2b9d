import creditCardType from 'credit-card-type';
import luhn from 'card-validator/dist/luhn-10';

/** What the API takes, and what no scheme's number is longer than. */
const LENGTH = { min: 13, max: 19 };
const ANY_SCHEME = { type: 'unknown', gaps: [4, 8, 12], lengths: [16], code: { name: 'CVV', size: 3 } };

interface Scheme {
  readonly type: string;
  readonly gaps: readonly number[];
  readonly lengths: readonly number[];
  readonly code: { readonly name: string; readonly size: number };
}

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** The one scheme whose number this begins; a name for it that no other part of the service has: `amex`, `diners`. */
export function schemeOf(number: string): Scheme {
  const digits = digitsOf(number);
  const [first, second] = digits === '' ? [] : creditCardType(digits);
  return first !== undefined && (second === undefined || digits.length >= 6) ? first : ANY_SCHEME;
}

/** In groups, as it is printed on cards. */
export function formatNumber(typed: string): string {
  const { gaps, lengths, type } = schemeOf(typed);
  const longest = type === 'unknown' ? LENGTH.max : Math.max(...lengths);
  const digits = digitsOf(typed).slice(0, longest);
  const ends = [...gaps.filter((gap) => gap < digits.length), digits.length];
  return ends.map((end, index) => digits.slice(index === 0 ? 0 : ends[index - 1], end)).join(' ');
}

export function isNumberComplete(number: string): boolean {
  const digits = digitsOf(number);
  return digits.length >= Math.max(...schemeOf(digits).lengths);
}

export function isNumberValid(number: string): boolean {
  const digits = digitsOf(number);
  const { lengths, type } = schemeOf(digits);
  const fits = type === 'unknown' ? digits.length >= LENGTH.min : lengths.includes(digits.length);
  return fits && digits.length >= LENGTH.min && luhn(digits);
}
