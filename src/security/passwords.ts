import { hash, verify } from '@node-rs/argon2';

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** At the same cost; of a password that nobody has. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$T32PMQURIsWzAZVt0Efw3w$5XR9wBwnvOCX9v1Ceev2y7kcQiQRo/FL4Im23LTdBbQ';

/** The encoded hash (PHC string) with its salt and parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** With `encodedHash` null (no such user) it works as long and says no. */
export async function passwordMatches(password: string, encodedHash: string | null): Promise<boolean> {
  const matches = await verify(encodedHash ?? NOBODYS_HASH, password);
  return matches && encodedHash !== null;
}
