import type { PlanChangeId } from '../../domain/shared/ids';
import type { PlanChange } from '../../domain/subscriptions/subscription';
import type { Database, Tx } from '../sql/transaction';

/** A change of plan whose charge has no certain result yet. */
export interface OpenPlanChange {
  readonly id: PlanChangeId;
  readonly subscriptionId: number;
  readonly newPlanId: number;
  readonly changeType: PlanChange['changeType'];
  readonly chargeCents: number;
}

/** The one owner of `plan_changes`: those that are paid for before they are made. */
export class PlanChangeRepository {
  constructor(private readonly db: Database) {}

  /** Of these subscriptions, by their inner ids; one has at most one. */
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

  /** Its charge has a result. */
  async close(tx: Tx, id: PlanChangeId, status: 'paid' | 'refused', now: Date): Promise<void> {
    await this.db.execute(
      `UPDATE plan_changes SET status = $2, updated_at = $3 WHERE id = $1 AND status = 'open'`,
      [id, status, now],
      tx,
    );
  }
}
