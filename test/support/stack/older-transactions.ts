import { Client } from 'pg';
import { readStack } from './stack';
import { waitFor } from './wait-for';

/**
 * Resolves when every transaction of the run's Postgres that was open at the call has ended. Until then the event log
 * shows nothing that was told after the oldest of them began, whichever database that works in.
 */
export async function olderTransactionsEnded(): Promise<void> {
  const client = new Client({ connectionString: readStack().databaseUrl });
  await client.connect();
  try {
    const ask = async (what: string, values: string[] = []): Promise<unknown> =>
      (await client.query<{ answer: unknown }>(`SELECT ${what} AS answer`, values)).rows[0]?.answer;
    const next = String(await ask('pg_snapshot_xmax(pg_current_snapshot())'));
    await waitFor(
      async () => (await ask('pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8', [next])) === true,
    );
  } finally {
    await client.end();
  }
}
