import type { PersonalDataCipher } from '../../domain/customers/personal-data';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { PaymentModel } from '../models/payment';
import { changeJointly, type JointChange } from '../sql/joint-changes';
import { PreparedTable, type PreparedChange } from '../sql/prepared-table';
import type { Database, Tx } from '../sql/transaction';
import {
  KEY_OF_PAYMENT,
  openPayment,
  sealPayment,
  withoutHolder,
  type NewPayment,
  type PaymentRecord,
  type PaymentRow,
} from './payment-personal-data';
import type { PaymentChange, PaymentPolled } from './payment-change';

export type { NewPayment, PaymentRecord } from './payment-personal-data';
export type { PaymentChange, PaymentPolled } from './payment-change';

/** How long the sweeper waits for the process that inserted the row, or a request, to start or signal the workflow. */
const START_RECOVERY_DELAY_MS = 5_000;
/** How long the sweeper waits for the next write of a running workflow. */
export const RUN_RECOVERY_DELAY_MS = 120_000;
/** Longer than the hour between inquiries of a payment in manual review. */
export const STUCK_RECOVERY_DELAY_MS = 3_720_000;
/** How long a payment claimed by one sweeper is hidden from the others. */
const SWEEP_RETRY_MS = 15_000;
/** The same for a payment that makes no progress, so that many of them leave capacity for the others. */
const STALLED_SWEEP_RETRY_MS = 300_000;

export class PaymentRepository {
  private readonly table: PreparedTable<PaymentModel, Pick<PaymentRow, 'customerKey'>>;

  constructor(
    private readonly db: Database,
    private readonly cipher: PersonalDataCipher,
  ) {
    this.table = new PreparedTable(db, PaymentModel, KEY_OF_PAYMENT);
  }

  /** `others` are changes of other rows, made by the same statement. */
  async insert(
    tx: Tx,
    payment: Omit<NewPayment, 'recoverAfter'>,
    now: Date,
    others: readonly PreparedChange[] = [],
  ): Promise<PaymentRecord> {
    const recoverAfter = new Date(now.getTime() + START_RECOVERY_DELAY_MS);
    const sealed = await sealPayment(this.cipher, { ...payment, recoverAfter });
    const row = { ...sealed, createdAt: now, updatedAt: now };
    const { personalData: _sealed, ...stored } = await this.table.insertWithDefaults(row, others, tx);
    const { customer, card, billingAddress, purchase, customerKey } = payment;
    return { ...stored, customer, card, billingAddress, purchase, customerKey };
  }

  async find(companyId: number, transactionId: string, tx?: Tx): Promise<PaymentRecord | null> {
    return this.openOne(await this.table.findOne({ companyId, transactionId }, tx));
  }

  /** For workflows, whose ids are trusted. A request uses `find`, which checks the company. */
  async get(transactionId: string, tx?: Tx): Promise<PaymentRecord> {
    const payment = await this.table.findOne({ transactionId }, tx);
    if (payment === null) throw new Error('the payment does not exist');
    return this.open(payment);
  }

  /** Loads the payment with a row lock (`FOR UPDATE`) until the transaction ends. For workflows, whose ids are trusted. */
  async lock(tx: Tx, transactionId: string): Promise<PaymentRecord> {
    const payment = await this.table.lockOne({ transactionId }, tx);
    if (payment === null) throw new Error('the payment does not exist');
    return this.open(payment);
  }

  /** By internal ids, in no order. */
  async listByIds(ids: readonly number[]): Promise<PaymentRecord[]> {
    const rows = await this.table.findAll({ id: ids }, ['id']);
    return Promise.all(rows.map((row) => this.open(row)));
  }

  /** The newest payment of a billing cycle. */
  async findNewestByCycle(tx: Tx, billingCycleId: string): Promise<PaymentRecord | null> {
    const found = await this.table.findAllBy('billing_cycle_id = $1', [billingCycleId], ['id'], tx);
    return this.openOne(found.at(-1) ?? null);
  }

  /** The transaction id of a subscription's newest payment. */
  async findNewestBySubscription(companyId: number, subscriptionId: string): Promise<string | null> {
    const row = await this.db.queryOne<{ transactionId: string }>(
      `SELECT transaction_id AS "transactionId" FROM payments WHERE subscription_id = $2 AND company_id = $1
        ORDER BY id DESC LIMIT 1`,
      [companyId, subscriptionId],
    );
    return row?.transactionId ?? null;
  }

