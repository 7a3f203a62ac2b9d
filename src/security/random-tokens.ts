import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits. Whoever has them may do what they were given out for; here they are forgotten. */
export function newRandomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a token. Nobody guesses 256 bits, so a fast hash without a key hides them well enough. */
export function hashRandomToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
