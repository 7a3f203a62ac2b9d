import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { BillingCycleId } from '../../domain/shared/ids';
import type { CycleKind, CycleStatus, HoldReason, PlanChange } from '../../domain/subscriptions/subscription';

/** A period of a subscription, or the rest of one, as it is charged. Owned by `billing-cycle-repository.ts`. */
export class BillingCycleModel extends Model<
  InferAttributes<BillingCycleModel>,
  InferCreationAttributes<BillingCycleModel>
> {
  declare id: BillingCycleId;
  declare subscriptionId: number;
  declare companyId: number;
  declare kind: CycleKind;
  declare number: number;
  declare status: CycleStatus;
  declare amountCents: number;
  declare discountCents: number;
  /** What the credit balance pays. */
  declare creditCents: number;
  /** What is charged; 0 if the amount was too small to charge or is paid with credit. */
  declare chargeCents: number;
  /** The plan change that it pays for; null for a regular cycle. */
  declare newPlanId: number | null;
  declare planChangeType: PlanChange['changeType'] | null;
  declare periodStart: Date;
  declare periodEnd: Date;
  declare dueAt: Date;
  declare paidAt: Date | null;
  declare firstFailedAt: Date | null;
  declare retryCount: number;
  declare nextRetryAt: Date | null;
  declare irreversible: boolean;
  /** The outage hold; null unless no issuer answered the charge. */
  declare holdSince: CreationOptional<Date | null>;
  declare holdReason: CreationOptional<HoldReason | null>;
  declare holdDetail: CreationOptional<string | null>;
  declare nextProbeAt: CreationOptional<Date | null>;
  declare delayNotified: CreationOptional<boolean>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function defineBillingCycle(sequelize: Sequelize): void {
  BillingCycleModel.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      subscriptionId: DataTypes.BIGINT,
      companyId: DataTypes.BIGINT,
      kind: DataTypes.TEXT,
      number: DataTypes.INTEGER,
      status: DataTypes.TEXT,
      amountCents: DataTypes.BIGINT,
      discountCents: DataTypes.BIGINT,
      creditCents: DataTypes.BIGINT,
      chargeCents: DataTypes.BIGINT,
      newPlanId: DataTypes.BIGINT,
      planChangeType: DataTypes.TEXT,
      periodStart: DataTypes.DATE,
      periodEnd: DataTypes.DATE,
      dueAt: DataTypes.DATE,
      paidAt: DataTypes.DATE,
      firstFailedAt: DataTypes.DATE,
      retryCount: DataTypes.INTEGER,
      nextRetryAt: DataTypes.DATE,
      irreversible: DataTypes.BOOLEAN,
      holdSince: DataTypes.DATE,
      holdReason: DataTypes.TEXT,
      holdDetail: DataTypes.TEXT,
      nextProbeAt: DataTypes.DATE,
      delayNotified: DataTypes.BOOLEAN,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'billing_cycles', underscored: true },
  );
}
