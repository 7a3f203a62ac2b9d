/** Data that survives a reload, in this tab only. It contains no card data. */
export interface StoredSession {
  readonly token: string;
  /** The payment whose response has not arrived, if any. */
  readonly pending: PendingSubmission | null;
}

export interface PendingSubmission {
  /** Idempotency key; a retry sends the same one. */
  readonly key: string;
  /** `tries_left` of the session before the payment. A lower value shows that the API has processed it. */
  readonly triesLeft: number;
}

const STORAGE_KEY = `checkout ${location.pathname}`;

/** A browser may block storage in a frame. Then a reload starts over and everything else works. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

export function readStoredSession(): StoredSession | null {
  const stored = orNull(() => sessionStorage.getItem(STORAGE_KEY));
  return stored === null ? null : orNull(() => JSON.parse(stored) as StoredSession);
}

export function storeSession(session: StoredSession): void {
  orNull(() => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(session)));
}

export function clearStoredSession(): void {
  orNull(() => sessionStorage.removeItem(STORAGE_KEY));
}
