import type { Client, QueryConfig, QueryResult } from 'pg';
import { Transaction, type Sequelize } from 'sequelize';

/*
 * The only file that uses Sequelize's internals: the `pg` connection of a transaction, to run named prepared statements
 * on it (docs/decisions/sequelize-prepared.md). The pool and the error classes stay Sequelize's, and its models accept
 * the transactions made here. The fields are those of Sequelize 6; test/persistence/connection-lost.test.ts fails when
 * one of them changes.
 */

/** Sequelize's pool closes a connection marked `_invalid` instead of handing it out again. */
type Connection = Client & {
  _invalid?: boolean;
  /** The process id of the server's backend; part of `pg` but not of its types. */
  readonly processID: number | null;
};

interface TransactionInternals {
  connection?: Connection;
  finished?: 'commit' | 'rollback';
  /** The hooks passed to `afterCommit`. */
  readonly _afterCommitHooks?: ReadonlyArray<(tx: Transaction) => unknown>;
}

interface SequelizeInternals {
  readonly connectionManager: {
    readonly pool: {
      readonly using: number;
      readonly available: number;
      readonly waiting: number;
      readonly maxSize: number;
    };
  };
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
  return withConnection(sequelize, (connection) => runOn(connection, sequelize, statement));
}

/**
 * Runs `work` in one transaction on one pooled connection: commits if it resolves, rolls back if it throws.
 *
 * @throws if the transaction was not committed, or if its outcome is in doubt because the connection broke at COMMIT
 */
export async function runTransaction<Result>(
  sequelize: Sequelize,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const tx: Transaction & TransactionInternals = new Transaction(sequelize, {});
  const result = await withConnection(sequelize, async (connection) => {
    tx.connection = connection;
    const command = (text: string): Promise<QueryResult> => runOn(connection, sequelize, { text });
    try {
      await command('BEGIN');
      const worked = await work(tx);
      tx.finished = 'commit';
      const { command: done } = await command('COMMIT').catch((error: Error) =>
        markInDoubt(error, connection.processID),
      );
      // After a failed statement Postgres answers COMMIT with ROLLBACK.
      if (done !== 'COMMIT') throw new Error('a statement failed, so nothing was committed');
      return worked;
    } catch (error) {
      tx.finished = 'rollback';
      // Closing an invalid connection rolls back; asking a silent server would only take longer.
      if (!connection._invalid) await command('ROLLBACK').catch(() => (connection._invalid = true));
      throw error;
    }
  });
  try {
    for (const hook of tx._afterCommitHooks ?? []) await hook(tx);
  } catch (error) {
    const cause = error instanceof Error ? error : new Error('an after-commit hook failed', { cause: error });
    markInDoubt(cause, null);
  }
  return result;
}

/** The backends that got a COMMIT whose outcome is in doubt, by the error that was thrown; null once it has answered. */
const commitsInDoubt = new WeakMap<object, number | null>();

function markInDoubt(error: Error, backend: number | null): never {
  commitsInDoubt.set(error, backend);
  throw error;
}

/** Whether the transaction that threw this error may have been committed, because its COMMIT was sent. */
export function isCommitInDoubt(error: unknown): boolean {
  return typeof error === 'object' && error !== null && commitsInDoubt.has(error);
}

/** The process id of the server's backend that may still be committing; null if none is. */
export function committingBackend(error: unknown): number | null {
  return typeof error === 'object' && error !== null ? (commitsInDoubt.get(error) ?? null) : null;
}

/** The connections of a pool. */
export interface PoolState {
  readonly used: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

export function poolState(sequelize: Sequelize): PoolState {
  const { pool } = (sequelize as unknown as SequelizeInternals).connectionManager;
  return { used: pool.using, idle: pool.available, waiting: pool.waiting, max: pool.maxSize };
}

/** Told how long each statement or transaction waited for a connection, in seconds; also if it got none. */
export type ObservePoolWait = (seconds: number) => void;

const waitObservers = new WeakMap<Sequelize, ObservePoolWait>();

export function observePoolWaits(sequelize: Sequelize, observe: ObservePoolWait): void {
  waitObservers.set(sequelize, observe);
}

async function acquire(sequelize: Sequelize): Promise<Connection> {
  const startedAt = performance.now();
  try {
    return (await sequelize.connectionManager.getConnection({ type: 'write' })) as Connection;
  } finally {
    waitObservers.get(sequelize)?.((performance.now() - startedAt) / 1000);
  }
}

async function withConnection<Result>(
  sequelize: Sequelize,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await acquire(sequelize);
  try {
    return await work(connection);
  } finally {
    sequelize.connectionManager.releaseConnection(connection);
  }
}

/** A finished transaction still refers to its connection, which may serve another one by now. */
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
    if (isUnusable(error)) connection._invalid = true;
    const { Query } = (sequelize as unknown as SequelizeInternals).dialect;
    throw new Query(connection, sequelize, {}).formatError(error);
  }
}

/**
 * After these errors the connection would fail its next statement too. Sequelize handles the first two and closed sockets;
 * the others are a prepared statement that the server has lost, and one whose result type a migration has changed.
 */
function isUnusable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (
    code === 'ECONNRESET' ||
    message === 'Query read timeout' ||
    code === '26000' ||
    message === 'cached plan must not change result type'
  );
}
