import { hash, verify } from '@node-rs/argon2';

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash at the same cost that no password matches. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$T32PMQURIsWzAZVt0Efw3w$5XR9wBwnvOCX9v1Ceev2y7kcQiQRo/FL4Im23LTdBbQ';

/** Returns the PHC string with salt and parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** `encodedHash` is null for an unknown user: the result is false after the same work. */
export async function passwordMatches(password: string, encodedHash: string | null): Promise<boolean> {
  const matches = await verify(encodedHash ?? DUMMY_HASH, password);
  return matches && encodedHash !== null;
}
