import type { Config } from '../config';
import type { Logger } from '../log';
import { mayChangeSchema } from '../persistence/sql/database-role';
import type { AppContext } from './app-context';

/** In production, says in the log that this process signs in to Postgres with more rights than it needs. Never throws. */
export async function warnOfDatabaseRole(
  { production }: Pick<Config, 'production'>,
  { db }: Pick<AppContext, 'db'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (!production) return;
  try {
    if (await mayChangeSchema(db))
      log.warn('the database role may change the schema; use one that owns no table');
  } catch (error) {
    log.warn({ err: error }, 'the rights of the database role are unknown');
  }
}
