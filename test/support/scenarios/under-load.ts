import { waitFor } from '../stack/wait-for';

const LANES = 4;
/** An iteration that had begun before, and one that begins afterwards. */
const FULL_ITERATION = 2;

/** Returns once every lane has begun an iteration after the call and ended it. */
type NextRound = () => Promise<void>;

/** Repeats `work` on several lanes at once for as long as `change` takes. Returns all results; the first failure ends it. */
export async function underLoad<Result>(
  work: () => Promise<Result>,
  change: (nextRound: NextRound) => Promise<void>,
): Promise<Result[]> {
  const results: Result[] = [];
  const counts = Array.from({ length: LANES }, () => 0);
  let isChanging = true;
  const runLane = async (lane: number): Promise<void> => {
    while (isChanging) {
      results.push(await work());
      counts[lane] = (counts[lane] ?? 0) + 1;
    }
  };
  const lanes = Promise.all(counts.map((_, lane) => runLane(lane))).finally(() => (isChanging = false));
  const nextRound = async (): Promise<void> => {
    const wanted = counts.map((count) => count + FULL_ITERATION);
    const hasPassed = () => !isChanging || counts.every((count, lane) => count >= (wanted[lane] ?? 0));
    await waitFor(() => Promise.resolve(hasPassed()), { what: 'a round of the load', withinMs: 60_000 });
  };
  await Promise.all([change(nextRound).finally(() => (isChanging = false)), lanes]);
  return results;
}
