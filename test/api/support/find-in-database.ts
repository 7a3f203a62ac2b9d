import type { Engine } from '../../support/stack/engine';

/** Tables and columns that contain the text, over the whole database. */
export async function findInDatabase({ context: { db } }: Engine, text: string): Promise<string[]> {
  const columns = await db.query<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')`,
  );
  const found = await Promise.all(
    columns.map(async ({ table, column }) => {
      const rows = await db.query(
        `SELECT 1 FROM "${table}" WHERE strpos("${column}"::text, $1) > 0 LIMIT 1`,
        [text],
      );
      return rows.length > 0 ? [`${table}.${column}`] : [];
    }),
  );
  return found.flat();
}
