import { waitUntil } from '../../../src/dev/wait-until';

export interface WaitOptions {
  /** Named in the error when it does not come. */
  readonly what?: string;
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/**
 * Asks until the answer is neither undefined, null nor false, and returns it: `const payment = await waitFor(() => ...)`.
 * A throw counts as "not yet", so that it may hold expectations; the last one is the cause of the final error.
 */
export function waitFor<T>(
  ask: () => Promise<T> | T,
  { what = 'the condition', withinMs = 40_000, everyMs = 25 }: WaitOptions = {},
): Promise<NonNullable<Exclude<T, false>>> {
  return waitUntil(what, withinMs, ask, everyMs);
}
