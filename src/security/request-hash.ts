import { createHmac } from 'node:crypto';
import stringify from 'safe-stable-stringify';

/**
 * A keyed hash of a request: equal for the same method, path and body, independent of property order. The caller omits
 * data that must not be stored in any form.
 */
export function requestHash(key: string, method: string, path: string, body: unknown): string {
  const text = stringify({ method, path, body });
  return createHmac('sha256', key)
    .update(text ?? '')
    .digest('base64url');
}
