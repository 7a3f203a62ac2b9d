import { validationError } from '../../domain/shared/errors';
import { joinPath } from '../../domain/shared/validation';

/** NUL and lone surrogates: JSON can carry them, Postgres cannot (neither as text nor as jsonb). */
const UNSTORABLE = /\0|\p{Surrogate}/u;
/** More than any body of the contract needs. They bound the work that one request can cause. */
const MAX_DEPTH = 32;
const MAX_ENTRIES = 1000;

/** Refuses, by name, what a body may not have whatever its schema, and drops `__proto__` keys, which mean nothing. */
export function rejectControlCharactersInBody(body: unknown): void {
  guardValue(body, '', 0);
}

export function rejectControlCharactersInQuery(query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && UNSTORABLE.test(value))
      refuse(name, 'has characters that are not allowed');
  }
}

function guardValue(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') {
    if (UNSTORABLE.test(value)) refuse(path, 'has characters that are not allowed');
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) refuse(path, 'is nested too deeply');
  if (Array.isArray(value)) guardArray(value, path, depth);
  else guardObject(value as Record<string, unknown>, path, depth);
}

function guardArray(values: readonly unknown[], path: string, depth: number): void {
  if (values.length > MAX_ENTRIES) refuse(path, `must have at most ${MAX_ENTRIES} items`);
  values.forEach((value, index) => guardValue(value, joinPath(path, index), depth + 1));
}

function guardObject(value: Record<string, unknown>, path: string, depth: number): void {
  const keys = Object.keys(value);
  if (keys.length > MAX_ENTRIES) refuse(path, `must have at most ${MAX_ENTRIES} keys`);
  for (const key of keys) {
    if (key === '__proto__') delete value[key];
    else if (UNSTORABLE.test(key)) refuse(path, 'has a key with characters that are not allowed');
    else guardValue(value[key], joinPath(path, key), depth + 1);
  }
}

function refuse(path: string, message: string): never {
  throw validationError({ [path === '' ? 'body' : path]: [message] });
}
