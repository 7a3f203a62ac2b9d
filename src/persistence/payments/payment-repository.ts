import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import type { MakeNullishOptional } from 'sequelize/types/utils';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { PaymentModel } from '../models/payment';
import { PreparedTable } from '../sql/prepared-table';
import type { Database, Tx } from '../sql/transaction';

export type PaymentRecord = InferAttributes<PaymentModel>;
export type NewPayment = MakeNullishOptional<InferCreationAttributes<PaymentModel>>;

/** What may change of a payment once it was made. */
export type PaymentChange = Partial<
  Pick<
    PaymentRecord,
    | 'status'
    | 'message'
    | 'code'
    | 'card'
    | 'capturedAmountCents'
    | 'refundedAmountCents'
    | 'paidAmountCents'
    | 'captureBefore'
    | 'expiresAt'
    | 'paidAt'
    | 'settledAt'
    | 'stuckAt'
    | 'gatewaysRequestMs'
    | 'eventSequence'
    | 'recoverAfter'
  >
>;

/** How long a payment may go without a sign of its workflow before the sweeper starts one. */
const WAKE_AFTER_CREATION_MS = 5_000;
const WAKE_AFTER_SIGN_OF_LIFE_MS = 120_000;
/** Longer than the hour after which a payment on the desk is asked about again. */
const WAKE_AFTER_STUCK_MS = 3_720_000;

export class PaymentRepository {
  private readonly table: PreparedTable<PaymentModel>;

  constructor(private readonly db: Database) {
    this.table = new PreparedTable(db, PaymentModel);
  }

  async insert(tx: Tx, payment: Omit<NewPayment, 'recoverAfter'>, now: Date): Promise<PaymentRecord> {
    const recoverAfter = new Date(now.getTime() + WAKE_AFTER_CREATION_MS);
    return this.table.insertReturning({ ...payment, recoverAfter, createdAt: now, updatedAt: now }, tx);
  }

  async find(companyId: number, transactionId: string, tx?: Tx): Promise<PaymentRecord | null> {
    return this.table.findOne({ companyId, transactionId }, tx);
  }

  /** For whoever has the id from inside: a workflow, never a request. */
  async get(transactionId: string, tx?: Tx): Promise<PaymentRecord> {
    const payment = await this.table.findOne({ transactionId }, tx);
    if (payment === null) throw new Error('the payment does not exist');
    return payment;
  }

  /** Loads a payment and keeps every other decision about it waiting until this transaction ends. */
  async lock(tx: Tx, transactionId: string): Promise<PaymentRecord> {
    const payment = await this.table.lockOne({ transactionId }, tx);
    if (payment === null) throw new Error('the payment does not exist');
    return payment;
  }

  /** The last payment made for a subscription's cycle, or for its change of plan. */
  async newestOfCharge(
    tx: Tx,
    charge: { readonly billingCycleId?: string | undefined; readonly planChangeId?: string | undefined },
  ): Promise<PaymentRecord | null> {
    const [column, id] =
      charge.billingCycleId === undefined
        ? ['plan_change_id', charge.planChangeId]
        : ['billing_cycle_id', charge.billingCycleId];
    return (await this.table.findAllBy(`${column} = $1`, [id ?? null], ['id'], tx)).at(-1) ?? null;
  }

  /** The id of the last payment made for a subscription. */
  async newestOfSubscription(companyId: number, subscriptionId: string): Promise<string | null> {
    const row = await this.db.queryOne<{ transactionId: string }>(
      `SELECT transaction_id AS "transactionId" FROM payments WHERE subscription_id = $2 AND company_id = $1
        ORDER BY id DESC LIMIT 1`,
      [companyId, subscriptionId],
    );
    return row?.transactionId ?? null;
  }

  /** Notes that an attempt was claimed. The payment is locked by this transaction. */
  async noteAttempt(
    tx: Tx,
    id: number,
    attempt: { number: number; gateway: GatewaySlug },
    now: Date,
  ): Promise<void> {
    await this.table.update(
      {
        attempts: attempt.number,
        lastGateway: attempt.gateway,
        recoverAfter: signOfLife(now),
        updatedAt: now,
      },
      { id },
      tx,
    );
  }

  /** Adds the time of one gateway call to a payment that goes on. */
  async noteGatewayTime(tx: Tx, payment: PaymentRecord, requestMs: number, now: Date): Promise<void> {
    await this.table.update(
      {
        gatewaysRequestMs: payment.gatewaysRequestMs + requestMs,
        recoverAfter: signOfLife(now),
        updatedAt: now,
      },
      { id: payment.id },
      tx,
    );
  }

