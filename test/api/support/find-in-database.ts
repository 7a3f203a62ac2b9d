import type { Engine } from '../../support/stack/engine';

/** Tables and columns that contain the text, over the whole database. */
export async function findInDatabase({ context: { db } }: Engine, text: string): Promise<string[]> {
  const columns = await db.query<{ table: string; column: string; text: string }>(
    `SELECT table_name AS "table", column_name AS "column",
       format(CASE data_type WHEN 'bytea' THEN 'encode(%I, ''escape'')' ELSE '%I::text' END, column_name) AS text FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')`,
  );
  const found = await Promise.all(
    columns.map(async ({ table, column, text: readable }) => {
      const rows = await db.query(`SELECT 1 FROM "${table}" WHERE strpos(${readable}, $1) > 0 LIMIT 1`, [
        text,
      ]);
      return rows.length > 0 ? [`${table}.${column}`] : [];
    }),
  );
  return found.flat();
}
