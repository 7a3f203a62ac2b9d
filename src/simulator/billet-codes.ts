import { DateTime } from 'luxon';

/** An unassigned bank code, so that no bank accepts a sandbox billet. */
const BANK = '999';
/** BRL. */
const CURRENCY = '9';
const FREE_FIELD_DIGITS = 25;
/** The largest amount that fits the ten digits of the amount field. */
export const MAX_BILLET_CENTS = 9_999_999_999;

export interface BilletCodes {
  /** The digitable line, 47 digits. */
  readonly line: string;
  /** The barcode, 44 digits. */
  readonly barcode: string;
}

/**
 * The two codes of a boleto for an amount and a due date (`YYYY-MM-DD`). The bank chooses the free field, 25 digits.
 * Layout and check digits: Carta-Circular BCB 2.926/2000.
 */
export function billetCodes(amountCents: number, dueAt: string, freeField: string): BilletCodes {
  const head = BANK + CURRENCY;
  const tail = dueFactor(dueAt) + String(amountCents).padStart(10, '0');
  const digit = checkDigitOfBarcode(head + tail + freeField);
  const fields = [head + freeField.slice(0, 5), freeField.slice(5, 15), freeField.slice(15)];
  return {
    line: fields.map((field) => field + checkDigitOfField(field)).join('') + digit + tail,
    barcode: head + digit + tail + freeField,
  };
}

/** A deterministic, practically unique free field for a charge. */
export function freeFieldOf(uuid: string): string {
  const number = BigInt(`0x${uuid.replaceAll('-', '')}`) % 10n ** BigInt(FREE_FIELD_DIGITS);
  return number.toString().padStart(FREE_FIELD_DIGITS, '0');
}

/** Days since 7 October 1997. The four digits overflowed after 21 February 2025; FEBRABAN restarted at 1000 the next day. */
function dueFactor(dueAt: string): string {
  const base = DateTime.fromISO('1997-10-07', { zone: 'utc' });
  const days = DateTime.fromISO(dueAt, { zone: 'utc' }).diff(base, 'days').days;
  return String(days < 10_000 ? days : 1_000 + ((days - 10_000) % 9_000)).padStart(4, '0');
}

/** Modulo 10: weights 2 and 1 from the right, the digits of the products summed. */
function checkDigitOfField(field: string): string {
  const sum = digitsFromRight(field).reduce((total, digit, index) => {
    const product = digit * (index % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** Modulo 11: weights 2 to 9 from the right; results of 10 and 11 become 1. */
function checkDigitOfBarcode(digits: string): string {
  const sum = digitsFromRight(digits).reduce((total, digit, index) => total + digit * (2 + (index % 8)), 0);
  const digit = 11 - (sum % 11);
  return String(digit > 9 ? 1 : digit);
}

function digitsFromRight(text: string): number[] {
  return [...text].reverse().map(Number);
}
