/** What a reload needs to go on: no more than this is kept, in this tab alone, and nothing of a card. */
export interface KeptSession {
  readonly token: string;
  /** The try whose answer has not come; null when none is open. */
  readonly open: OpenTry | null;
}

export interface OpenTry {
  /** Sent again, it is the same try. */
  readonly key: string;
  /** How many there were before it. The session has less once it knows of it. */
  readonly triesLeft: number;
}

const NAME = `checkout ${location.pathname}`;

/** In a frame, a browser may keep nothing: then a reload begins anew, and everything else works. */
function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

export function readKeptSession(): KeptSession | null {
  const kept = orNull(() => sessionStorage.getItem(NAME));
  return kept === null ? null : orNull(() => JSON.parse(kept) as KeptSession);
}

export function keepSession(kept: KeptSession): void {
  orNull(() => sessionStorage.setItem(NAME, JSON.stringify(kept)));
}

export function forgetSession(): void {
  orNull(() => sessionStorage.removeItem(NAME));
}
