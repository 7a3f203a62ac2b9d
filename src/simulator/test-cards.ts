import luhn from 'card-validator/dist/luhn-10';
import type { Recurring } from '../gateways/simulator/wire';

/** Why an issuer refuses: the response code, and the network's advice where it gives one. */
export interface Refused {
  readonly code: string;
  /** Mastercard's Merchant Advice Code. */
  readonly adviceCode: string | null;
}

const refusedWith = (code: string, adviceCode: string | null = null): Refused => ({ code, adviceCode });

/**
 * Numbers with a behaviour of their own, as in a vendor's test mode (README.md has the table).
 * Every other number that passes the Luhn check is approved.
 */
const DECLINED_NUMBERS: ReadonlyMap<string, Refused> = new Map([
  ['4000000000000002', refusedWith('05')],
  ['4000000000009995', refusedWith('51')],
  ['4000000000009987', refusedWith('41')],
  ['4000000000009979', refusedWith('43')],
  ['5100000000000024', refusedWith('51', '24')],
  ['5100000000000503', refusedWith('05', '03')],
]);
/** Good for whatever its holder buys, and for the first charge of a subscription; empty ever after. */
const FIRST_CHARGE_ONLY_NUMBER = '4000000000000341';
const OUTAGE_NUMBER = '4000000000000119';

export type CardVerdict =
  { readonly kind: 'approve' } | ({ readonly kind: 'decline' } & Refused) | { readonly kind: 'outage' };

interface PresentedCard {
  readonly number: string;
  readonly expire_month: number;
  readonly expire_year: number;
}

/** What the issuer says of a card at an instant: ISO 8583 code 14 for a number that cannot be, 54 for an expired card. */
export function judgeCard(card: PresentedCard, recurring: Recurring | null, now: Date): CardVerdict {
  if (card.number === OUTAGE_NUMBER) return { kind: 'outage' };
  const refused = refusalOf(card, recurring, now);
  return refused === null ? { kind: 'approve' } : { kind: 'decline', ...refused };
}

function refusalOf(card: PresentedCard, recurring: Recurring | null, now: Date): Refused | null {
  if (!luhn(card.number)) return refusedWith('14');
  const firstInvalidMonth = Date.UTC(card.expire_year, card.expire_month, 1);
  if (firstInvalidMonth <= now.getTime()) return refusedWith('54');
  if (card.number === FIRST_CHARGE_ONLY_NUMBER && recurring?.sequence === 'subsequent')
    return refusedWith('51');
  return DECLINED_NUMBERS.get(card.number) ?? null;
}
