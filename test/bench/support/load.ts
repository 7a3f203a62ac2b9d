import { setTimeout as delay } from 'node:timers/promises';

/** Closed: so many callers, each of which waits for its answer. Open: calls leave on schedule, whatever the answers do. */
export type Load =
  | { readonly kind: 'closed'; readonly concurrency: number; readonly forMs: number }
  | { readonly kind: 'counted'; readonly concurrency: number; readonly count: number }
  | { readonly kind: 'open'; readonly perSecond: number; readonly forMs: number };

export interface FinishedCall {
  /** What identifies it in the books. */
  readonly id: string;
  /** When its first answer came, by `performance.now()`. */
  readonly answeredAt: number;
  /** How long the second step took, of a call that has one. */
  readonly followUpMs?: number;
}

/** Throws when an answer is not the expected one. */
export type Call = () => Promise<FinishedCall>;

export interface LoadResult {
  /** From the first call to the end of the last one. */
  readonly elapsedMs: number;
  /** Until the first answer; of a closed loop from the call, of an open one from the instant the call was due. */
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
  else await closedLoop(load.concurrency, endOf(load, startedAt), timed);
  return { elapsedMs: performance.now() - startedAt, latenciesMs, followUpsMs, ids };
}

/** Tells before each call whether there is another one to make. */
function endOf(load: Exclude<Load, { kind: 'open' }>, startedAt: number): () => boolean {
  if (load.kind === 'closed') return () => performance.now() - startedAt < load.forMs;
  let left = load.count;
  return () => left-- > 0;
}

async function closedLoop(
  callers: number,
  goesOn: () => boolean,
  timed: (since: number) => Promise<void>,
): Promise<void> {
  const caller = async (): Promise<void> => {
    while (goesOn()) await timed(performance.now());
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