  /**
   * The change that a claimed charge attempt makes, so that the payment makes progress; the statement that inserts the
   * attempt makes it. The caller has locked the payment.
   */
  claimedBy(
    id: number,
    attempt: { number: number; gateway: GatewaySlug; ignoredFirstTry: string | null },
    now: Date,
  ): PreparedChange {
    return this.table.updating(
      {
        attempts: attempt.number,
        lastGateway: attempt.gateway,
        ...(attempt.ignoredFirstTry !== null && { ignoredFirstTry: attempt.ignoredFirstTry }),
        recoverAfter: recoverRunAfter(now),
        stuckAt: null,
        updatedAt: now,
      },
      { id },
    );
  }

  /**
   * Adds the duration of a gateway call to a payment that has no result yet. `others` are changes of other rows, made by the
   * same statement.
   */
  async addGatewayTime(
    tx: Tx,
    { id, gatewaysRequestMs }: PaymentRecord,
    requestMs: number,
    now: Date,
    others: readonly JointChange[] = [],
  ): Promise<void> {
    const total = gatewaysRequestMs + requestMs;
    const change = { gatewaysRequestMs: total, recoverAfter: recoverRunAfter(now), updatedAt: now };
    const added = { change: this.table.updating(change, { id }), unlessOne: null };
    await changeJointly(this.db, [added, ...others], tx);
  }

  /**
   * An update of a payment that the caller has locked, for one statement with other changes. It fails if the status is no
   * longer the given one, that is, if the payment was not locked.
   */
  changed(
    { id, status }: Pick<PaymentRecord, 'id' | 'status'>,
    change: PaymentChange & Pick<PaymentRecord, 'updatedAt'>,
  ): JointChange {
    const { card, ...others } = change;
    const stored = card === undefined ? others : { ...others, card: withoutHolder(card) };
    return { change: this.table.updating(stored, { id, status }), unlessOne: 'the payment was not locked' };
  }

  /** Records a status poll: the times of the poll and of the test clock, and when the next one is due at the latest. */
  async recordPoll(
    tx: Tx,
    id: number,
    poll: PaymentPolled &
      Pick<PaymentRecord, 'recoverAfter' | 'stuckAt'> &
      Partial<Pick<PaymentRecord, 'inquiryAnsweredAt' | 'inquiryOutcome'>>,
  ): Promise<void> {
    await this.table.update(poll, { id }, tx);
  }

  /**
   * Marks that only an operator can determine the last attempt's result; null marks that inquiries have restarted.
   * A payment with nothing left to do stays as it is.
   */
  async markStuck(transactionId: string, stuckAt: Date | null, now: Date, tx?: Tx): Promise<void> {
    const recoverAfter =
      stuckAt === null ? recoverRunAfter(now) : new Date(now.getTime() + STUCK_RECOVERY_DELAY_MS);
    await this.db.query(
      `UPDATE payments SET stuck_at = $2, recover_after = $3, updated_at = $4
       WHERE transaction_id = $1 AND recover_after IS NOT NULL`,
      [transactionId, stuckAt, recoverAfter, now],
      tx,
    );
  }

  /** `recoverAfter` null: nothing is left to do. `stuckAt`: since when it waits for an operator. */
  async saveRecoverySchedule(
    tx: Tx,
    id: number,
    schedule: Pick<PaymentRecord, 'recoverAfter' | 'stuckAt'>,
  ): Promise<void> {
    await this.table.update(schedule, { id }, tx);
  }

  /**
   * Records an inquiry. Its duration counts until the payment is settled. A payment with nothing left to do stays as it
   * is.
   */
  async recordInquiry(transactionId: string, requestMs: number, now: Date): Promise<void> {
    await this.db.query(
      `UPDATE payments SET recover_after = CASE WHEN stuck_at IS NULL THEN $2::timestamptz ELSE $3 END,
         gateways_request_ms = gateways_request_ms + CASE WHEN settled_at IS NULL THEN $4 ELSE 0 END
       WHERE transaction_id = $1 AND recover_after IS NOT NULL`,
      [transactionId, recoverRunAfter(now), new Date(now.getTime() + STUCK_RECOVERY_DELAY_MS), requestMs],
    );
  }

