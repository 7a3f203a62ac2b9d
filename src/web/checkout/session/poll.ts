export interface Rhythm {
  readonly firstMs: number;
  /** Each pause is longer than the one before, up to this. */
  readonly longestMs: number;
  /** Then it ends. */
  readonly asks: number;
}

const GROWTH = 1.3;

/**
 * Asks again and again while the page is seen, and at once when it is seen again: buyers pay in another app and come back.
 * Returns what ends it.
 */
export function poll(
  ask: () => Promise<void>,
  { firstMs, longestMs, asks }: Rhythm,
  tired: () => void,
): () => void {
  let timer: number | undefined;
  let left = asks;
  let pauseMs = firstMs;
  let ended = false;

  const later = (): void => {
    window.clearTimeout(timer);
    if (ended || document.hidden) return;
    if (left === 0) return tired();
    left -= 1;
    timer = window.setTimeout(() => void ask().finally(later), pauseMs);
    pauseMs = Math.min(pauseMs * GROWTH, longestMs);
  };
  const seen = (): void => {
    if (document.hidden) return;
    left = asks;
    pauseMs = 0;
    later();
    pauseMs = firstMs;
  };

  later();
  document.addEventListener('visibilitychange', seen);
  return () => {
    ended = true;
    window.clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
  };
}
