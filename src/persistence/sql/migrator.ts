import type { Sequelize } from 'sequelize';
import { Umzug, SequelizeStorage } from 'umzug';
import { connectForMigrations } from './database';
import { migrations } from '../migrations';
import type { Migration } from '../migrations/migration';

/** Any number; the same for every process that migrates this database. */
const MIGRATION_LOCK = 7_033_001;

/**
 * Brings the schema up to date and returns the names of the steps taken. Each step is one transaction, on connections
 * of their own that are patient with long statements; a lock in the database lets one process migrate at a time.
 *
 * @throws when a statement of a step does not get its lock within seconds: the step is not taken, those before it are
 */
export async function migrate(
  databaseUrl: string,
  steps: readonly Migration[] = migrations,
): Promise<string[]> {
  const sequelize = connectForMigrations(databaseUrl);
  try {
    return await takeSteps(sequelize, steps);
  } finally {
    await sequelize.close();
  }
}

function takeSteps(sequelize: Sequelize, steps: readonly Migration[]): Promise<string[]> {
  const umzug = new Umzug({
    migrations: steps.map(({ name, up }) => ({
      name,
      up: async () => {
        await sequelize.transaction((transaction) => sequelize.query(up, { transaction }));
      },
    })),
    storage: new SequelizeStorage({ sequelize, modelName: 'schema_migrations' }),
    logger: undefined,
  });
  return sequelize.transaction(async (transaction) => {
    // The lock is held idle while the steps are taken on the other connection, and waited for, however long they take.
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
