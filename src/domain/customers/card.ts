import creditCardType from 'credit-card-type';
import luhn from 'card-validator/dist/luhn-10';
import type { CardSnapshot } from '../shared/payment-snapshot';
import { DOCUMENT_RULE, parseDocument } from './document';
import { FaultCollector, joinPath, type Validated } from '../shared/validation';

/** A raw card as a request carries it (decisions, section 5). */
export interface CardInput {
  readonly number?: string | null | undefined;
  readonly holder_name?: string | null | undefined;
  readonly expire_month?: string | number | null | undefined;
  readonly expire_year?: string | number | null | undefined;
  readonly cvv?: string | null | undefined;
  readonly holder_document?: string | null | undefined;
}

/** What may be kept, shown and logged of a card: never the number, never the CVV. */
export type CardSummary = Omit<CardSnapshot, 'token'>;

/** A card as entered: goes to the vault and nowhere else. */
export interface RawCard extends CardSummary {
  readonly number: string;
  readonly cvv: string;
}

const NUMBER = /^\d{13,19}$/;
const CVV = /^\d{3,4}$/;
const MONTH = /^\d{1,2}$/;
const YEAR = /^(\d{2}|\d{4})$/;

/**
 * Checks a raw card against `now`. Spaces and hyphens in the number are dropped. The errors' paths begin with `path`
 * (`card.number`; empty for a body that is the card itself), and no message repeats what was entered.
 */
export function parseCard(input: CardInput, now: Date, path: string): Validated<RawCard> {
  const faults = new FaultCollector();
  const fault = (field: keyof CardInput, message: string): void => faults.add(joinPath(path, field), message);

  const number = (input.number ?? '').replace(/[\s-]/g, '');
  if (!NUMBER.test(number)) fault('number', 'must be 13 to 19 digits');
  else if (!luhn(number)) fault('number', 'is not a valid card number');

  const holderName = (input.holder_name ?? '').trim();
  if (holderName === '') fault('holder_name', 'is required');

  const expireMonth = parseMonth(input.expire_month);
  if (expireMonth === null) fault('expire_month', 'must be a month from 1 to 12');
  const expireYear = parseYear(input.expire_year);
  if (expireYear === null) fault('expire_year', 'must be a year of 2 or 4 digits');
  if (expireMonth !== null && expireYear !== null && isExpired({ expireMonth, expireYear }, now)) {
    fault('expire_year', 'the card has expired');
  }

  if (input.holder_document && parseDocument(input.holder_document) === null) {
    fault('holder_document', DOCUMENT_RULE);
  }

  const cvv = input.cvv ?? '';
  if (!CVV.test(cvv)) fault('cvv', 'must be 3 or 4 digits');

  if (faults.found || expireMonth === null || expireYear === null)
    return { valid: false, errors: faults.errors };
  return {
    valid: true,
    value: { number, cvv, holderName, expireMonth, expireYear, ...describeNumber(number) },
  };
}

function parseMonth(value: CardInput['expire_month']): number | null {
  const text = String(value ?? '');
  const month = Number(text);
  return MONTH.test(text) && month >= 1 && month <= 12 ? month : null;
}

function parseYear(value: CardInput['expire_year']): number | null {
  const text = String(value ?? '');
  if (!YEAR.test(text)) return null;
  return text.length === 2 ? 2000 + Number(text) : Number(text);
}

/** How far the last place on earth is behind UTC. */
const LATEST_ZONE_MS = 12 * 60 * 60 * 1000;

/** A card is good through the last day of its month, wherever the cardholder is; the issuer knows better. */
export function isExpired(card: Pick<CardSummary, 'expireMonth' | 'expireYear'>, now: Date): boolean {
  return now.getTime() >= Date.UTC(card.expireYear, card.expireMonth, 1) + LATEST_ZONE_MS;
}

/** Brand, first 6 and last 4: the most PCI DSS 3.4.1 lets be displayed. */
export function describeNumber(number: string): Pick<CardSummary, 'brand' | 'first6Digits' | 'last4Digits'> {
  return { brand: cardBrand(number), first6Digits: number.slice(0, 6), last4Digits: number.slice(-4) };
}

const SHORT_BRANDS: Readonly<Record<string, string>> = {
  'american-express': 'amex',
  'diners-club': 'diners',
};

/** `visa`, `mastercard`, `elo`, `hipercard`, `amex`...; `unknown` where the number's range belongs to no scheme. */
export function cardBrand(number: string): string {
  const type = creditCardType(number)[0]?.type;
  return type === undefined ? 'unknown' : (SHORT_BRANDS[type] ?? type);
}
