import { setTimeout as delay } from 'node:timers/promises';

type Truthy<T> = NonNullable<Exclude<T, false>>;

/**
 * Polls until the result is neither undefined, null nor false, and returns it. An exception counts as not yet. Throws
 * after `withinMs`, with the last exception as the cause.
 */
export async function waitUntil<T>(
  what: string,
  withinMs: number,
  poll: () => Promise<T> | T,
  everyMs = 25,
): Promise<Truthy<T>> {
  const deadline = Date.now() + withinMs;
  let cause: unknown;
  do {
    try {
      const result = await poll();
      if (result !== undefined && result !== null && result !== false) return result as Truthy<T>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(everyMs);
  } while (Date.now() < deadline);
  const detail = cause instanceof Error ? `: ${cause.message}` : '';
  throw new Error(`${what}: not within ${withinMs / 1000} s${detail}`, { cause });
}
