import { createHmac } from 'node:crypto';

/** HMAC-SHA-256, base64url. Recognizes equal texts without storing them; cannot be computed without the key. */
export function keyedHash(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
