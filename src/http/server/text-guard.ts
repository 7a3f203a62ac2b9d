import { validationError } from '../../domain/shared/errors';
import { joinPath } from '../../domain/shared/validation';

/** NUL and lone surrogates: JSON allows them, but Postgres cannot store them, neither as text nor as jsonb. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
/** Limits for the work that one request can cause; more than any body of the contract needs. */
const MAX_DEPTH = 32;
const MAX_ENTRIES = 1000;

/** Rejects text that Postgres cannot store and excessive size, naming the field; removes `__proto__` keys. */
export function rejectControlCharactersInBody(body: unknown): void {
  checkValue(body, '', 0);
}

export function rejectControlCharactersInQuery(query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && UNSTORABLE.test(value))
      reject(name, 'has characters that are not allowed');
  }
}

function checkValue(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') {
    if (UNSTORABLE.test(value)) reject(path, 'has characters that are not allowed');
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) reject(path, 'is nested too deeply');
  if (Array.isArray(value)) checkArray(value, path, depth);
  else checkObject(value as Record<string, unknown>, path, depth);
}

function checkArray(values: readonly unknown[], path: string, depth: number): void {
  if (values.length > MAX_ENTRIES) reject(path, `must have at most ${MAX_ENTRIES} items`);
  values.forEach((value, index) => checkValue(value, joinPath(path, index), depth + 1));
}

function checkObject(value: Record<string, unknown>, path: string, depth: number): void {
  const keys = Object.keys(value);
  if (keys.length > MAX_ENTRIES) reject(path, `must have at most ${MAX_ENTRIES} keys`);
  for (const key of keys) {
    if (key === '__proto__') delete value[key];
    else if (UNSTORABLE.test(key)) reject(path, 'has a key with characters that are not allowed');
    else checkValue(value[key], joinPath(path, key), depth + 1);
  }
}

function reject(path: string, message: string): never {
  throw validationError({ [path === '' ? 'body' : path]: [message] });
}
