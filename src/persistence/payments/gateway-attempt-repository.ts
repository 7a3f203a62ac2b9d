import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import type { MakeNullishOptional } from 'sequelize/types/utils';
import { GatewayAttemptModel } from '../models/gateway-attempt';
import { PreparedTable } from '../sql/prepared-table';
import type { Database, Tx } from '../sql/transaction';

export type AttemptRecord = InferAttributes<GatewayAttemptModel>;
export type NewAttempt = MakeNullishOptional<InferCreationAttributes<GatewayAttemptModel>>;

/** What an answer adds to an attempt. */
export type AttemptResult = Partial<
  Pick<
    AttemptRecord,
    | 'gatewayTransactionId'
    | 'responseCode'
    | 'responseMessage'
    | 'declineType'
    | 'adviceCode'
    | 'errorFamily'
    | 'authorizationCode'
    | 'networkTransactionId'
    | 'pix'
    | 'billet'
    | 'requestMs'
  >
> &
  Pick<AttemptRecord, 'status'>;

const OF_TRANSACTION = 'payment_id = (SELECT id FROM payments WHERE transaction_id = $1)';

export class GatewayAttemptRepository {
  private readonly table: PreparedTable<GatewayAttemptModel>;

  constructor(private readonly db: Database) {
    this.table = new PreparedTable(db, GatewayAttemptModel);
  }

  /** Fails on a unique index when the payment already has a charge that may hold money: nothing may be sent then. */
  async insert(tx: Tx, attempt: NewAttempt): Promise<void> {
    await this.table.insert(attempt, tx);
  }

  /** A payment's operations in the order they were made. */
  async ofPayment(paymentId: number, tx?: Tx): Promise<AttemptRecord[]> {
    return this.table.findAll({ paymentId }, ['createdAt', 'id'], tx);
  }

  /** The same by the payment's public id: it can be asked for together with the payment. */
  async ofTransaction(transactionId: string, tx?: Tx): Promise<AttemptRecord[]> {
    return this.table.findAllBy(OF_TRANSACTION, [transactionId], ['createdAt', 'id'], tx);
  }

  async ofPayments(paymentIds: readonly number[]): Promise<AttemptRecord[]> {
    if (paymentIds.length === 0) return [];
    return this.table.findAll({ paymentId: paymentIds }, ['createdAt', 'id']);
  }

  /**
   * Records the result of an attempt that has none yet, or only `unknown`. Returns false when another process has
   * already recorded one: a worker that wakes up late changes nothing.
   */
  async finish(tx: Tx, id: string, result: AttemptResult, now: Date): Promise<boolean> {
    const open = { id, status: ['sent', 'unknown'] } as const;
    return (await this.table.update({ ...result, updatedAt: now }, open, tx)) === 1;
  }

  /** The charge that a reversal acted on holds no money any more. */
  async markReversed(tx: Tx, reversalId: string, status: 'canceled' | 'refunded', now: Date): Promise<void> {
    await this.db.query(
      `UPDATE gateway_attempts SET status = $2, updated_at = $3
       WHERE status = 'abandoned' AND id = (SELECT target_attempt_id FROM gateway_attempts WHERE id = $1)`,
      [reversalId, status, now],
      tx,
    );
  }

  /** Takes up an attempt that was given up as absent and turned out to have been charged. */
  async adopt(tx: Tx, id: string, result: AttemptResult, now: Date): Promise<boolean> {
    return (await this.table.update({ ...result, updatedAt: now }, { id, status: 'abandoned' }, tx)) === 1;
  }

  /**
   * Counts one more "not found" in a row. Returns how many there were, and how long ago the attempt was claimed by the
   * database's clock alone: workers' clocks may differ by more than the proof of absence takes.
   */
  async countNotFound(id: string): Promise<{ count: number; sinceSentMs: number }> {
    const row = await this.db.queryOne<{ count: number; sinceSentMs: number }>(
      `UPDATE gateway_attempts SET not_found_count = not_found_count + 1 WHERE id = $1
       RETURNING not_found_count AS count,
         (EXTRACT(EPOCH FROM clock_timestamp() - claimed_at) * 1000)::float8 AS "sinceSentMs"`,
      [id],
    );
    if (row === null) throw new Error('the attempt does not exist');
    return row;
  }

  /** The gateway may know it after all: what it said before counts no more. */
  async forgetNotFound(id: string): Promise<void> {
    await this.db.query(
      'UPDATE gateway_attempts SET not_found_count = 0 WHERE id = $1 AND not_found_count > 0',
      [id],
    );
  }

  /** Ends an operation that was asked for and must not be sent any more. */
  async refuse(tx: Tx, id: string, result: AttemptResult, now: Date): Promise<boolean> {
    return (await this.table.update({ ...result, updatedAt: now }, { id, status: 'requested' }, tx)) === 1;
  }

  /** A pix or billet that waited was paid. */
  async confirmPaid(tx: Tx, id: string, result: AttemptResult, now: Date): Promise<boolean> {
    return (await this.table.update({ ...result, updatedAt: now }, { id, status: 'pending' }, tx)) === 1;
  }

  /** Starts an operation on a charge exactly once: `requested` becomes `sent`, or another process was first (false). */
  async claimRequested(tx: Tx, id: string, now: Date): Promise<boolean> {
    const row = await this.db.queryOne(
      `UPDATE gateway_attempts SET status = 'sent', sent_at = $2, updated_at = $2, claimed_at = clock_timestamp(),
         not_found_count = 0, tries = tries + 1
       WHERE id = $1 AND status = 'requested' RETURNING id`,
      [id, now],
      tx,
    );
    return row !== null;
  }

  async find(id: string): Promise<AttemptRecord | null> {
    return this.table.findOne({ id });
  }
}
