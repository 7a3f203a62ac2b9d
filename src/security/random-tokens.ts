import { createHash, randomBytes } from 'node:crypto';

/** A bearer token of 256 random bits. Only its hash is stored. */
export function newRandomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored hash of a token. With 256 random bits a fast hash without a key is enough. */
export function hashRandomToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