  /** Moves it on. The payment is locked by this transaction, as `payment` was loaded. */
  async move(
    tx: Tx,
    { id, status }: Pick<PaymentRecord, 'id' | 'status'>,
    change: PaymentChange & Pick<PaymentRecord, 'updatedAt'>,
  ): Promise<void> {
    const changed = await this.table.update(change, { id, status }, tx);
    if (changed !== 1) throw new Error('the payment was not locked');
  }

  /** Notes that the gateway was asked how it stands, where the payment's own clock stands, and how it rests until then. */
  async recordPoll(
    tx: Tx,
    id: number,
    look: Pick<PaymentRecord, 'lastPolledAt' | 'clockOffsetMs' | 'clockNow' | 'recoverAfter' | 'stuckAt'>,
  ): Promise<void> {
    await this.table.update(look, { id }, tx);
  }

  /** Shows that only a person can tell what became of the last attempt, or (null) that the question is open again. */
  async markStuck(transactionId: string, stuckAt: Date | null, now: Date, tx?: Tx): Promise<void> {
    const recoverAfter = stuckAt === null ? signOfLife(now) : new Date(now.getTime() + WAKE_AFTER_STUCK_MS);
    await this.db.query(
      `UPDATE payments SET stuck_at = $2, recover_after = $3, updated_at = $4
       WHERE transaction_id = $1 AND recover_after IS NOT NULL`,
      [transactionId, stuckAt, recoverAfter, now],
      tx,
    );
  }

  /** Notes when a sweeper sees to it that its workflow runs (null: nothing is left to do), and whether a person is asked. */
  async rest(tx: Tx, id: number, rest: Pick<PaymentRecord, 'recoverAfter' | 'stuckAt'>): Promise<void> {
    await this.table.update(rest, { id }, tx);
  }

  /**
   * Notes that the gateway was asked, and how long that took, which counts as long as there is no result. A payment
   * with nothing left to do is left alone.
   */
  async noteInquiry(transactionId: string, requestMs: number, now: Date): Promise<void> {
    await this.db.query(
      `UPDATE payments SET recover_after = CASE WHEN stuck_at IS NULL THEN $2::timestamptz ELSE $3 END,
         gateways_request_ms = gateways_request_ms + CASE WHEN settled_at IS NULL THEN $4 ELSE 0 END
       WHERE transaction_id = $1 AND recover_after IS NOT NULL`,
      [transactionId, signOfLife(now), new Date(now.getTime() + WAKE_AFTER_STUCK_MS), requestMs],
    );
  }

  /**
   * Payments whose workflow should have given a sign of life by now, at most `limit`, each put off so that no other
   * sweeper takes it meanwhile.
   */
  async takeOverdue(limit: number, now: Date): Promise<OverduePayment[]> {
    return this.db.query<OverduePayment>(
      `UPDATE payments SET recover_after = $1
       WHERE id IN (
         SELECT id FROM payments WHERE recover_after <= $2 ORDER BY recover_after LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING transaction_id AS "transactionId", company_id AS "companyId", amount_cents AS "amountCents", currency,
         payment_method AS "paymentMethod", merchant_order_id AS "merchantOrderId", status, created_at AS "createdAt",
         attempts`,
      [new Date(now.getTime() + SWEEP_AGAIN_MS), now, limit],
    );
  }

  /** Like `find`, and keeps every other decision about the payment waiting until this transaction ends. */
  async lockOf(tx: Tx, companyId: number, transactionId: string): Promise<PaymentRecord | null> {
    return this.table.lockOne({ companyId, transactionId }, tx);
  }

  /** Has the sweeper wake the payment's workflow, unless whoever asked for something now does so soon. */
  async noteCommand(tx: Tx, id: number, now: Date): Promise<void> {
    const recoverAfter = new Date(now.getTime() + WAKE_AFTER_CREATION_MS);
    await this.table.update({ recoverAfter, updatedAt: now }, { id }, tx);
  }

  /** Sends the payment's clock from where it stands to where it is to go. */
  async sendClock(tx: Tx, id: number, clock: { readonly from: Date; readonly to: Date }): Promise<void> {
    await this.table.update({ clockNow: clock.from, clockTarget: clock.to }, { id }, tx);
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
