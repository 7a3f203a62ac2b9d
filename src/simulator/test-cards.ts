import luhn from 'card-validator/dist/luhn-10';
import { declineMessage, type DeclineClass } from '../domain/payments/decline';
import type { WireInitiation } from '../gateways/simulator/wire';

export interface DeclineReason {
  /** The response code; null if the gateway only has a word of its own for the decline. */
  readonly code: string | null;
  /** Mastercard's Merchant Advice Code. */
  readonly adviceCode: string | null;
  /** The class of a decline without a code. */
  readonly declineClass: DeclineClass | null;
  readonly message: string;
}

export const declineReason = (code: string, adviceCode: string | null = null): DeclineReason => ({
  code,
  adviceCode,
  declineClass: null,
  message: declineMessage(code),
});
export const declineWithoutCode = (declineClass: DeclineClass): DeclineReason => ({
  code: null,
  adviceCode: null,
  declineClass,
  message: WORDS[declineClass],
});

/** A gateway's own words for a decline. */
const WORDS: Readonly<Record<DeclineClass, string>> = {
  soft: 'card_issuer_unavailable',
  hard: 'card_disabled',
  fraud: 'high_risk',
  auth_required: 'challenge_required',
};

/**
 * Test card numbers (docs/simulator.md lists them). Every other number that passes the Luhn check is approved.
 */
const DECLINED_NUMBERS: ReadonlyMap<string, DeclineReason> = new Map([
  ['4000000000000002', declineReason('05')],
  ['4000000000009995', declineReason('51')],
  ['4000000000009987', declineReason('41')],
  ['4000000000009979', declineReason('43')],
  ['5100000000000024', declineReason('51', '24')],
  ['5100000000000503', declineReason('05', '03')],
  ['4000000000000044', declineWithoutCode('soft')],
  ['4000000000000051', declineWithoutCode('fraud')],
]);
/** Approved while the customer takes part; merchant-initiated charges are declined. */
const CUSTOMER_ONLY_NUMBER = '4000000000000341';
const OUTAGE_NUMBER = '4000000000000119';

export type IssuerDecision =
  | { readonly kind: 'approve' }
  | ({ readonly kind: 'decline' } & DeclineReason)
  | { readonly kind: 'outage' };

interface PresentedCard {
  readonly number: string;
  readonly expire_month: number;
  readonly expire_year: number;
}

/** The issuer's decision. ISO 8583 code 14 means an invalid number, 54 an expired card. */
export function decideOnCard(card: PresentedCard, initiation: WireInitiation, now: Date): IssuerDecision {
  if (card.number === OUTAGE_NUMBER) return { kind: 'outage' };
  const reason = declineReasonFor(card, initiation, now);
  return reason === null ? { kind: 'approve' } : { kind: 'decline', ...reason };
}

function declineReasonFor(card: PresentedCard, initiation: WireInitiation, now: Date): DeclineReason | null {
  if (!luhn(card.number)) return declineReason('14');
  const firstInvalidMonth = Date.UTC(card.expire_year, card.expire_month, 1);
  if (firstInvalidMonth <= now.getTime()) return declineReason('54');
  if (card.number === CUSTOMER_ONLY_NUMBER && initiation.initiator === 'merchant') return declineReason('51');
  return DECLINED_NUMBERS.get(card.number) ?? null;
}
