import { hash, verify } from '@node-rs/argon2';

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The encoded hash (PHC string) with its salt and parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

export function passwordMatches(password: string, encodedHash: string): Promise<boolean> {
  return verify(encodedHash, password);
}
