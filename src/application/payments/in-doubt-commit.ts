import { setTimeout as delay } from 'node:timers/promises';
import { isCommitInDoubt } from '../../persistence/sql/pooled-connection';

/** Pauses in ms before each lookup. Together they cover the time a failover of the database takes. */
const LOOKUP_DELAYS_MS = [50, 500, 1_000, 2_000, 4_000];
/** Together with the wait for COMMIT the caller gets an answer within 16 s, even if the database stops answering. */
const LOOKUP_TIMEOUT_MS = 8_000;

/**
 * If the connection breaks during COMMIT, the row may or may not exist, and an existing row will be processed. This looks
 * the row up and returns it.
 *
 * @throws `cause` if the error is not an in-doubt commit, if there is no row, or if the database stays unreachable
 */
export async function resolveInDoubtCommit<Row>(
  find: () => Promise<Row | null>,
  cause: unknown,
): Promise<Row> {
  if (!isCommitInDoubt(cause)) throw cause;
  const endAt = performance.now() + LOOKUP_TIMEOUT_MS;
  for (const delayMs of LOOKUP_DELAYS_MS) {
    await delay(delayMs);
    const found = await Promise.race([
      find().catch(() => 'unreachable' as const),
      delay(endAt - performance.now(), 'unreachable' as const, { ref: false }),
    ]);
    if (found === null) throw cause;
    if (found !== 'unreachable') return found;
    if (performance.now() >= endAt) break;
  }
  throw cause;
}
