import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import type { MakeNullishOptional } from 'sequelize/types/utils';
import { GatewayAttemptModel } from '../models/gateway-attempt';
import type { JointChange } from '../sql/joint-changes';
import { PreparedTable, type PreparedChange, type PreparedQuery } from '../sql/prepared-table';
import type { Database, Tx } from '../sql/transaction';

export type AttemptRecord = InferAttributes<GatewayAttemptModel>;
export type NewAttempt = MakeNullishOptional<InferCreationAttributes<GatewayAttemptModel>>;

/** The columns that a gateway's answer fills. */
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
    | 'networkIds'
    | 'pix'
    | 'billet'
    | 'requestMs'
    | 'awaitedSince'
  >
> &
  Pick<AttemptRecord, 'status'>;

const BY_TRANSACTION = 'payment_id = (SELECT id FROM payments WHERE transaction_id = $1)';

export class GatewayAttemptRepository {
  private readonly table: PreparedTable<GatewayAttemptModel>;

  constructor(private readonly db: Database) {
    this.table = new PreparedTable(db, GatewayAttemptModel);
  }

  /** @throws a unique violation if the payment has a charge that may hold money; the caller must not send then */
  async insert(tx: Tx, attempt: NewAttempt): Promise<void> {
    await this.table.insert(attempt, tx);
  }

  /** The same, for one statement with other changes. */
  inserted(attempt: NewAttempt): JointChange {
    return { change: this.table.inserting(attempt), unlessOne: null };
  }

  /** The same, with a change of its payment in one statement. */
  async insertWith(tx: Tx, attempt: NewAttempt, change: PreparedChange): Promise<void> {
    await this.table.insertWith(attempt, change, tx);
  }

  /** The same, and reads a row of another table by the same statement. */
  async insertAndRead<Read extends object>(
    tx: Tx,
    attempt: NewAttempt,
    change: PreparedChange,
    query: PreparedQuery,
  ): Promise<Read | null> {
    return this.table.insertAndRead(attempt, change, query, tx);
  }

  /** In the order of creation. */
  async listByPayment(paymentId: number, tx?: Tx): Promise<AttemptRecord[]> {
    return this.table.findAll({ paymentId }, ['createdAt', 'id'], tx);
  }

  /** By the payment's public id, so that it can run in parallel with loading the payment. */
  async listByTransaction(transactionId: string, tx?: Tx): Promise<AttemptRecord[]> {
    return this.table.findAllBy(BY_TRANSACTION, [transactionId], ['createdAt', 'id'], tx);
  }

  async listByPayments(paymentIds: readonly number[], tx?: Tx): Promise<AttemptRecord[]> {
    if (paymentIds.length === 0) return [];
    return this.table.findAll({ paymentId: paymentIds }, ['createdAt', 'id'], tx);
  }

  /**
   * Records the result of a `sent`, `unknown` or `accepted` attempt, in one statement with other changes. It fails if the attempt
   * has a result already, so that a worker that resumes late changes nothing. Once nothing is sent again, the bank account of a
   * refund is deleted.
   */
  recordedResult(id: string, result: AttemptResult, now: Date): JointChange {
    const unresolved = { id, status: ['sent', 'unknown', 'accepted'] } as const;
    const settled = mayBeSent(result) ? {} : { sealedBankAccount: null };
    const change = this.table.updating({ ...result, ...settled, updatedAt: now }, unresolved);
    return { change, unlessOne: 'the attempt has a result' };
  }

  /** Records that the charge that a reversal acted on holds no money any more. */
  async markReversed(tx: Tx, reversalId: string, status: 'canceled' | 'refunded', now: Date): Promise<void> {
    await this.db.query(
      `UPDATE gateway_attempts SET status = $2, updated_at = $3
       WHERE status IN ('abandoned', 'declined', 'error') AND id = (SELECT target_attempt_id FROM gateway_attempts WHERE id = $1)`,
      [reversalId, status, now],
      tx,
    );
  }

  /**
   * Records the success of an attempt that was recorded as not made: abandoned, declined or failed. False if it has
   * another result.
   */
  async recordLateResult(tx: Tx, id: string, result: AttemptResult, now: Date): Promise<boolean> {
    const notMade = { id, status: ['abandoned', 'declined', 'error'] } as const;
    return (await this.table.update({ ...result, updatedAt: now }, notMade, tx)) === 1;
  }

