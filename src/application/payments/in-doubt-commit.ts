import { setTimeout as delay } from 'node:timers/promises';
import { isCommitInDoubt } from '../../persistence/sql/pooled-connection';

/** When the table is asked about a lost COMMIT: pauses in ms, as long as a rescheduled database takes to answer. */
const LOOKUPS_MS = [50, 500, 1_000, 2_000, 4_000];
/** With the wait for COMMIT itself somebody is answered within 16 s, also when the database has fallen silent. */
const LOOKED_FOR_WITHIN_MS = 8_000;

/**
 * A connection lost under COMMIT leaves open whether the row exists, and what exists is carried out: the table is asked.
 * Throws `cause` when there is no row or cannot be one, and when the database cannot be reached any more.
 */
export async function resolveInDoubtCommit<Row>(
  find: () => Promise<Row | null>,
  cause: unknown,
): Promise<Row> {
  if (!isCommitInDoubt(cause)) throw cause;
  const endAt = performance.now() + LOOKED_FOR_WITHIN_MS;
  for (const pauseMs of LOOKUPS_MS) {
    await delay(pauseMs);
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
