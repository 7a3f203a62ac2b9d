import type { Database } from './transaction';

/**
 * Whether the role that this process signs in with may do more than read and write rows: as a superuser, or as the owner of
 * a table, it could switch off a trigger that keeps a table append-only.
 */
export async function mayChangeSchema(db: Database): Promise<boolean> {
  const row = await db.queryOne<{ may: boolean }>(
    `SELECT rolsuper OR EXISTS (
       SELECT FROM pg_tables WHERE schemaname = 'public' AND pg_has_role(current_user, tableowner, 'USAGE')) AS may
     FROM pg_roles WHERE rolname = current_user`,
  );
  return row?.may ?? true;
}