  /**
   * Returns at most `limit` payments past `recover_after` and postpones it, so that no other sweeper claims them
   * meanwhile. A payment that nothing but sweepers has written for `stuckAfterMs` makes no progress, because its workflow
   * cannot run or each of its steps fails: it gets a manual review.
   */
  async claimOverdue(limit: number, now: Date, stuckAfterMs: number): Promise<OverduePayment[]> {
    const at = (ms: number): Date => new Date(now.getTime() + ms);
    return this.db.query<OverduePayment>(
      `WITH overdue AS (
         SELECT id, stuck_at, CASE WHEN recover_after = swept_until THEN overdue_since ELSE $1 END AS since
         FROM payments WHERE recover_after <= $1 ORDER BY recover_after LIMIT $2 FOR UPDATE SKIP LOCKED),
       claimed AS (
         SELECT id, stuck_at, since, since <= $3 AS is_stalled,
           CASE WHEN since <= $3 THEN $5::timestamptz ELSE $4 END AS until
         FROM overdue)
       UPDATE payments SET overdue_since = since, swept_until = until, recover_after = until,
         stuck_at = CASE WHEN is_stalled THEN COALESCE(claimed.stuck_at, $1) ELSE claimed.stuck_at END
       FROM claimed WHERE payments.id = claimed.id
       RETURNING transaction_id AS "transactionId", company_id AS "companyId", amount_cents AS "amountCents", currency,
         payment_method AS "paymentMethod", merchant_order_id AS "merchantOrderId", status, created_at AS "createdAt",
         attempts, payments.stuck_at AS "stuckAt", is_stalled AND claimed.stuck_at IS NULL AS "becameStuck"`,
      [now, limit, at(-stuckAfterMs), at(SWEEP_RETRY_MS), at(STALLED_SWEEP_RETRY_MS)],
    );
  }

  /** Like `find`, with a row lock (`FOR UPDATE`) until the transaction ends. */
  async lockForCompany(tx: Tx, companyId: number, transactionId: string): Promise<PaymentRecord | null> {
    return this.openOne(await this.table.lockOne({ companyId, transactionId }, tx));
  }

  /** For a request that will signal the workflow: if it does not, the sweeper does. */
  async scheduleRecovery(tx: Tx, id: number, now: Date): Promise<void> {
    await this.table.update(recoveryAt(now), { id }, tx);
  }

  /** The same as a part of another statement. */
  recoveryScheduled(id: number, now: Date): PreparedChange {
    return this.table.updating(recoveryAt(now), { id });
  }

  /**
   * For payments that were woken because of callbacks: one with nothing else to do becomes overdue until a poll succeeds.
   */
  async scheduleRecoveryOfWoken(transactionIds: readonly string[], now: Date): Promise<void> {
    await this.db.execute(
      'UPDATE payments SET recover_after = $2 WHERE transaction_id = ANY($1::uuid[]) AND recover_after IS NULL',
      [transactionIds, recoverRunAfter(now)],
    );
  }

  /** Starts advancing the payment's test clock. */
  async setClockTarget(tx: Tx, id: number, clock: { readonly from: Date; readonly to: Date }): Promise<void> {
    await this.table.update({ clockNow: clock.from, clockTarget: clock.to }, { id }, tx);
  }

  private open(row: PaymentRow): Promise<PaymentRecord> {
    return openPayment(this.cipher, row);
  }

  private async openOne(row: PaymentRow | null): Promise<PaymentRecord | null> {
    return row && this.open(row);
  }
}

function recoveryAt(now: Date): Pick<PaymentRecord, 'recoverAfter' | 'updatedAt'> {
  return { recoverAfter: new Date(now.getTime() + START_RECOVERY_DELAY_MS), updatedAt: now };
}

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
  | 'stuckAt'
> & {
  /** Whether this claim started its manual review. */
  readonly becameStuck: boolean;
};

function recoverRunAfter(now: Date): Date {
  return new Date(now.getTime() + RUN_RECOVERY_DELAY_MS);
}
