import type { QueryConfig, QueryResult } from 'pg';
import type { Sequelize, Transaction } from 'sequelize';
import {
  committingBackend,
  observePoolWaits,
  poolState,
  runStatement,
  runTransaction,
  type ObservePoolWait,
  type PoolState,
} from './pooled-connection';
import { noSpans, type Spans } from '../../tracing/spans';
import { StatementNames } from './statement-names';

export type Tx = Transaction;

/** One span for each transaction: one for each statement would cost more than it tells. */
const TRANSACTION_SPAN = { name: 'postgres transaction', kind: 'client' } as const;

/**
 * All access to Postgres: short transactions and parameterized SQL (`$1`) on a bounded pool.
 *
 * Statements are prepared by name once per connection, so they must be constants of the code; an unbounded number of
 * texts would use unbounded memory in the server. SQL composed at run time goes through `queryComposed`.
 */
export class Database {
  private readonly statementNames = new StatementNames();

  constructor(
    readonly sequelize: Sequelize,
    private readonly spans: Spans = noSpans,
  ) {}

  /** Commits if `work` resolves and rolls back if it throws. Never call a remote system inside. */
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.spans.around(TRANSACTION_SPAN, () => runTransaction(this.sequelize, work));
  }

  /** Runs one constant statement and returns its rows (of `RETURNING` for a change). */
  async query<Row extends object>(sql: string, bind: readonly unknown[] = [], tx?: Tx): Promise<Row[]> {
    return (await this.run(this.prepared(sql, bind), tx)).rows as Row[];
  }

  async queryOne<Row extends object>(
    sql: string,
    bind: readonly unknown[] = [],
    tx?: Tx,
  ): Promise<Row | null> {
    return (await this.query<Row>(sql, bind, tx))[0] ?? null;
  }

  /** Runs one constant change and returns the number of rows it affected. */
  async execute(sql: string, bind: readonly unknown[], tx?: Tx): Promise<number> {
    return (await this.run(this.prepared(sql, bind), tx)).rowCount ?? 0;
  }

  /** Like `query`, for SQL composed at run time; it is not prepared. */
  async queryComposed<Row extends object>(sql: string, bind: readonly unknown[], tx?: Tx): Promise<Row[]> {
    return (await this.run({ text: sql, values: bind.map(toParameter) }, tx)).rows as Row[];
  }

  /**
   * Whether the server may still be committing the transaction that threw this error. A server that was cut off from its
   * client keeps the transaction until it notices, and the COMMIT may still reach it.
   */
  async isCommitInProgress(error: unknown): Promise<boolean> {
    const backend = committingBackend(error);
    if (backend === null) return false;
    const sql = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state IS DISTINCT FROM 'idle'`;
    return (await this.queryOne(sql, [backend])) !== null;
  }

  poolState(): PoolState {
    return poolState(this.sequelize);
  }

  observePoolWaits(observe: ObservePoolWait): void {
    observePoolWaits(this.sequelize, observe);
  }

  async close(): Promise<void> {
    await this.sequelize.close();
  }

  private prepared(text: string, bind: readonly unknown[]): QueryConfig {
    const name = this.statementNames.nameOf(text);
    return { text, values: bind.map(toParameter), ...(name !== undefined && { name }) };
  }

  private run(statement: QueryConfig, tx: Tx | undefined): Promise<QueryResult> {
    return runStatement(this.sequelize, statement, tx);
  }
}

/** Postgres text cannot contain NUL; a gateway's answer may, and is stored escaped as Sequelize does. */
function toParameter(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\\0') : value;
}
