import { isIP, isIPv4 } from 'node:net';
import type { Request } from 'express';

export function isIp(text: string): boolean {
  return isIP(text) !== 0;
}

/** The client's IP address; an IPv4 address that a dual-stack socket shows as IPv6 is IPv4. Null if the client is gone. */
export function ipOf({ ip }: Pick<Request, 'ip'>): string | null {
  if (ip === undefined) return null;
  const mapped = ip.replace(/^::ffff:/i, '');
  return isIPv4(mapped) ? mapped : ip;
}
