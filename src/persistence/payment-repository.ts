import { Op, type InferAttributes, type InferCreationAttributes } from 'sequelize';
import type { MakeNullishOptional } from 'sequelize/types/utils';
import { canMove, type FailureCode, type PaymentStatus } from '../domain/payment';
import type { GatewaySlug } from '../domain/gateway-slug';
import { PaymentModel } from './models/payment';
import type { Database, Tx } from './transaction';

export type PaymentRecord = InferAttributes<PaymentModel>;
export type NewPayment = MakeNullishOptional<InferCreationAttributes<PaymentModel>>;

export interface Settlement {
  readonly status: Exclude<PaymentStatus, 'processing'>;
  readonly message: string;
  readonly code: FailureCode | null;
  readonly card: PaymentRecord['card'];
  readonly capturedAmountCents: number;
  readonly captureBefore: Date | null;
  /** How long the last gateway call took. */
  readonly requestMs: number;
  /** Whether money still has to be given back, so that somebody must look again. */
  readonly openOperations: boolean;
}

/** How long a payment may go without a sign of its workflow before the sweeper starts one. */
const WAKE_AFTER_CREATION_MS = 5_000;
const WAKE_AFTER_SIGN_OF_LIFE_MS = 120_000;
const WAKE_AFTER_STUCK_MS = 3_600_000;

export class PaymentRepository {
  constructor(private readonly db: Database) {}

  async insert(tx: Tx, payment: Omit<NewPayment, 'wakeBy'>, now: Date): Promise<PaymentRecord> {
    const row = await PaymentModel.create(
      {
        ...payment,
        wakeBy: new Date(now.getTime() + WAKE_AFTER_CREATION_MS),
        createdAt: now,
        updatedAt: now,
      },
      { transaction: tx },
    );
    return row.get({ plain: true });
  }

  async find(companyId: number, transactionId: string, tx?: Tx): Promise<PaymentRecord | null> {
    return PaymentModel.findOne({ where: { companyId, transactionId }, raw: true, transaction: tx ?? null });
  }

  /** For whoever has the id from inside: a workflow, never a request. */
  async get(transactionId: string): Promise<PaymentRecord> {
    const payment = await PaymentModel.findOne({ where: { transactionId }, raw: true });
    if (payment === null) throw new Error('the payment does not exist');
    return payment;
  }

  /** Loads a payment and keeps every other decision about it waiting until this transaction ends. */
  async lock(tx: Tx, transactionId: string): Promise<PaymentRecord> {
    const payment = await PaymentModel.findOne({
      where: { transactionId },
      raw: true,
      transaction: tx,
      lock: tx.LOCK.UPDATE,
    });
    if (payment === null) throw new Error('the payment does not exist');
    return payment;
  }

  /** Notes that an attempt was claimed. The payment is locked by this transaction. */
  async noteAttempt(
    tx: Tx,
    id: number,
    attempt: { number: number; gateway: GatewaySlug },
    now: Date,
  ): Promise<void> {
    await PaymentModel.update(
      { attempts: attempt.number, lastGateway: attempt.gateway, wakeBy: signOfLife(now), updatedAt: now },
      { where: { id }, transaction: tx, silent: true },
    );
  }

  /** Adds the time of one gateway call to a payment that goes on. */
  async noteGatewayTime(tx: Tx, payment: PaymentRecord, requestMs: number, now: Date): Promise<void> {
    await PaymentModel.update(
      { gatewaysRequestMs: payment.gatewaysRequestMs + requestMs, wakeBy: signOfLife(now), updatedAt: now },
      { where: { id: payment.id }, transaction: tx, silent: true },
    );
  }

  /** Ends `processing`. Returns the payment as it now stands. The payment is locked by this transaction. */
  async settle(tx: Tx, payment: PaymentRecord, settlement: Settlement, now: Date): Promise<PaymentRecord> {
    if (!canMove(payment.status, settlement.status)) {
      throw new Error(`a ${payment.status} payment does not become ${settlement.status}`);
    }
    const { requestMs, openOperations, ...result } = settlement;
    const change = {
      ...result,
      gatewaysRequestMs: payment.gatewaysRequestMs + requestMs,
      settledAt: now,
      stuckAt: null,
      wakeBy: openOperations ? now : null,
      updatedAt: now,
    };
    const [changed] = await PaymentModel.update(change, {
      where: { id: payment.id, status: 'processing' },
      transaction: tx,
      silent: true,
    });
    if (changed !== 1) throw new Error('only a processing payment is settled');
    return { ...payment, ...change };
  }

  /** Shows that only a person can tell what became of the last attempt, or (null) that the question is open again. */
  async markStuck(transactionId: string, stuckAt: Date | null, now: Date): Promise<void> {
    const wakeBy = stuckAt === null ? signOfLife(now) : new Date(now.getTime() + WAKE_AFTER_STUCK_MS);
    await PaymentModel.update(
      { stuckAt, wakeBy, updatedAt: now },
      { where: { transactionId, wakeBy: { [Op.ne]: null } }, silent: true },
    );
  }

  /** Has the sweeper start the payment's workflow at its next turn. */
  async wakeNow(tx: Tx, id: number, now: Date): Promise<void> {
    await PaymentModel.update({ wakeBy: now }, { where: { id }, transaction: tx, silent: true });
  }

  /** Nothing is left to do: no sweeper need look at it. */
  async rest(tx: Tx, id: number): Promise<void> {
    await PaymentModel.update(
      { wakeBy: null, stuckAt: null },
      { where: { id }, transaction: tx, silent: true },
    );
  }

  /** Notes that the gateway was asked, and how long that took. A payment with nothing left to do is left alone. */
  async noteInquiry(transactionId: string, requestMs: number, now: Date): Promise<void> {
    await this.db.query(
      `UPDATE payments SET wake_by = $2, gateways_request_ms = gateways_request_ms + $3
       WHERE transaction_id = $1 AND wake_by IS NOT NULL`,
      [transactionId, signOfLife(now), requestMs],
    );
  }

  /**
   * Payments whose workflow should have given a sign of life by now, at most `limit`, each put off so that no other
   * sweeper takes it meanwhile.
   */
  async takeOverdue(limit: number, now: Date): Promise<OverduePayment[]> {
    return this.db.query<OverduePayment>(
      `UPDATE payments SET wake_by = $1
       WHERE id IN (
         SELECT id FROM payments WHERE wake_by <= $2 ORDER BY wake_by LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING transaction_id AS "transactionId", company_id AS "companyId", amount_cents AS "amountCents", currency,
         payment_method AS "paymentMethod", merchant_order_id AS "merchantOrderId", status, created_at AS "createdAt",
         attempts`,
      [new Date(now.getTime() + SWEEP_AGAIN_MS), now, limit],
    );
  }
}

const SWEEP_AGAIN_MS = 15_000;

export type OverduePayment = Pick<
  PaymentRecord,
  | 'transactionId'
  | 'companyId'
  | 'amountCents'
  | 'currency'
  | 'paymentMethod'
  | 'merchantOrderId'
  | 'status'
  | 'createdAt'
  | 'attempts'
>;

function signOfLife(now: Date): Date {
  return new Date(now.getTime() + WAKE_AFTER_SIGN_OF_LIFE_MS);
}
