import { createHmac } from 'node:crypto';
import stringify from 'safe-stable-stringify';
import { receivedBody } from '../domain/shared/received-body';

/**
 * A keyed hash of a request: equal for the same method, path and body as the client sent it, independent of property order
 * and of the contract's defaults. It leaves out the card's CVV, which must not be stored, not even hashed (PCI DSS 3.3.1).
 */
export function requestHash(key: string, method: string, path: string, body: unknown): string {
  const text = stringify({ method, path, body: withoutCvv(receivedBody(body)) });
  return createHmac('sha256', key)
    .update(text ?? '')
    .digest('base64url');
}

function withoutCvv(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { card } = body;
  return { ...body, cvv: undefined, ...(isObject(card) && { card: { ...card, cvv: undefined } }) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
