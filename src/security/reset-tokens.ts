import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, to be mailed and forgotten. */
export function newResetToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of it. Nobody guesses 256 bits, so a fast hash without a key hides them well enough. */
export function hashResetToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
