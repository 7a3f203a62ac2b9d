import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { BillingCycleId } from '../../domain/shared/ids';
import type { CycleStatus } from '../../domain/subscriptions/subscription';

/** One period of a subscription as it is charged. Owned by `billing-cycle-repository.ts`. */
export class BillingCycleModel extends Model<
  InferAttributes<BillingCycleModel>,
  InferCreationAttributes<BillingCycleModel>
> {
  declare id: BillingCycleId;
  declare subscriptionId: number;
  declare companyId: number;
  declare number: number;
  declare status: CycleStatus;
  declare amountCents: number;
  declare discountCents: number;
  /** What is charged; 0 if the amount was too small to charge. */
  declare chargeCents: number;
  declare periodStart: Date;
  declare periodEnd: Date;
  declare dueAt: Date;
  declare paidAt: Date | null;
  declare firstFailedAt: Date | null;
  declare retryCount: number;
  declare nextRetryAt: Date | null;
  declare irreversible: boolean;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function defineBillingCycle(sequelize: Sequelize): void {
  BillingCycleModel.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      subscriptionId: DataTypes.BIGINT,
      companyId: DataTypes.BIGINT,
      number: DataTypes.INTEGER,
      status: DataTypes.TEXT,
      amountCents: DataTypes.BIGINT,
      discountCents: DataTypes.BIGINT,
      chargeCents: DataTypes.BIGINT,
      periodStart: DataTypes.DATE,
      periodEnd: DataTypes.DATE,
      dueAt: DataTypes.DATE,
      paidAt: DataTypes.DATE,
      firstFailedAt: DataTypes.DATE,
      retryCount: DataTypes.INTEGER,
      nextRetryAt: DataTypes.DATE,
      irreversible: DataTypes.BOOLEAN,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'billing_cycles', underscored: true },
  );
}
