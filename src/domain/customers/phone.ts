/** Area code and number, and in front of them `0` for long distance or Brazil's `55`. */
const BRAZILIAN = /^(?:0|55)?([1-9]\d\d{8,9})$/;
const INTERNATIONAL = /^\+([1-9]\d{7,14})$/;

/**
 * A phone number in the form of E.164, for example `+5511912345678`; one without a country code is Brazilian. Null if it is no
 * phone number with an area code.
 */
export function internationalPhone(text: string): string | null {
  const digits = text.replaceAll(/[\s().-]/g, '');
  const international = INTERNATIONAL.exec(digits)?.[1];
  if (international !== undefined) return `+${international}`;
  const brazilian = BRAZILIAN.exec(digits)?.[1];
  return brazilian === undefined ? null : `+55${brazilian}`;
}

/** The parts of a Brazilian number, as some gateways take it. */
export interface BrazilianPhone {
  /** Two digits. */
  readonly areaCode: string;
  /** Eight or nine digits. */
  readonly number: string;
}

/** Null if the number, in the form of E.164, is not a Brazilian one. */
export function brazilianPhone(international: string): BrazilianPhone | null {
  const found = /^\+55(\d\d)(\d{8,9})$/.exec(international);
  const [, areaCode, number] = found ?? [];
  return areaCode === undefined || number === undefined ? null : { areaCode, number };
}

export const PHONE_RULE = 'must be a phone number with area code, for example +5511912345678 or 11912345678';
