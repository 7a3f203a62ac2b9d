import { setTimeout as delay } from 'node:timers/promises';

type Answer<T> = NonNullable<Exclude<T, false>>;

/**
 * Asks until the answer is neither undefined, null nor false, and returns it. A throw counts as "not yet". Throws
 * after `withinMs`, with the last error as the cause.
 */
export async function waitUntil<T>(
  what: string,
  withinMs: number,
  ask: () => Promise<T> | T,
  everyMs = 25,
): Promise<Answer<T>> {
  const deadline = Date.now() + withinMs;
  let cause: unknown;
  do {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== null && answer !== false) return answer as Answer<T>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(everyMs);
  } while (Date.now() < deadline);
  const detail = cause instanceof Error ? `: ${cause.message}` : '';
  throw new Error(`${what}: not within ${withinMs / 1000} s${detail}`, { cause });
}
