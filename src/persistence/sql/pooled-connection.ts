import type { Client, QueryConfig, QueryResult } from 'pg';
import { Transaction, type Sequelize } from 'sequelize';

/*
 * The one place that reaches behind Sequelize, to the `pg` connection a transaction runs on. Sequelize cannot name a
 * statement, so that Postgres would parse and plan it once, and what its query layer does around each short statement
 * costs this process more than the statement itself. Pool and error classes stay Sequelize's, and a transaction is one
 * that its models take. The fields below are those of Sequelize 6; `test/persistence/connection-lost.test.ts` fails
 * when one of them goes away.
 */

/** Sequelize's pool closes a connection marked `_invalid` instead of handing it out again. */
type Connection = Client & { _invalid?: boolean };

interface TransactionInternals {
  connection?: Connection;
  finished?: 'commit' | 'rollback';
  /** Changes that nobody but the commit waits for. */
  last?: Promise<unknown>[];
  /** Sequelize's own list of what `afterCommit` was given. */
  readonly _afterCommitHooks?: ReadonlyArray<(tx: Transaction) => unknown>;
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
  return withConnection(sequelize, (connection) => runOn(connection, sequelize, statement));
}

/**
 * One transaction on one connection of the pool: committed when `work` and the changes of `awaitBeforeCommit` resolve, rolled
 * back when one of them throws. Its BEGIN travels with its first statement.
 *
 * @throws when it was not committed, or nobody can tell: the connection was lost under COMMIT
 */
export async function runTransaction<Result>(
  sequelize: Sequelize,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const tx: Transaction & TransactionInternals = new Transaction(sequelize, {});
  const result = await withConnection(sequelize, async (connection) => {
    tx.connection = connection;
    const command = (text: string): Promise<QueryResult> => runOn(connection, sequelize, { text });
    const begun = command('BEGIN');
    try {
      // On a connection that is lost the first statement fails as BEGIN does, and it is the one that is waited for.
      const [worked] = await Promise.all([work(tx), begun]);
      // A change may fail before Postgres ever sees it: COMMIT is sent when all of them are known to be made.
      await Promise.all(tx.last ?? []);
      tx.finished = 'commit';
      const { command: done } = await command('COMMIT').catch(doubting);
      // After a statement that failed Postgres rolls back instead, and says so.
      if (done !== 'COMMIT') throw new Error('a statement has failed, so nothing was committed');
      return worked;
    } catch (error) {
      tx.finished = 'rollback';
      // A connection that is closed rolls back by itself; where the server is silent, asking it would only take longer.
      if (!connection._invalid) await command('ROLLBACK').catch(() => (connection._invalid = true));
      throw error;
    }
  });
  try {
    for (const hook of tx._afterCommitHooks ?? []) await hook(tx);
  } catch (error) {
    doubting(error instanceof Error ? error : new Error('a hook has failed', { cause: error }));
  }
  return result;
}

const commitsInDoubt = new WeakSet<object>();

function doubting(error: Error): never {
  commitsInDoubt.add(error);
  throw error;
}

/** Whether a transaction that threw this may have been committed: its COMMIT was sent. Without that it certainly was not. */
export function isCommitInDoubt(error: unknown): boolean {
  return typeof error === 'object' && error !== null && commitsInDoubt.has(error);
}

/** Leaves a change that was asked for to the commit, which waits for it: should it fail, nothing is committed. */
export function awaitBeforeCommit(tx: Transaction & TransactionInternals, change: Promise<unknown>): void {
  // Should the transaction be rolled back first, nobody asks what became of it.
  change.catch(() => undefined);
  tx.last = [...(tx.last ?? []), change];
}

async function withConnection<Result>(
  { connectionManager }: Sequelize,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = (await connectionManager.getConnection({ type: 'write' })) as Connection;
  try {
    return await work(connection);
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
