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

  /** Takes up an attempt that was given up as absent and turned out to have been charged. */
  async adopt(tx: Tx, id: string, result: AttemptResult, now: Date): Promise<boolean> {
    const [changed] = await GatewayAttemptModel.update(
      { ...result, updatedAt: now },
      { where: { id, status: 'abandoned' }, transaction: tx, silent: true },
    );
    return changed === 1;
  }

  /** Counts one more "not found" and returns how many there were. */
  async countNotFound(tx: Tx, id: string): Promise<number> {
    const row = await this.db.queryOne<{ count: number }>(
      `UPDATE gateway_attempts SET not_found_count = not_found_count + 1 WHERE id = $1 RETURNING not_found_count AS count`,
      [id],
      tx,
    );
    return row?.count ?? 0;
  }

  /** Starts a follow-up operation exactly once: `requested` becomes `sent`, or another process was first (false). */
  async claimRequested(tx: Tx, id: string, now: Date): Promise<boolean> {
    const [changed] = await GatewayAttemptModel.update(
      { status: 'sent', sentAt: now, updatedAt: now },
      { where: { id, status: 'requested' }, transaction: tx, silent: true },
    );
    return changed === 1;
  }
}
