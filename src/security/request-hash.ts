import { createHmac } from 'node:crypto';
import stringify from 'safe-stable-stringify';

/**
 * A keyed hash of what a request asks for: the same for the same method, path and body, whatever the order of its
 * properties. The CVV is left out: it may not be kept, not even hashed (PCI DSS 3.3.1).
 */
export function requestHash(key: string, method: string, path: string, body: unknown): string {
  const text = stringify({ method, path, body }, (name, value: unknown) =>
    name === 'cvv' ? undefined : value,
  );
  return createHmac('sha256', key)
    .update(text ?? '')
    .digest('base64url');
}
