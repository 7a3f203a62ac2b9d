import { setTimeout as delay } from 'node:timers/promises';

/** When the table is asked about a lost COMMIT: pauses in ms, as long as a restarted database takes to answer. */
const LOOKUPS_MS = [50, 500, 1_000, 2_000, 4_000];

/**
 * A connection lost under COMMIT leaves open whether the row exists, and what exists is carried out: the table is asked.
 * Throws `cause` when there is no row, and when the database cannot be reached any more.
 */
export async function committedAfterAll<Row>(find: () => Promise<Row | null>, cause: unknown): Promise<Row> {
  for (const pauseMs of LOOKUPS_MS) {
    await delay(pauseMs);
    const found = await find().catch(() => 'unreachable' as const);
    if (found === null) throw cause;
    if (found !== 'unreachable') return found;
  }
  throw cause;
}
