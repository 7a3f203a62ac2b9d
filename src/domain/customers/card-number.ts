import creditCardType from 'credit-card-type';
import luhn from 'card-validator/dist/luhn-10';

/** Digits with nothing but spaces, dots, hyphens and invisible characters between them. */
const DIGIT_RUN = /\d(?:[\p{Zs}\t.\p{Pd}\p{Cf}]*\d){11,}/gu;
const SEPARATORS = /\D/g;
/** UUIDs, hashes and our own tokens: one in 2,000 has such a run among its hexadecimal digits. */
const HEXADECIMAL =
  /(?<![0-9a-z])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,})(?![0-9a-z])/gi;

/** The prefixes of each card network, and the lengths of its numbers. */
const NETWORKS = Object.values(creditCardType.types).map((type) => creditCardType.getTypeInfo(type));

/**
 * Whether the text has a card number: a whole run of digits that has the prefix and the length of a card network and a
 * valid check digit. The check digit alone would refuse one timestamp in ten. Call it for text that is stored in clear.
 */
export function containsCardNumber(text: string): boolean {
  // NFKC turns full-width digits into ordinary ones.
  const readable = text.normalize('NFKC').replaceAll(HEXADECIMAL, '#');
  const runs = readable.match(DIGIT_RUN) ?? [];
  return runs.some((run) => isCardNumber(run.replaceAll(SEPARATORS, '')));
}

function isCardNumber(digits: string): boolean {
  return luhn(digits) && NETWORKS.some((network) => fits(network, digits));
}

function fits({ patterns, lengths }: (typeof NETWORKS)[number], digits: string): boolean {
  return lengths.includes(digits.length) && patterns.some((pattern) => hasPrefix(digits, pattern));
}

/** `pattern` is a prefix, or the first and the last one of a range. */
function hasPrefix(digits: string, pattern: number | readonly number[]): boolean {
  const [first = Number.NaN, last = first] = typeof pattern === 'number' ? [pattern] : pattern;
  const prefix = Number(digits.slice(0, String(first).length));
  return prefix >= first && prefix <= last;
}
