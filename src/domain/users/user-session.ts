/** Sessions of one user: the oldest ends when another one begins. */
export const MAX_SESSIONS = 100;

/** Where a session was opened. */
export interface SessionOrigin {
  /** For example `Firefox on Windows`; null if the client does not tell. */
  readonly device: string | null;
  /** The network of the client's address, for example `203.0.113.0/24`; null if the client is gone. */
  readonly network: string | null;
}

/** A session as its user sees it. */
export interface UserSession extends SessionOrigin {
  /** UUID; it gives no access. */
  readonly id: string;
  readonly createdAt: Date;
  /** To the minute; null for a session that was not used since it was opened. */
  readonly lastSeenAt: Date | null;
  readonly expiresAt: Date;
}

const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** A browser and system by their common names, or a program by its own. The header itself, which can hold any text, is not kept. */
export function deviceOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const nameIn = (names: ReadonlyArray<readonly [RegExp, string]>) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameIn(BROWSERS);
  const system = nameIn(SYSTEMS);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return /^[A-Za-z][A-Za-z-]{0,29}(?=$|[/ ])/.exec(userAgent)?.[0] ?? null;
}

/** The first 24 bits of an IPv4 address, or 48 of an IPv6 address: enough to recognize a place, too coarse to name a person. */
export function networkOf(ip: string | null): string | null {
  if (ip === null) return null;
  const bytes = /^(\d+\.\d+\.\d+)\.\d+$/.exec(ip)?.[1];
  if (bytes !== undefined) return `${bytes}.0/24`;
  const [head = ''] = ip.split('%');
  if (!head.includes(':')) return null;
  const [left = '', right] = head.split('::');
  const groups = left === '' ? [] : left.split(':');
  const rest = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...rest];
  return `${all
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/48`;
}
