import type { Client } from 'pg';

/** Bytes by `database.table`. */
export type Sizes = Readonly<Record<string, { readonly rows: number; readonly indexes: number }>>;

/**
 * The tables as they are right after `VACUUM FULL`: rows with what is stored outside of them, and indexes. Updates leave free
 * space that later rows use, of which a benchmark of some minutes would count too much.
 */
export async function readSizes(client: Client, database: string): Promise<Sizes> {
  await client.query('VACUUM FULL');
  const { rows } = await client.query<{ name: string; rows: string; indexes: string }>(
    `SELECT c.relname AS name, pg_table_size(c.oid) AS rows, pg_indexes_size(c.oid) AS indexes
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname = 'public'`,
  );
  return Object.fromEntries(
    rows.map((row) => [`${database}.${row.name}`, { rows: Number(row.rows), indexes: Number(row.indexes) }]),
  );
}

/** What each table has grown by for one of `count` payments. */
export function sizeDelta(before: Sizes, after: Sizes, count: number): Sizes {
  return Object.fromEntries(
    Object.entries(after).map(([name, { rows, indexes }]) => {
      const old = before[name] ?? { rows: 0, indexes: 0 };
      return [name, { rows: (rows - old.rows) / count, indexes: (indexes - old.indexes) / count }];
    }),
  );
}
