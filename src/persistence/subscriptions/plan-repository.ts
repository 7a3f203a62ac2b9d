import type { PlanId } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { Plan, PlanDetails } from '../../domain/subscriptions/plan';
import type { Database, Tx } from '../sql/transaction';

export interface NewPlan extends PlanDetails {
  readonly uuid: PlanId;
  readonly companyId: number;
}

export interface PlanFilter {
  readonly isActive?: boolean | undefined;
}

const COLUMNS = `id, uuid, name, description, amount_cents AS "amountCents", currency, interval,
  interval_count AS "intervalCount", trial_period_days AS "trialPeriodDays", billing_day AS "billingDay",
  min_card_months AS "minCardMonths", is_active AS "isActive", created_at AS "createdAt", updated_at AS "updatedAt"`;
const MATCHING = 'company_id = $1 AND ($2::boolean IS NULL OR is_active = $2)';

/**
 * Owns the table `plans`.
 *
 * A plan's price must not change once it has subscribers. A transaction that changes a plan takes `lock` (FOR UPDATE), and
 * one that puts a subscription on it takes `lockForUse` (FOR SHARE). The second one waits for the first: a change then
 * finds the subscription (`isUsed`), and a subscription gets the changed plan. Subscriptions do not wait for each other.
 */
export class PlanRepository {
  constructor(private readonly db: Database) {}

  async insert(tx: Tx, plan: NewPlan, now: Date): Promise<Plan> {
    const row = await this.db.queryOne<Plan>(
      `INSERT INTO plans (uuid, company_id, name, description, amount_cents, currency, interval, interval_count,
         trial_period_days, billing_day, min_card_months, is_active, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13) RETURNING ${COLUMNS}`,
      [plan.uuid, plan.companyId, ...detailsOf(plan), now],
      tx,
    );
    if (row === null) throw new Error('an insert returned no row');
    return row;
  }

  async find(companyId: number, uuid: PlanId): Promise<Plan | null> {
    return this.db.queryOne<Plan>(`SELECT ${COLUMNS} FROM plans WHERE company_id = $1 AND uuid = $2`, [
      companyId,
      uuid,
    ]);
  }

  /** Newest first. */
  async list(companyId: number, { isActive }: PlanFilter, page: PageRequest): Promise<Page<Plan>> {
    const filter = [companyId, isActive];
    const { limit, offset } = pageBounds(page);
    const [rows, counted] = await Promise.all([
      this.db.query<Plan>(
        `SELECT ${COLUMNS} FROM plans WHERE ${MATCHING} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
        [...filter, limit, offset],
      ),
      this.db.queryOne<{ total: number }>(`SELECT count(*) AS total FROM plans WHERE ${MATCHING}`, filter),
    ]);
    return { rows, total: counted?.total ?? 0 };
  }

  /** By primary keys, which must come from rows of the same company. */
  async listByIds(ids: readonly number[], tx?: Tx): Promise<Plan[]> {
    return this.db.query<Plan>(`SELECT ${COLUMNS} FROM plans WHERE id = ANY($1)`, [ids], tx);
  }

  /** Locks a plan for a change; concurrent changes and new subscriptions wait for `tx`. */
  async lock(tx: Tx, companyId: number, uuid: PlanId): Promise<Plan | null> {
    return this.db.queryOne<Plan>(
      `SELECT ${COLUMNS} FROM plans WHERE company_id = $1 AND uuid = $2 FOR UPDATE`,
      [companyId, uuid],
      tx,
    );
  }

  /** Locks a plan, which may be inactive, for a new subscription; concurrent changes wait for `tx`. */
  async lockForUse(tx: Tx, companyId: number, uuid: PlanId): Promise<Plan | null> {
    return this.db.queryOne<Plan>(
      `SELECT ${COLUMNS} FROM plans WHERE company_id = $1 AND uuid = $2 FOR SHARE`,
      [companyId, uuid],
      tx,
    );
  }

  /** Whether a subscription has the plan, or has a scheduled, charged or requested change to it. */
  async isUsed(tx: Tx, id: number): Promise<boolean> {
    const row = await this.db.queryOne<{ used: boolean }>(
      `SELECT EXISTS (SELECT FROM subscriptions WHERE plan_id = $1)
           OR EXISTS (SELECT FROM subscriptions WHERE new_plan_id = $1)
           OR EXISTS (SELECT FROM billing_cycles WHERE new_plan_id = $1 AND status = 'open')
           OR EXISTS (SELECT FROM subscription_commands c JOIN plans p ON p.company_id = c.company_id
                       WHERE c.kind = 'change_plan' AND c.status IN ('requested', 'in_progress')
                         AND p.id = $1 AND c.details ->> 'planId' = p.uuid::text) AS used`,
      [id],
      tx,
    );
    return row?.used === true;
  }

  /** Updates a plan that `tx` has locked. */
  async update(tx: Tx, id: number, details: PlanDetails, now: Date): Promise<Plan> {
    const row = await this.db.queryOne<Plan>(
      `UPDATE plans SET name = $2, description = $3, amount_cents = $4, currency = $5, interval = $6,
         interval_count = $7, trial_period_days = $8, billing_day = $9, min_card_months = $10, is_active = $11,
         updated_at = $12
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, ...detailsOf(details), now],
      tx,
    );
    if (row === null) throw new Error('the plan was not locked');
    return row;
  }
}

/** In the order of the columns in the statements above. */
function detailsOf(plan: PlanDetails): unknown[] {
  return [
    plan.name,
    plan.description,
    plan.amountCents,
    plan.currency,
    plan.interval,
    plan.intervalCount,
    plan.trialPeriodDays,
    plan.billingDay,
    plan.minCardMonths,
    plan.isActive,
  ];
}
