import { Sequelize } from 'sequelize';
import pg from 'pg';

/** Amounts and ids are bigint in Postgres and stay far below 2^53; a larger value is a bug and must not be rounded. */
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a bigint beyond 2^53');
  return value;
});

/** The server cancels longer statements, so that a slow query cannot hold every connection. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** A silent server does not enforce its statement timeout, so the client gives up on its own. */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** A schema change may rewrite a large table. */
const MIGRATION_STATEMENT_TIMEOUT_MS = 30 * 60_000;
/** A server that has just been started may accept connections late. */
const MIGRATION_CONNECT_TIMEOUT_MS = 60_000;
/** Payments queue behind a migration that waits for its lock, so it gives up and is run again later. */
const MIGRATION_LOCK_TIMEOUT_MS = 5_000;

/** A pool of at most `pool` connections to Postgres. Waiting for one is bounded too. */
export function connectDatabase(url: string, pool: number): Sequelize {
  return connect(url, pool, {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  });
}

/** Connections for migrations: long statement timeouts, short lock timeouts. */
export function connectForMigrations(url: string): Sequelize {
  return connect(url, 2, {
    connectionTimeoutMillis: MIGRATION_CONNECT_TIMEOUT_MS,
    statement_timeout: MIGRATION_STATEMENT_TIMEOUT_MS,
    query_timeout: MIGRATION_STATEMENT_TIMEOUT_MS + 1_000,
    lock_timeout: MIGRATION_LOCK_TIMEOUT_MS,
  });
}

function connect(
  url: string,
  pool: number,
  timeouts: pg.ClientConfig & { readonly connectionTimeoutMillis: number },
): Sequelize {
  return new Sequelize(url, {
    dialect: 'postgres',
    dialectModule: pg,
    logging: false,
    pool: { max: pool, min: 0, acquire: timeouts.connectionTimeoutMillis, idle: 30_000 },
    retry: { max: 0 },
    dialectOptions: {
      ...timeouts,
      keepAlive: true,
      application_name: 'payment-engine',
    },
  });
}
