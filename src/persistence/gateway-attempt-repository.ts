import { Op, type InferAttributes, type InferCreationAttributes } from 'sequelize';
import type { MakeNullishOptional } from 'sequelize/types/utils';
import { GatewayAttemptModel } from './models/gateway-attempt';
import type { Database, Tx } from './transaction';

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
    | 'errorFamily'
    | 'authorizationCode'
    | 'networkTransactionId'
    | 'pix'
    | 'billet'
    | 'requestMs'
  >
> &
  Pick<AttemptRecord, 'status'>;

export class GatewayAttemptRepository {
  constructor(private readonly db: Database) {}

  /** Fails on a unique index when the payment already has a charge that may hold money: nothing may be sent then. */
  async insert(tx: Tx, attempt: NewAttempt): Promise<void> {
    await GatewayAttemptModel.create(attempt, { transaction: tx, returning: false });
  }

  /** A payment's operations in the order they were made. */
  async ofPayment(paymentId: number, tx?: Tx): Promise<AttemptRecord[]> {
    return GatewayAttemptModel.findAll({
      where: { paymentId },
      order: [
        ['createdAt', 'ASC'],
        ['id', 'ASC'],
      ],
      raw: true,
      transaction: tx ?? null,
    });
  }

  async ofPayments(paymentIds: readonly number[]): Promise<AttemptRecord[]> {
    if (paymentIds.length === 0) return [];
    return GatewayAttemptModel.findAll({
      where: { paymentId: { [Op.in]: [...paymentIds] } },
      order: [
        ['createdAt', 'ASC'],
        ['id', 'ASC'],
      ],
      raw: true,
    });
  }

  /**
   * Records the result of an attempt that has none yet, or only `unknown`. Returns false when another process has
   * already recorded one: a worker that wakes up late changes nothing.
   */
  async finish(tx: Tx, id: string, result: AttemptResult, now: Date): Promise<boolean> {
    const [changed] = await GatewayAttemptModel.update(
      { ...result, updatedAt: now },
      { where: { id, status: { [Op.in]: ['sent', 'unknown'] } }, transaction: tx, silent: true },
    );
    return changed === 1;
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
    const [changed] = await GatewayAttemptModel.update(
      { ...result, updatedAt: now },
      { where: { id, status: 'abandoned' }, transaction: tx, silent: true },
    );
    return changed === 1;
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

  /** Starts a follow-up operation exactly once: `requested` becomes `sent`, or another process was first (false). */
  async claimRequested(tx: Tx, id: string, now: Date): Promise<boolean> {
    const row = await this.db.queryOne(
      `UPDATE gateway_attempts SET status = 'sent', sent_at = $2, updated_at = $2, claimed_at = clock_timestamp(),
         not_found_count = 0
       WHERE id = $1 AND status = 'requested' RETURNING id`,
      [id, now],
      tx,
    );
    return row !== null;
  }
}
