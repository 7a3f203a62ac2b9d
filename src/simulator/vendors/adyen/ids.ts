import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ23456789';
const LENGTH = 16;

/**
 * "Adyen's 16-character unique reference associated with the transaction or request": of the operation at this position of a
 * charge, the first being the payment itself. Made from the charge's id, so that it survives a restart.
 */
export function pspReferenceOf(chargeId: string, position = 0): string {
  return referenceFrom(`${chargeId} ${position}`);
}

/** The reference of anything else that belongs to a charge, for example a dispute. */
export function referenceFrom(seed: string): string {
  const bytes = createHash('sha256').update(seed).digest().subarray(0, LENGTH);
  return [...bytes].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** A new id of a legal entity or an account holder, as `LE322JV223222D5GG42KN6869` in the API's examples. */
export function newResourceId(prefix: 'LE' | 'AH'): string {
  return `${prefix}${randomBytes(12).toString('hex').slice(1).toUpperCase()}`;
}

/** A balance account's id: `BA` and the digits of the core's id, so that it survives a restart. */
export function balanceAccountIdOf(recipientId: string): string {
  return `BA${recipientId.replace('re_', '').replaceAll('-', '').toUpperCase()}`;
}

/** The core's id of a recipient; null for a text that is no balance account of the fake. */
export function recipientIdOf(balanceAccountId: string): string | null {
  const parts = /^BA(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(balanceAccountId)?.slice(1);
  return parts === undefined ? null : `re_${parts.join('-').toLowerCase()}`;
}
