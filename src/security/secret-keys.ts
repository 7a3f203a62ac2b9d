import { createHmac } from 'node:crypto';

/** The keys of one purpose. The first one makes new values; values that any of them made are recognized. */
export type SecretKeys = readonly [current: string, ...older: string[]];

/** The same value made with each key: the first one is stored, a stored one may be any of them. */
export type KeyedValues = readonly [current: string, ...older: string[]];

export function byEachKey([current, ...older]: SecretKeys, make: (key: string) => string): KeyedValues {
  return [make(current), ...older.map(make)];
}

/** Names a key in logs, rows and reports. Tells nothing about the key, which has at least 32 random characters. */
export function keyIdOf(key: string): string {
  return createHmac('sha256', key).update('key id').digest('hex').slice(0, 12);
}
