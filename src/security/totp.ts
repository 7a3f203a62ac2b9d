import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** RFC 6238 with what every authenticator app supports: SHA-1, 6 digits, 30 seconds. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** Of 32 characters (RFC 4648). */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** A code of the step before or after counts too, because the clocks of phones differ. */
const WINDOW = [0, -1, 1] as const;

/** 160 random bits in Base32, as RFC 4226 recommends. */
export function newTotpSecret(): string {
  return base32(randomBytes(20));
}

/** The time step whose code this is, or null. Each step's code may be accepted once. */
export function matchingStep(secret: string, code: string, now: Date): number | null {
  const given = Buffer.from(code);
  const current = Math.floor(now.getTime() / STEP_MS);
  const matching = WINDOW.map((offset) => current + offset).filter((step) => {
    const expected = Buffer.from(totpCode(secret, step));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  return matching[0] ?? null;
}

/** The code of a time step: the number of half minutes since 1970. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** What authenticator apps read from the QR code (Google's key URI format). */
export function totpUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`;
}

/** 80 random bits as `ABCD-EFGH-IJKL-MNOP`: enough that its hash needs no key. */
export function newRecoveryCode(): string {
  return base32(randomBytes(10)).replaceAll(/(.{4})(?=.)/g, '$1-');
}

/** A recovery code as its owner may type it. */
export function normalizedRecoveryCode(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return [...bits.matchAll(/.{5}/g)].map(([five]) => BASE32[Number.parseInt(five, 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((character) => BASE32.indexOf(character).toString(2).padStart(5, '0')).join('');
  return Buffer.from([...bits.matchAll(/.{8}/g)].map(([eight]) => Number.parseInt(eight, 2)));
}
