import creditCardType from 'credit-card-type';
import luhn from 'card-validator/dist/luhn-10';
import type { CardSnapshot } from '../shared/payment-snapshot';
import { DOCUMENT_RULE, parseDocument } from './document';
import { FieldErrorCollector, joinPath, type Validated } from '../shared/validation';

/** The raw card of a request. */
export interface CardInput {
  readonly number?: string | null | undefined;
  readonly holder_name?: string | null | undefined;
  readonly expire_month?: string | number | null | undefined;
  readonly expire_year?: string | number | null | undefined;
  readonly cvv?: string | null | undefined;
  readonly holder_document?: string | null | undefined;
}

/** The card data that may be stored, displayed and logged: never the number or the CVV. */
export type CardSummary = Omit<CardSnapshot, 'token'>;

/** A card with number and CVV. Only the vault may store it. */
export interface RawCard extends CardSummary {
  readonly holderName: string;
  readonly number: string;
  readonly cvv: string;
}

const NUMBER = /^\d{13,19}$/;
const CVV = /^\d{3,4}$/;
const MONTH = /^\d{1,2}$/;
const YEAR = /^(\d{2}|\d{4})$/;

/**
 * Validates a raw card at `now`. Removes spaces and hyphens from the number. Error paths begin with `path` (`card.number`;
 * empty if the body is the card), and no message repeats the input.
 */
export function parseCard(input: CardInput, now: Date, path: string): Validated<RawCard> {
  const collector = new FieldErrorCollector();
  const addError = (field: keyof CardInput, message: string): void =>
    collector.add(joinPath(path, field), message);

  const number = (input.number ?? '').replace(/[\s-]/g, '');
  if (!NUMBER.test(number)) addError('number', 'must be 13 to 19 digits');
  else if (!luhn(number)) addError('number', 'is not a valid card number');

  const holderName = (input.holder_name ?? '').trim();
  if (holderName === '') addError('holder_name', 'is required');

  const expireMonth = parseMonth(input.expire_month);
  if (expireMonth === null) addError('expire_month', 'must be a month from 1 to 12');
  const expireYear = parseYear(input.expire_year);
  if (expireYear === null) addError('expire_year', 'must be a year of 2 or 4 digits');
  if (expireMonth !== null && expireYear !== null && isExpired({ expireMonth, expireYear }, now)) {
    addError('expire_year', 'the card has expired');
  }

  if (input.holder_document && parseDocument(input.holder_document) === null) {
    addError('holder_document', DOCUMENT_RULE);
  }

  const cvv = input.cvv ?? '';
  if (!CVV.test(cvv)) addError('cvv', 'must be 3 or 4 digits');

  if (collector.hasErrors || expireMonth === null || expireYear === null)
    return { valid: false, errors: collector.errors };
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

/** The UTC offset of the westernmost time zone. */
const LATEST_ZONE_MS = 12 * 60 * 60 * 1000;

/** A card is valid through the last day of its month in every time zone. The issuer makes the final decision. */
export function isExpired(card: Pick<CardSummary, 'expireMonth' | 'expireYear'>, now: Date): boolean {
  return now.getTime() >= Date.UTC(card.expireYear, card.expireMonth, 1) + LATEST_ZONE_MS;
}

/** Brand, first 6 and last 4 digits: the maximum that PCI DSS 3.4.1 allows to display. */
export function describeNumber(number: string): Pick<CardSummary, 'brand' | 'first6Digits' | 'last4Digits'> {
  return { brand: cardBrand(number), first6Digits: number.slice(0, 6), last4Digits: number.slice(-4) };
}

const SHORT_BRANDS: Readonly<Record<string, string>> = {
  'american-express': 'amex',
  'diners-club': 'diners',
};

/** The longest prefix that a card network names. A list of all of them takes long to walk, so what they say is kept. */
const LONGEST_PREFIX = 8;
const MOST_KEPT = 10_000;
const brands = new Map<string, string>();

/** `visa`, `mastercard`, `elo`, `hipercard`, `amex`...; `unknown` if the number range belongs to no card network. */
export function cardBrand(number: string): string {
  const prefix = number.slice(0, LONGEST_PREFIX);
  const known = brands.get(prefix);
  if (known !== undefined) return known;
  const type = creditCardType(prefix)[0]?.type;
  const brand = type === undefined ? 'unknown' : (SHORT_BRANDS[type] ?? type);
  if (brands.size >= MOST_KEPT) brands.clear();
  brands.set(prefix, brand);
  return brand;
}
