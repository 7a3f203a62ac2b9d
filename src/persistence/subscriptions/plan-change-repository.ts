import type { PlanChangeId } from '../../domain/shared/ids';
import type { PlanChange } from '../../domain/subscriptions/subscription';
import type { Database, Tx } from '../sql/transaction';

/** A plan change whose charge has no certain result. */
export interface OpenPlanChange {
  readonly id: PlanChangeId;
  readonly subscriptionId: number;
  readonly newPlanId: number;
  readonly changeType: PlanChange['changeType'];
  readonly chargeCents: number;
}

/** Owns the table `plan_changes`: plan changes that are charged before they take effect. */
export class PlanChangeRepository {
  constructor(private readonly db: Database) {}

  /** The open plan changes of these subscriptions (by primary key). A subscription has at most one. */
  async openOf(subscriptionIds: readonly number[], tx?: Tx): Promise<OpenPlanChange[]> {
    return this.db.query<OpenPlanChange>(
      `SELECT id, subscription_id AS "subscriptionId", new_plan_id AS "newPlanId", change_type AS "changeType",
              charge_cents AS "chargeCents"
         FROM plan_changes WHERE subscription_id = ANY($1) AND status = 'open'`,
      [subscriptionIds],
      tx,
    );
  }

  async insert(tx: Tx, companyId: number, change: OpenPlanChange, now: Date): Promise<void> {
    await this.db.execute(
      `INSERT INTO plan_changes
         (id, subscription_id, company_id, new_plan_id, change_type, charge_cents, status, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'open', $7, $7)`,
      [
        change.id,
        change.subscriptionId,
        companyId,
        change.newPlanId,
        change.changeType,
        change.chargeCents,
        now,
      ],
      tx,
    );
  }

  /** Stores the result of its charge. */
  async close(tx: Tx, id: PlanChangeId, status: 'paid' | 'refused', now: Date): Promise<void> {
    await this.db.execute(
      `UPDATE plan_changes SET status = $2, updated_at = $3 WHERE id = $1 AND status = 'open'`,
      [id, status, now],
      tx,
    );
  }
}
