import type { Config } from '../config';
import type { Logger } from '../log';
import { readMigratedMode } from '../persistence/sql/migrated-mode';
import type { AppContext } from './app-context';

/**
 * Keeps a process from starting on a database that was migrated for the other mode: every registration would fail there. A
 * database that cannot be asked does not keep it from starting, because it may be reachable later.
 *
 * @throws Error that says what to change
 */
export async function requireMigratedMode(
  { mode }: Pick<Config, 'mode'>,
  { db }: Pick<AppContext, 'db'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const migrated = await readMigratedMode(db).catch((error: unknown) => {
    log.warn({ err: error }, 'it is unknown for which mode the database was migrated');
    return null;
  });
  if (migrated === null || migrated === mode) return;
  // Its open connections would keep the process alive.
  await db.close();
  throw new Error(
    `refusing to start: the database was migrated for ${migrated} mode, but NODE_ENV asks for ${mode} mode. ` +
      'Run `npm run migrate` with the NODE_ENV of this process on a database of its own',
  );
}
