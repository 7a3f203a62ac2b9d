import type { RevenueMovement } from '../../domain/subscriptions/recurring-revenue';
import type { JointChange } from '../sql/joint-changes';

interface NewRevenueMovement extends RevenueMovement {
  readonly companyId: number;
  /** Internal id. */
  readonly subscriptionId: number;
  readonly currency: string;
  readonly movedAt: Date;
}

/** Inserts a movement by the statement that changes the subscription's `monthly_revenue_cents`. */
export function insertedMovement(movement: NewRevenueMovement): JointChange {
  const { companyId, subscriptionId, movedAt, kind, currency, amountCents } = movement;
  return {
    change: (values) => {
      const parameters = [companyId, subscriptionId, movedAt, kind, currency, amountCents].map(
        (value) => `$${values.push(value)}`,
      );
      return `INSERT INTO revenue_movements (company_id, subscription_id, moved_at, kind, currency, amount_cents)
        VALUES (${parameters.join(', ')})`;
    },
    unlessOne: null,
  };
}
