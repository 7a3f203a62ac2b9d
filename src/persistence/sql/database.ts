import { Sequelize } from 'sequelize';
import pg from 'pg';

/** Amounts and ids are bigint in Postgres and stay far below 2^53; a larger one is a bug, not a rounding. */
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a bigint beyond 2^53');
  return value;
});

/** Longer statements are cut off by the server, so that a slow database never holds every connection. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** A server that has fallen silent answers no statement timeout either: the client gives up by itself. */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** What a change of the schema does to a large table takes its time. */
const MIGRATION_STATEMENT_TIMEOUT_MS = 30 * 60_000;
/** A server that has just been started, on a machine that has much else to start, takes its time too. */
const MIGRATION_CONNECT_TIMEOUT_MS = 60_000;
/** Payments queue up behind a change that waits for its lock: it gives way, and its step is taken another time. */
const MIGRATION_LOCK_TIMEOUT_MS = 5_000;

/** Sends a statement without waiting for those before it. Sequelize hands no such option on. */
class PipeliningClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({ ...config, pipeline: true });
  }
}

/** A pool of connections to Postgres. `pool` bounds them; waiting for one is bounded too. */
export function connectDatabase(url: string, pool: number): Sequelize {
  return connect(url, pool, {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  });
}

/** For changes of the schema, one step at a time: patient with their work, and not with those who stand in its way. */
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
    dialectModule: Object.create(pg, { Client: { value: PipeliningClient } }) as object,
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
