import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { DisputeKind, DisputeStatus } from '../../domain/disputes/dispute';
import type { DisputeMail } from '../../domain/disputes/dispute-mail';
import type { SplitAllocation } from '../../domain/payments/split';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { DisputeId } from '../../domain/shared/ids';

/** A dispute. Owned by `dispute-repository.ts`. */
export class DisputeModel extends Model<
  InferAttributes<DisputeModel>,
  InferCreationAttributes<DisputeModel>
> {
  declare id: DisputeId;
  declare companyId: number;
  declare paymentId: number;
  declare attemptId: string;
  declare gatewaySlug: GatewaySlug;
  declare gatewayDisputeId: string;
  declare kind: DisputeKind;
  declare status: DisputeStatus;
  declare amountCents: number;
  declare returnedCents: number;
  declare currency: string;
  declare reasonCode: string | null;
  declare evidenceDueAt: Date | null;
  declare openedAt: Date;
  declare reportedAt: Date;
  declare closedAt: Date | null;
  declare remindedFor: CreationOptional<Date | null>;
  declare transitions: number;
  declare eventSequence: number;
  declare postedHeldCents: number;
  declare postedLostCents: number;
  declare postedBorne: readonly SplitAllocation[];
  declare fraudCard: CreationOptional<string | null>;
  declare cardReleasedAt: CreationOptional<Date | null>;
  declare cardReleasedBy: CreationOptional<number | null>;
  declare cardReleaseReason: CreationOptional<string | null>;
  declare subscriptionPausedAt: CreationOptional<Date | null>;
  declare mailDue: CreationOptional<DisputeMail | null>;
  declare recoverAfter: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function defineDispute(sequelize: Sequelize): void {
  DisputeModel.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      companyId: DataTypes.BIGINT,
      paymentId: DataTypes.BIGINT,
      attemptId: DataTypes.UUID,
      gatewaySlug: DataTypes.TEXT,
      gatewayDisputeId: DataTypes.TEXT,
      kind: DataTypes.TEXT,
      status: DataTypes.TEXT,
      amountCents: DataTypes.BIGINT,
      returnedCents: DataTypes.BIGINT,
      currency: DataTypes.TEXT,
      reasonCode: DataTypes.TEXT,
      evidenceDueAt: DataTypes.DATE,
      openedAt: DataTypes.DATE,
      reportedAt: DataTypes.DATE,
      closedAt: DataTypes.DATE,
      remindedFor: DataTypes.DATE,
      transitions: DataTypes.INTEGER,
      eventSequence: DataTypes.INTEGER,
      postedHeldCents: DataTypes.BIGINT,
      postedLostCents: DataTypes.BIGINT,
      postedBorne: DataTypes.JSONB,
      fraudCard: DataTypes.TEXT,
      cardReleasedAt: DataTypes.DATE,
      cardReleasedBy: DataTypes.BIGINT,
      cardReleaseReason: DataTypes.TEXT,
      subscriptionPausedAt: DataTypes.DATE,
      mailDue: DataTypes.TEXT,
      recoverAfter: DataTypes.DATE,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'disputes', underscored: true },
  );
}