  /**
   * Counts a consecutive "not found". Returns the count and the milliseconds since the claim, both by the database's
   * clock: workers' clocks may differ by more than the time that proves absence.
   */
  async incrementNotFound(id: string): Promise<{ count: number; sinceSentMs: number }> {
    const row = await this.db.queryOne<{ count: number; sinceSentMs: number }>(
      `UPDATE gateway_attempts SET not_found_count = not_found_count + 1 WHERE id = $1
       RETURNING not_found_count AS count,
         (EXTRACT(EPOCH FROM clock_timestamp() - claimed_at) * 1000)::float8 AS "sinceSentMs"`,
      [id],
    );
    if (row === null) throw new Error('the attempt does not exist');
    return row;
  }

  /** For an inconclusive inquiry: only consecutive "not found" answers count. */
  async resetNotFound(id: string): Promise<void> {
    await this.db.query(
      'UPDATE gateway_attempts SET not_found_count = 0 WHERE id = $1 AND not_found_count > 0',
      [id],
    );
  }

  /** Records the final result of a `requested` operation that must not be sent. False if it was claimed meanwhile. */
  async rejectRequested(tx: Tx, id: string, result: AttemptResult, now: Date): Promise<boolean> {
    const change = { ...result, sealedBankAccount: null, updatedAt: now };
    return (await this.table.update(change, { id, status: 'requested' }, tx)) === 1;
  }

  /** Records that a `pending` pix or boleto was paid, in one statement with other changes. It fails if it is not pending. */
  markedPaid(id: string, result: AttemptResult, now: Date): JointChange {
    const change = this.table.updating({ ...result, updatedAt: now }, { id, status: 'pending' });
    return { change, unlessOne: 'the charge is not pending' };
  }

  /** Claims an operation for sending: `requested` becomes `sent`. False if another process has claimed it. */
  async claimRequested(tx: Tx, id: string, now: Date): Promise<boolean> {
    const row = await this.db.queryOne(
      `UPDATE gateway_attempts SET status = 'sent', sent_at = $2, updated_at = $2, claimed_at = clock_timestamp(),
         not_found_count = 0, send_count = send_count + 1, escalated_at = NULL
       WHERE id = $1 AND status = 'requested' RETURNING id`,
      [id, now],
      tx,
    );
    return row !== null;
  }

  /** Starts the inquiries about an accepted operation again. */
  async restartWait(tx: Tx, id: string, awaitedSince: Date): Promise<void> {
    await this.table.update({ awaitedSince }, { id, status: 'accepted' }, tx);
  }

  /** `at` null: its inquiries have started again. */
  async markEscalated(tx: Tx, id: string, at: Date | null): Promise<void> {
    await this.table.update({ escalatedAt: at }, { id }, tx);
  }

  /** Records that the gateway agrees with the records again, which ends the review of an inquiry that contradicted them. */
  async recordAgreement(tx: Tx, id: string, now: Date): Promise<void> {
    await this.table.update({ escalatedAt: null, agreedAt: now }, { id }, tx);
  }

  /**
   * Counts that an attempt of unknown outcome is sent once more, before it is. The caller has locked the payment. Returns
   * how often it has been sent, including this time; null if it has a result, or was sent again since it was loaded.
   */
  async countRepetition(
    tx: Tx,
    { id, sendCount }: Pick<AttemptRecord, 'id' | 'sendCount'>,
    now: Date,
  ): Promise<number | null> {
    const row = await this.db.queryOne<{ sendCount: number }>(
      `UPDATE gateway_attempts SET sent_at = $2, updated_at = $2, claimed_at = clock_timestamp(), not_found_count = 0,
         send_count = send_count + 1
       WHERE id = $1 AND status IN ('sent', 'unknown') AND send_count = $3 RETURNING send_count AS "sendCount"`,
      [id, now, sendCount],
      tx,
    );
    return row?.sendCount ?? null;
  }

  async find(id: string): Promise<AttemptRecord | null> {
    return this.table.findOne({ id });
  }
}

/** Whether the operation may have to be sent, or sent again. */
function mayBeSent({ status }: AttemptResult): boolean {
  return status === 'requested' || status === 'sent' || status === 'unknown';
}
