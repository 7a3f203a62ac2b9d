import type { Client, QueryConfig, QueryResult } from 'pg';
import type { Sequelize, Transaction } from 'sequelize';

/*
 * The one place that reaches behind Sequelize, to the `pg` connection a transaction runs on. Sequelize cannot name a
 * statement, so that Postgres would parse and plan it once, and what its query layer does around each short statement
 * costs this process more than the statement itself. Pool, transactions and error classes stay Sequelize's. The fields
 * below are those of Sequelize 6; `test/persistence/connection-lost.test.ts` fails when one of them goes away.
 */

/** Sequelize's pool closes a connection marked `_invalid` instead of handing it out again. */
type Connection = Client & { _invalid?: boolean };

interface TransactionInternals {
  readonly connection?: Connection;
  readonly finished?: 'commit' | 'rollback';
}

interface SequelizeInternals {
  readonly dialect: {
    readonly Query: new (
      connection: Connection,
      sequelize: Sequelize,
      options: object,
    ) => { formatError(error: unknown): Error };
  };
}

/**
 * Runs one statement on the transaction's connection, or on one of the pool for the time it takes.
 *
 * @throws the errors `Sequelize.query` throws, but without the values: they may be a customer's
 */
export async function runStatement(
  sequelize: Sequelize,
  statement: QueryConfig,
  tx?: Transaction,
): Promise<QueryResult> {
  if (tx !== undefined) return runOn(connectionOf(tx), sequelize, statement);
  const { connectionManager } = sequelize;
  const connection = (await connectionManager.getConnection({ type: 'write' })) as Connection;
  try {
    return await runOn(connection, sequelize, statement);
  } finally {
    connectionManager.releaseConnection(connection);
  }
}

/** A transaction that has ended still knows its connection, which may be another's by now. */
function connectionOf(tx: Transaction): Connection {
  const { connection, finished } = tx as TransactionInternals;
  if (connection === undefined || finished !== undefined) throw new Error('the transaction has ended');
  return connection;
}

async function runOn(
  connection: Connection,
  sequelize: Sequelize,
  statement: QueryConfig,
): Promise<QueryResult> {
  try {
    return await connection.query(statement);
  } catch (error) {
    if (isUseless(error)) connection._invalid = true;
    const { Query } = (sequelize as unknown as SequelizeInternals).dialect;
    throw new Query(connection, sequelize, {}).formatError(error);
  }
}

/**
 * After these a connection would fail the next one too. Sequelize knows the first two; it learns of a closed socket by
 * itself. The others are a prepared statement the server has lost, and one whose result a migration has changed.
 */
function isUseless(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (
    code === 'ECONNRESET' ||
    message === 'Query read timeout' ||
    code === '26000' ||
    message === 'cached plan must not change result type'
  );
}
