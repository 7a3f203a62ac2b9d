import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits: whoever has them may pay in one session. */
export function newCheckoutToken(): string {
  return `cs_${randomBytes(32).toString('base64url')}`;
}

/** What is kept of it. Nobody guesses 256 bits, so a fast hash without a key hides them well enough. */
export function hashCheckoutToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
