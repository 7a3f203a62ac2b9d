import type { ApiFailure } from '../../api/failure';
import { digitsOf, isNumberComplete, isNumberValid, schemeOf } from './card-number';
import { isOver, isTooLate, readExpiry } from './expiry';
import { messages } from '../messages';
import type { Purchase } from '../session/session-api';
import type { Rule } from './use-fields';

export type CardField = 'number' | 'expiry' | 'code' | 'holder';
export type CardValues = Readonly<Record<CardField, string>>;

const { problems } = messages;

/** What the API would refuse, told before it is asked. */
export function cardRules({ number }: Pick<CardValues, 'number'>): Readonly<Record<CardField, Rule>> {
  const { size } = schemeOf(number).code;
  return {
    number: {
      problem: (value) => (isNumberValid(value) ? null : problems.number),
      isComplete: isNumberComplete,
    },
    expiry: { problem: expiryProblem, isComplete: (value) => value.length === 'MM/YY'.length },
    code: { problem: (value) => (value.length === size ? null : problems.code(size)) },
    holder: { problem: (value) => (value.trim() === '' ? problems.required : null) },
  };
}

function expiryProblem(value: string): string | null {
  const expiry = readExpiry(value);
  const now = new Date();
  if (expiry === null || isTooLate(expiry, now)) return problems.expiry;
  return isOver(expiry, now) ? problems.expired : null;
}

/** The card as the API takes it. */
export function cardOf({ number, expiry, code, holder }: CardValues): NonNullable<Purchase['card']> {
  const read = readExpiry(expiry);
  return {
    number: digitsOf(number),
    holder_name: holder.trim(),
    expire_month: read?.month ?? null,
    expire_year: read?.year ?? null,
    cvv: code,
  };
}

const FIELDS: Readonly<Record<string, CardField>> = {
  'card.number': 'number',
  'card.expire_month': 'expiry',
  'card.expire_year': 'expiry',
  'card.cvv': 'code',
  'card.holder_name': 'holder',
};

/** What the API says of the card's fields. */
export function refusedCardFields({ fields }: ApiFailure): Partial<Record<CardField, string>> {
  const named = Object.keys(fields).flatMap((path) => FIELDS[path] ?? []);
  const own = {
    number: problems.number,
    expiry: problems.expiry,
    code: problems.refused,
    holder: problems.refused,
  };
  return Object.fromEntries(named.map((name) => [name, own[name]]));
}
