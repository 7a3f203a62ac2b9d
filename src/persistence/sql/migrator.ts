import type { Sequelize } from 'sequelize';
import { Umzug, SequelizeStorage } from 'umzug';
import { connectForMigrations } from './database';
import { migrations } from '../migrations';
import type { Mode } from '../../domain/shared/mode';
import type { Migration } from '../migrations/migration';

/** An arbitrary advisory lock key, the same for every process that migrates this database. */
const MIGRATION_LOCK = 7_033_001;

/**
 * Brings the schema up to date and returns the names of the migrations it ran. Each migration is one transaction,
 * and an index of its own. `mode` is the deployment's own mode. An advisory lock lets one process migrate at a time.
 *
 * @throws if a statement does not get its lock within seconds: that migration is rolled back, those before it are kept
 */
export async function migrate(
  databaseUrl: string,
  mode: Mode,
  steps: readonly Migration[] = migrations,
): Promise<string[]> {
  const sequelize = connectForMigrations(databaseUrl);
  try {
    return await takeSteps(sequelize, mode, steps);
  } finally {
    await sequelize.close();
  }
}

function takeSteps(sequelize: Sequelize, mode: Mode, steps: readonly Migration[]): Promise<string[]> {
  const umzug = new Umzug({
    migrations: steps.map(({ name, up, index }) => ({
      name,
      up: async () => {
        const sql = typeof up === 'function' ? up(mode) : up;
        if (sql !== undefined)
          await sequelize.transaction((transaction) => sequelize.query(sql, { transaction }));
        if (index !== undefined) await buildIndex(sequelize, index);
      },
    })),
    storage: new SequelizeStorage({ sequelize, modelName: 'schema_migrations' }),
    logger: undefined,
  });
  return sequelize.transaction(async (transaction) => {
    // This connection idles while the migrations run on another one, and waits for the lock as long as it takes.
    await sequelize.query('SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0', {
      transaction,
    });
    await sequelize.query('SELECT pg_advisory_xact_lock(:lock)', {
      replacements: { lock: MIGRATION_LOCK },
      transaction,
    });
    return (await umzug.up()).map(({ name }) => name);
  });
}

/** Postgres keeps an index whose build failed, invalid and unused, so it is dropped before the next try. */
async function buildIndex(
  sequelize: Sequelize,
  { name, definition }: NonNullable<Migration['index']>,
): Promise<void> {
  await sequelize.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await sequelize.query(`CREATE INDEX CONCURRENTLY ${name} ${definition}`);
}
