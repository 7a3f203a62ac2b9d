import { createHmac, timingSafeEqual } from 'node:crypto';

/** Carries `t=<epoch seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>" under the gateway's webhook secret>`. */
export const SIGNATURE_HEADER = 'gateway-signature';

/** The allowed difference between the signature's timestamp and our clock, in ms. It limits replays of recorded callbacks. */
const TOLERANCE_MS = 5 * 60 * 1000;
const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

function digest(body: Buffer, secret: string, timestamp: string): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

export function signCallback(body: Buffer, secret: string, now: Date): string {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return `t=${timestamp},v1=${digest(body, secret, timestamp).toString('hex')}`;
}

/** Whether one of the secrets made the signature within the tolerance. Runs in constant time for a given number of secrets. */
export function isSignedBy(body: Buffer, header: string, secrets: readonly string[], now: Date): boolean {
  const [, timestamp, signature] = SIGNATURE.exec(header) ?? [];
  if (timestamp === undefined || signature === undefined) return false;
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > TOLERANCE_MS) return false;
  const given = Buffer.from(signature, 'hex');
  const matches = secrets.filter((secret) => timingSafeEqual(digest(body, secret, timestamp), given));
  return matches.length > 0;
}
