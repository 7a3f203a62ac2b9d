export interface PollSchedule {
  readonly firstMs: number;
  /** The interval grows up to this value. */
  readonly maxMs: number;
  /** Polling stops after this many requests. */
  readonly maxRequests: number;
}

const GROWTH = 1.3;

/**
 * Polls while the page is visible, and immediately when it becomes visible again: buyers pay in another app and come
 * back. Returns a function that stops polling.
 */
export function poll(
  request: () => Promise<void>,
  { firstMs, maxMs, maxRequests }: PollSchedule,
  onStopped: () => void,
): () => void {
  let timer: number | undefined;
  let left = maxRequests;
  let delayMs = firstMs;
  let stopped = false;

  const schedule = (): void => {
    window.clearTimeout(timer);
    if (stopped || document.hidden) return;
    if (left === 0) return onStopped();
    left -= 1;
    timer = window.setTimeout(() => void request().finally(schedule), delayMs);
    delayMs = Math.min(delayMs * GROWTH, maxMs);
  };
  const onVisibilityChange = (): void => {
    if (document.hidden) return;
    left = maxRequests;
    delayMs = 0;
    schedule();
    delayMs = firstMs;
  };

  schedule();
  document.addEventListener('visibilitychange', onVisibilityChange);
  return () => {
    stopped = true;
    window.clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibilityChange);
  };
}
