/** Cannot occur in a client's key, which is printable ASCII. */
const SEPARATOR = '\u00a7';

/** Scopes a key to one checkout session. It is stored among the keys of the session's company. */
export function sessionScopedKey(sessionId: number, key: string): string {
  return `checkout${SEPARATOR}${sessionId}${SEPARATOR}${key}`;
}

/** What stands before and after a user's id in the stored form of a key. */
export const USER_SCOPE = { before: `user${SEPARATOR}`, after: SEPARATOR } as const;

/** Scopes a key to one user. It is stored among the keys of the user's company. */
export function userScopedKey(userId: number, key: string): string {
  return `${USER_SCOPE.before}${userId}${USER_SCOPE.after}${key}`;
}

/** The key as the client sent it. */
export function clientKeyOf(stored: string): string {
  return stored.slice(stored.lastIndexOf(SEPARATOR) + 1);
}
