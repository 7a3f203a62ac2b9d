import type { QueryConfig, QueryResult } from 'pg';
import type { Sequelize, Transaction } from 'sequelize';
import { awaitBeforeCommit, runStatement, runTransaction } from './pooled-connection';
import { StatementNames } from './statement-names';

export type Tx = Transaction;

/**
 * The one door to Postgres: short transactions and parameterized SQL (`$1`), on a bounded pool.
 *
 * Statements are prepared by name, once per connection, and so must be constants of the code: any number of texts would
 * take any amount of the server's memory. What is put together at run time goes through `queryComposed`.
 */
export class Database {
  private readonly statementNames = new StatementNames();

  constructor(readonly sequelize: Sequelize) {}

  /**
   * One transaction, committed when `work` resolves and rolled back when it throws. Never call a remote system inside.
   * Its statements run in the order they were asked for, also when nobody waits for one before asking for the next:
   * those that do not depend on each other's results travel together (`Promise.all`).
   */
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return runTransaction(this.sequelize, work);
  }

  /** Reads that travel together, on one connection. They are no decision: what they tell may be old at once. */
  reading<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return runTransaction(this.sequelize, work);
  }

  /** For a last change, asked for already, whose result nobody needs: the commit waits for it, and fails as it does. */
  awaitBeforeCommit(tx: Tx, change: Promise<unknown>): void {
    awaitBeforeCommit(tx, change);
  }

  /** Runs one constant statement and returns its rows (those of `RETURNING` for a change). */
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

  /** Runs one constant change and returns how many rows it touched. */
  async execute(sql: string, bind: readonly unknown[], tx?: Tx): Promise<number> {
    return (await this.run(this.prepared(sql, bind), tx)).rowCount ?? 0;
  }

  /** Like `query`, for a text put together from what a caller asked for; it is not kept prepared. */
  async queryComposed<Row extends object>(sql: string, bind: readonly unknown[], tx?: Tx): Promise<Row[]> {
    return (await this.run({ text: sql, values: bind.map(toParameter) }, tx)).rows as Row[];
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

/** Postgres has no NUL in text; a gateway's answer that holds one is kept as Sequelize keeps it. */
function toParameter(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\\0') : value;
}
