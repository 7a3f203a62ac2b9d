import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';

export type Tx = Transaction;

/** The one door to Postgres: short transactions and parameterized SQL (`$1`), on a bounded pool. */
export class Database {
  constructor(readonly sequelize: Sequelize) {}

  /** One transaction, committed when `work` resolves and rolled back when it throws. Never call a remote system inside. */
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.sequelize.transaction(work);
  }

  /** Runs one statement and returns its rows (those of `RETURNING` for a change). */
  async query<Row extends object>(sql: string, bind: readonly unknown[] = [], tx?: Tx): Promise<Row[]> {
    return this.sequelize.query<Row>(sql, {
      bind: [...bind],
      type: QueryTypes.SELECT,
      transaction: tx ?? null,
    });
  }

  async queryOne<Row extends object>(
    sql: string,
    bind: readonly unknown[] = [],
    tx?: Tx,
  ): Promise<Row | null> {
    return (await this.query<Row>(sql, bind, tx))[0] ?? null;
  }

  async close(): Promise<void> {
    await this.sequelize.close();
  }
}
