import { setTimeout as pause } from 'node:timers/promises';
import type { ExportKeys, ExportPlace } from '../../persistence/read-models/export-keys';

/** Rows loaded and presented at once: a few milliseconds of CPU, which payments of the same process wait for. */
const ROWS_AT_ONCE = 200;

/** The rows after `start`, a few at a time; none at all now and then, so that a reader who has gone away is noticed. */
export async function* pagesAfter<Id extends number | string, Row>(
  start: ExportPlace | null,
  read: (after: ExportPlace | null) => Promise<ExportKeys<Id>>,
  load: (ids: readonly Id[]) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after = start;
  do {
    const { ids, last } = await read(after);
    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE)
      yield load(ids.slice(from, from + ROWS_AT_ONCE));
    if (ids.length === 0) yield [];
    after = last;
  } while (after !== null);
}

/**
 * The same pages, each followed by a pause as long as its work took: an export uses at most half of a CPU, and half of a
 * connection to the database.
 */
export async function* throttled<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  try {
    while (true) {
      const startedAt = performance.now();
      const next = await pages.next();
      if (next.done === true) return;
      const workMs = performance.now() - startedAt;
      yield next.value;
      await pause(workMs);
    }
  } finally {
    await pages.return(undefined);
  }
}
