import type { InferAttributes } from 'sequelize';
import type { BillingCycleId } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { CycleStatus, OpenCycle, PlanChange } from '../../domain/subscriptions/subscription';
import { BillingCycleModel } from '../models/billing-cycle';
import { PreparedTable } from '../sql/prepared-table';
import type { Database, Tx } from '../sql/transaction';

export type BillingCycleRow = InferAttributes<BillingCycleModel>;

/** A cycle with the transaction ids of its payments, oldest first. */
export interface ListedCycle extends BillingCycleRow {
  readonly payments: readonly string[];
}

export interface CycleToSave {
  readonly id: BillingCycleId;
  readonly status: CycleStatus;
  readonly cycle: OpenCycle;
  /** The plan change that the cycle pays for; null for a regular cycle. */
  readonly change: { readonly newPlanId: number; readonly changeType: PlanChange['changeType'] } | null;
  /** When it was paid or waived; null if it is neither. */
  readonly paidAt: Date | null;
}

/** Owns the table `billing_cycles`. */
export class BillingCycleRepository {
  private readonly table: PreparedTable<BillingCycleModel>;

  constructor(private readonly db: Database) {
    this.table = new PreparedTable(db, BillingCycleModel);
  }

  /** The open cycles of these subscriptions (by primary key): at most one regular one and one of a plan change each. */
  async openOf(subscriptionIds: readonly number[], tx?: Tx): Promise<BillingCycleRow[]> {
    return this.table.findAll({ subscriptionId: subscriptionIds, status: 'open' }, ['subscriptionId'], tx);
  }

  /** The cycles of a subscription, newest first. The cycles of plan changes follow their regular cycle. */
  async list(subscriptionId: number, page: PageRequest): Promise<Page<ListedCycle>> {
    const { rows, count } = await BillingCycleModel.findAndCountAll({
      where: { subscriptionId },
      order: [
        ['number', 'DESC'],
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
      ...pageBounds(page),
    });
    const payments = await this.paymentsOf(rows.map(({ id }) => id));
    return {
      rows: rows.map((row) => ({
        ...row.get({ plain: true }),
        payments: payments.filter(({ cycleId }) => cycleId === row.id).map(({ id }) => id),
      })),
      total: count,
    };
  }

  private async paymentsOf(ids: readonly BillingCycleId[]): Promise<{ id: string; cycleId: string }[]> {
    return this.db.query(
      `SELECT transaction_id AS id, billing_cycle_id AS "cycleId" FROM payments
        WHERE billing_cycle_id = ANY($1) ORDER BY payments.id`,
      [ids],
    );
  }

  /** Inserts a cycle, or updates it while it is open. The caller has locked the subscription in `tx`. */
  async save(
    tx: Tx,
    subscription: { readonly id: number; readonly companyId: number },
    { id, status, cycle, change, paidAt }: CycleToSave,
    now: Date,
  ): Promise<void> {
    await this.db.execute(
      `INSERT INTO billing_cycles
         (id, subscription_id, company_id, number, status, amount_cents, discount_cents, charge_cents,
          period_start, period_end, due_at, paid_at, first_failed_at, retry_count, next_retry_at, irreversible,
          created_at, updated_at, kind, credit_cents, new_plan_id, plan_change_type,
          hold_since, hold_reason, next_probe_at, delay_notified, hold_detail)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17, $18, $19, $20, $21,
               $22, $23, $24, $25, $26)
       ON CONFLICT (id) DO UPDATE
          SET status = EXCLUDED.status, amount_cents = EXCLUDED.amount_cents,
              discount_cents = EXCLUDED.discount_cents, credit_cents = EXCLUDED.credit_cents,
              charge_cents = EXCLUDED.charge_cents,
              period_start = EXCLUDED.period_start, period_end = EXCLUDED.period_end,
              paid_at = EXCLUDED.paid_at, first_failed_at = EXCLUDED.first_failed_at,
              retry_count = EXCLUDED.retry_count, next_retry_at = EXCLUDED.next_retry_at,
              irreversible = EXCLUDED.irreversible, updated_at = EXCLUDED.updated_at,
              hold_since = EXCLUDED.hold_since, hold_reason = EXCLUDED.hold_reason, hold_detail = EXCLUDED.hold_detail,
              next_probe_at = EXCLUDED.next_probe_at, delay_notified = EXCLUDED.delay_notified
        WHERE billing_cycles.status = 'open'`,
      [
        id,
        subscription.id,
        subscription.companyId,
        cycle.number,
        status,
        cycle.amountCents,
        cycle.discountCents,
        cycle.chargeCents,
        cycle.period.start,
        cycle.period.end,
        cycle.dueAt,
        paidAt,
        cycle.firstFailedAt,
        cycle.retryCount,
        cycle.nextRetryAt,
        cycle.irreversible,
        now,
        cycle.kind,
        cycle.creditCents,
        change?.newPlanId ?? null,
        change?.changeType ?? null,
        cycle.hold?.since ?? null,
        cycle.hold?.reason ?? null,
        cycle.hold?.nextProbeAt ?? null,
        cycle.hold?.delayNotified ?? false,
        cycle.hold?.detail ?? null,
      ],
      tx,
    );
  }
}
