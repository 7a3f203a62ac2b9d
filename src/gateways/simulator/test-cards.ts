import luhn from 'card-validator/dist/luhn-10';

/**
 * Numbers with a behaviour of their own, as in a vendor's test mode (README.md has the table).
 * Every other number that passes the Luhn check is approved.
 */
const DECLINED_NUMBERS: ReadonlyMap<string, string> = new Map([
  ['4000000000000002', '05'],
  ['4000000000009995', '51'],
  ['4000000000009987', '41'],
  ['4000000000009979', '43'],
]);
const OUTAGE_NUMBER = '4000000000000119';

export type CardVerdict =
  | { readonly kind: 'approve' }
  | { readonly kind: 'decline'; readonly code: string }
  | { readonly kind: 'outage' };

interface PresentedCard {
  readonly number: string;
  readonly expire_month: number;
  readonly expire_year: number;
}

/** What the issuer says of a card at an instant: ISO 8583 code 14 for a number that cannot be, 54 for an expired card. */
export function judgeCard(card: PresentedCard, now: Date): CardVerdict {
  if (card.number === OUTAGE_NUMBER) return { kind: 'outage' };
  if (!luhn(card.number)) return { kind: 'decline', code: '14' };
  const firstInvalidMonth = Date.UTC(card.expire_year, card.expire_month, 1);
  if (firstInvalidMonth <= now.getTime()) return { kind: 'decline', code: '54' };
  const code = DECLINED_NUMBERS.get(card.number);
  return code === undefined ? { kind: 'approve' } : { kind: 'decline', code };
}
