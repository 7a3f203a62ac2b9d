/** Cannot occur in a client's key, which is printable ASCII. */
const SEPARATOR = '\u00a7';

/** Scopes a key to one checkout session. It is stored among the keys of the session's company. */
export function sessionScopedKey(sessionId: number, key: string): string {
  return `checkout${SEPARATOR}${sessionId}${SEPARATOR}${key}`;
}

/** Scopes a key to one user. It is stored among the keys of the user's company. */
export function userScopedKey(userId: number, key: string): string {
  return `user${SEPARATOR}${userId}${SEPARATOR}${key}`;
}

/** The key as the client sent it. */
export function clientKeyOf(stored: string): string {
  return stored.slice(stored.lastIndexOf(SEPARATOR) + 1);
}
