import type { RequestError } from '../../api/request-error';
import { digitsOf, isNumberComplete, isNumberValid, cardBrandOf } from './card-number';
import { isExpired, isTooFarAhead, readExpiry } from './expiry';
import { messages } from '../messages';
import type { PayRequest } from '../session/session-api';
import type { FieldRule } from './use-fields';

export type CardField = 'number' | 'expiry' | 'code' | 'holder';
export type CardValues = Readonly<Record<CardField, string>>;

const { invalid } = messages;

/** Validates what the API validates, before the request is sent. */
export function cardRules({ number }: Pick<CardValues, 'number'>): Readonly<Record<CardField, FieldRule>> {
  const { size } = cardBrandOf(number).code;
  return {
    number: {
      validate: (value) => (isNumberValid(value) ? null : invalid.number),
      isComplete: isNumberComplete,
    },
    expiry: { validate: validateExpiry, isComplete: (value) => value.length === 'MM/YY'.length },
    code: { validate: (value) => (value.length === size ? null : invalid.code(size)) },
    holder: { validate: (value) => (value.trim() === '' ? invalid.required : null) },
  };
}

function validateExpiry(value: string): string | null {
  const expiry = readExpiry(value);
  const now = new Date();
  if (expiry === null || isTooFarAhead(expiry, now)) return invalid.expiry;
  return isExpired(expiry, now) ? invalid.expired : null;
}

/** The card in the API's format. */
export function toCard({ number, expiry, code, holder }: CardValues): NonNullable<PayRequest['card']> {
  const read = readExpiry(expiry);
  return {
    number: digitsOf(number),
    holder_name: holder.trim(),
    expire_month: read?.month ?? null,
    expire_year: read?.year ?? null,
    cvv: code,
  };
}

const API_FIELDS: Readonly<Record<string, CardField>> = {
  'card.number': 'number',
  'card.expire_month': 'expiry',
  'card.expire_year': 'expiry',
  'card.cvv': 'code',
  'card.holder_name': 'holder',
};

/** Messages for the card fields that the API rejected. */
export function cardFieldErrors({ fields }: RequestError): Partial<Record<CardField, string>> {
  const rejected = Object.keys(fields).flatMap((path) => API_FIELDS[path] ?? []);
  const errors = {
    number: invalid.number,
    expiry: invalid.expiry,
    code: invalid.other,
    holder: invalid.other,
  };
  return Object.fromEntries(rejected.map((name) => [name, errors[name]]));
}
