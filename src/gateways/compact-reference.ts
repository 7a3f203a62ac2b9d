import type { AttemptOperation } from '../domain/payments/payment';

/**
 * Our references for gateways that take only letters and digits, or few characters: 26 to 35 of `[0-9a-z]`. The transaction's
 * UUID in base 36 (25 digits), the number of the attempt (one digit), and for an operation its letter and its count, all
 * in base 36. Reversible, so that a callback is recognized by what the gateway repeats.
 */
type Operation = Exclude<AttemptOperation, 'charge' | 'authorize' | 'inquiry'>;
const LETTERS = { capture: 'c', cancel: 'x', refund: 'r' } as const satisfies Record<Operation, string>;
const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries(LETTERS).map(([operation, letter]) => [letter, operation as Operation]),
);

const REFERENCE =
  /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-(\d{1,2})(?:-(capture|cancel|refund)(?:-(\d{1,9}))?)?$/;
const COMPACT = /^([0-9a-z]{25})([1-9a-z])(?:([cxr])([1-9a-z][0-9a-z]{0,5}))?$/;
const MAX_UUID = (1n << 128n) - 1n;
const UUID_DIGITS = 25;
/** The largest count of nine decimal digits, which `REFERENCE` accepts; six digits in base 36 may be more. */
const MAX_COUNT = 999_999_999;

/** @throws RangeError if it is not a reference of ours, or of an attempt beyond the 35th */
export function toCompactReference(reference: string): string {
  const [, uuid = '', attempt = '', operation, nth = '1'] = REFERENCE.exec(reference) ?? [];
  const number = Number(attempt);
  if (uuid === '' || number < 1 || number > 35) throw new RangeError(`no compact form: ${reference}`);
  const digits = BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(36)
    .padStart(UUID_DIGITS, '0');
  const kind = operation === undefined ? '' : `${LETTERS[operation as Operation]}${Number(nth).toString(36)}`;
  return `${digits}${number.toString(36)}${kind}`;
}

/** Null if the text is not the compact form of a reference. */
export function fromCompactReference(text: string): string | null {
  const [, digits = '', attempt = '', letter, nth = '1'] = COMPACT.exec(text) ?? [];
  if (digits === '') return null;
  const value = [...digits].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  if (value > MAX_UUID) return null;
  const hex = value.toString(16).padStart(32, '0');
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  );
  const charge = `${uuid}-${Number.parseInt(attempt, 36)}`;
  const operation = letter === undefined ? undefined : OPERATIONS.get(letter);
  if (operation === undefined) return charge;
  const count = Number.parseInt(nth, 36);
  if (count > MAX_COUNT) return null;
  return `${charge}-${operation}${count === 1 ? '' : `-${count}`}`;
}
