import { isMode, type Mode } from '../../domain/shared/mode';
import type { Database } from './transaction';

/** The mode for which this database was migrated: the default of `companies.mode`. Null before that migration ran. */
export async function readMigratedMode(db: Pick<Database, 'queryOne'>): Promise<Mode | null> {
  // information_schema shows defaults to a table's owner only.
  const row = await db.queryOne<{ mode: string | null }>(
    `SELECT substring(pg_get_expr(d.adbin, d.adrelid) FROM '^''([a-z]+)''') AS mode
     FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
     WHERE d.adrelid = to_regclass('companies') AND a.attname = 'mode'`,
  );
  return isMode(row?.mode) ? row.mode : null;
}
