/** No caller's key has it: those are printable ASCII. */
const SEPARATOR = '\u00a7';

/** A key that belongs to one checkout session, as it is kept among its company's. */
export function sessionKey(sessionId: number, key: string): string {
  return `checkout${SEPARATOR}${sessionId}${SEPARATOR}${key}`;
}

/** A kept key as its caller sent it. */
export function sentKey(kept: string): string {
  return kept.slice(kept.lastIndexOf(SEPARATOR) + 1);
}
