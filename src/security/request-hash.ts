import { createHmac } from 'node:crypto';
import stringify from 'safe-stable-stringify';

/**
 * A keyed hash of what a request asks for: the same for the same method, path and body, whatever the order of its
 * properties. The caller leaves out what may not be kept.
 */
export function requestHash(key: string, method: string, path: string, body: unknown): string {
  const text = stringify({ method, path, body });
  return createHmac('sha256', key)
    .update(text ?? '')
    .digest('base64url');
}
