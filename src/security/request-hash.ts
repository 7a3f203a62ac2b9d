import { createHmac } from 'node:crypto';
import stringify from 'safe-stable-stringify';
import { receivedBody } from '../domain/shared/received-body';
import { byEachKey, type KeyedValues, type SecretKeys } from './secret-keys';

/**
 * The hashes of a request by each key: equal for the same method, path and body as the client sent it, independent of property order
 * and of the contract's defaults. The first one is stored; the request that it repeats may be stored with any of them. They leave out
 * the card's CVV, which must not be stored, not even hashed (PCI DSS 3.3.1).
 */
export function requestHashes(keys: SecretKeys, method: string, path: string, body: unknown): KeyedValues {
  const text = stringify({ method, path, body: withoutCvv(receivedBody(body)) }) ?? '';
  return byEachKey(keys, (key) => createHmac('sha256', key).update(text).digest('base64url'));
}

/** Of a request without an idempotency key, which is compared with nothing. */
export const NO_REQUEST_HASHES: KeyedValues = [''];

function withoutCvv(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { card } = body;
  return { ...body, cvv: undefined, ...(isObject(card) && { card: { ...card, cvv: undefined } }) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
