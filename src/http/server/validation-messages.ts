/** One error of express-openapi-validator. `path` is a JSON pointer below `/body`, `/query`, `/headers` or `/params`. */
export interface BrokenRule {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

const FORMAT_MESSAGES: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  date: 'must be a date, as 2026-03-31',
  'date-time': 'must be a time, as 2026-03-31T12:00:00Z',
  uuid: 'must be a UUID',
  ip: 'must be an IPv4 or IPv6 address',
  'iso-4217': 'must be an active currency code of ISO 4217, as BRL',
};

/** People send 19.90 for 19.90. */
const AMOUNT_MESSAGE = 'must be an integer, in cents: 1990 for 19.90';

/**
 * The API's message for a broken rule; null if the rule only repeats another one. `isAmount`: the value is an amount in
 * the minor unit of a currency.
 */
export function humanMessage(
  { message, errorCode }: BrokenRule,
  patternMessages: ReadonlyMap<string, string>,
  isAmount: boolean,
): string | null {
  const keyword = errorCode?.split('.')[0];
  const limit = Number(/-?\d+(?:\.\d+)?/.exec(message)?.[0]);
  const unit = isAmount ? ' cents' : '';
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return isAmount ? AMOUNT_MESSAGE : typeMessage(message);
    case 'enum':
      return enumMessage(message);
    case 'format':
      return FORMAT_MESSAGES[quoted(message)] ?? 'is not well formed';
    case 'pattern':
      return patternMessages.get(quoted(message)) ?? 'is not well formed';
    case 'minimum':
      return `must be at least ${limit}${unit}`;
    case 'maximum':
      return `must be at most ${limit}${unit}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return `must have at least ${limit} ${limit === 1 ? 'item' : 'items'}`;
    case 'maxItems':
      return `must have at most ${limit} items`;
    case 'minProperties':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} keys`;
    case 'maxProperties':
      return `must have at most ${limit} keys`;
    case 'cardNumber':
      return 'must not contain a card number';
    // Both accompany a more precise error of the alternative or of the key.
    case 'anyOf':
    case 'propertyNames':
      return null;
    case undefined:
      return queryMessage(message);
    default:
      return message;
  }
}

/** Parses `must be integer,string,null`. `null` alone belongs to "an object or null", whose other error says more. */
function typeMessage(message: string): string | null {
  const types = message.replace('must be ', '').split(',');
  const names = types.filter((type) => type !== 'null').map((type) => TYPE_NAMES[type] ?? type);
  return names.length === 0 ? null : `must be ${names.join(' or ')}`;
}

function enumMessage(message: string): string {
  const values = message.slice(message.indexOf(':') + 1).split(',');
  const shown = values.map((value) => value.trim()).filter((value) => value !== '');
  return `must be one of: ${shown.join(', ')}`;
}

/** The pattern of `must match pattern "..."`, spelled as in the contract. */
function quoted(message: string): string {
  return message.slice(message.indexOf('"') + 1, message.lastIndexOf('"'));
}

function queryMessage(message: string): string {
  if (message.startsWith('Unknown query parameter')) return 'is not a parameter of this operation';
  if (message.startsWith('Empty value')) return 'must not be empty';
  return 'is not well formed';
}
