import type { Sequelize } from 'sequelize';
import { Umzug, SequelizeStorage } from 'umzug';
import { migrations } from './migrations';

/** Any number; the same for every process that migrates this database. */
const MIGRATION_LOCK = 7_033_001;

/**
 * Brings the schema up to date and returns the names of the steps taken. Each step is one transaction,
 * and a lock in the database lets one process migrate at a time.
 */
export async function migrate(sequelize: Sequelize): Promise<string[]> {
  const umzug = new Umzug({
    migrations: migrations.map(({ name, up }) => ({
      name,
      up: async () => {
        await sequelize.transaction((transaction) => sequelize.query(up, { transaction }));
      },
    })),
    storage: new SequelizeStorage({ sequelize, modelName: 'schema_migrations' }),
    logger: undefined,
  });
  return sequelize.transaction(async (transaction) => {
    // The lock is held idle while the steps are taken on other connections, however long they take.
    await sequelize.query('SET LOCAL idle_in_transaction_session_timeout = 0', { transaction });
    await sequelize.query('SELECT pg_advisory_xact_lock(:lock)', {
      replacements: { lock: MIGRATION_LOCK },
      transaction,
    });
    return (await umzug.up()).map(({ name }) => name);
  });
}
