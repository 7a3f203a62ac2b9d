import { parseDocument } from '../customers/document';
import { parseTransactionId, type TransactionId } from '../shared/ids';
import { searchedBeginnings } from './name-words';

/** What a text may stand for. Null or empty: not that. */
export interface SearchText {
  /** Trimmed. */
  readonly text: string;
  /** The id of a payment or of a subscription. */
  readonly uuid: TransactionId | null;
  readonly eventId: number | null;
  /** Of a webhook: `msg_` and a delivery's id. */
  readonly deliveryId: TransactionId | null;
  readonly email: string | null;
  /** As `parseDocument` returns it. */
  readonly document: string | null;
  readonly lastFour: string | null;
  /** In minor units. `18990` may mean 189.90 or 18,990.00. */
  readonly amounts: readonly number[];
  /** See `searchedBeginnings`. */
  readonly nameBeginnings: readonly string[];
}

/** Cents of the largest amount that a payment can have. */
const LARGEST_CENTS = 999_999_999_999;
/** Ids of events are numbers that JavaScript represents. */
const EVENT_ID = /^\d{1,15}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const LAST_FOUR = /^(?:[*•x\s]+)?(\d{4})$/i;
const WEBHOOK_ID = /^msg_(.+)$/;

export function parseSearch(input: string): SearchText {
  const text = input.trim();
  return {
    text,
    uuid: parseTransactionId(text),
    eventId: EVENT_ID.test(text) ? Number(text) : null,
    deliveryId: parseTransactionId(WEBHOOK_ID.exec(text)?.[1] ?? ''),
    email: EMAIL.test(text) ? text : null,
    document: parseDocument(text)?.value ?? null,
    lastFour: LAST_FOUR.exec(text)?.[1] ?? null,
    amounts: amountsOf(text),
    nameBeginnings: searchedBeginnings(text),
  };
}

const CURRENCY = /^(?:[A-Z]{0,2}\$|€|£|[A-Z]{3})\s*/i;
/** Thousands are separated by one of dot, comma and space, decimals by the other. */
const SEPARATED = /^(\d{1,3}(?:([., ])\d{3})*|\d+)(?:([.,])(\d{1,2}))?$/;

function amountsOf(text: string): number[] {
  const number = text.replace(CURRENCY, '');
  if (/^\d+$/.test(number)) return [Number(number), Number(number) * 100].filter(isAmount);
  const found = SEPARATED.exec(number);
  if (found === null) return [];
  const [, units = '', thousands, decimals, cents = ''] = found;
  if (decimals !== undefined && decimals === thousands) return [];
  const amount = Number(units.replaceAll(/\D/g, '')) * 100 + Number(cents.padEnd(2, '0'));
  return [amount].filter(isAmount);
}

function isAmount(cents: number): boolean {
  return cents >= 1 && cents <= LARGEST_CENTS;
}
