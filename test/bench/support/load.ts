import { setTimeout as delay } from 'node:timers/promises';

/**
 * Closed loop: each of `concurrency` callers sends its next call after the response; `counted` ends after `count` calls.
 * Open loop: calls are sent on schedule, independent of responses.
 */
export type Load =
  | { readonly kind: 'closed'; readonly concurrency: number; readonly forMs: number }
  | { readonly kind: 'counted'; readonly concurrency: number; readonly count: number }
  | { readonly kind: 'open'; readonly perSecond: number; readonly forMs: number };

export interface FinishedCall {
  /** The id of the payment, subscription or workflow. */
  readonly id: string;
  /** When the first response arrived, by `performance.now()`. */
  readonly answeredAt: number;
  /** The duration of the second step, if the call has one. */
  readonly followUpMs?: number;
}

/** Throws if a response is not the expected one. */
export type Call = () => Promise<FinishedCall>;

export interface LoadResult {
  /** From the first call to the end of the last one. */
  readonly elapsedMs: number;
  /** Until the first response: in a closed loop from the call, in an open loop from the time the call was due. */
  readonly latenciesMs: readonly number[];
  readonly followUpsMs: readonly number[];
  readonly ids: readonly string[];
}

export async function runLoad(load: Load, call: Call): Promise<LoadResult> {
  const ids: string[] = [];
  const latenciesMs: number[] = [];
  const followUpsMs: number[] = [];
  const startedAt = performance.now();
  const timed = async (since: number): Promise<void> => {
    const { id, answeredAt, followUpMs } = await call();
    ids.push(id);
    latenciesMs.push(answeredAt - since);
    if (followUpMs !== undefined) followUpsMs.push(followUpMs);
  };
  if (load.kind === 'open') await openLoop(load.perSecond, load.forMs, startedAt, timed);
  else await closedLoop(load.concurrency, continuation(load, startedAt), timed);
  return { elapsedMs: performance.now() - startedAt, latenciesMs, followUpsMs, ids };
}

/** Returns a function that says whether another call is to be made. */
function continuation(load: Exclude<Load, { kind: 'open' }>, startedAt: number): () => boolean {
  if (load.kind === 'closed') return () => performance.now() - startedAt < load.forMs;
  let left = load.count;
  return () => left-- > 0;
}

async function closedLoop(
  callers: number,
  shouldContinue: () => boolean,
  timed: (since: number) => Promise<void>,
): Promise<void> {
  const caller = async (): Promise<void> => {
    while (shouldContinue()) await timed(performance.now());
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

async function openLoop(
  perSecond: number,
  forMs: number,
  startedAt: number,
  timed: (since: number) => Promise<void>,
): Promise<void> {
  const calls: Promise<void>[] = [];
  const count = Math.floor((perSecond * forMs) / 1000);
  for (let index = 0; index < count; index += 1) {
    const dueAt = startedAt + (index * 1000) / perSecond;
    const early = dueAt - performance.now();
    if (early > 0) await delay(early);
    calls.push(timed(dueAt));
  }
  await Promise.all(calls);
}
