import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SubAccountId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { SubAccountStatus } from '../../domain/routing/subaccount';

/** A recipient at a gateway, created under the platform's account. Owned by `sub-account-repository.ts`. */
export class SubAccountModel extends Model<
  InferAttributes<SubAccountModel>,
  InferCreationAttributes<SubAccountModel>
> {
  declare id: SubAccountId;
  declare companyId: number;
  declare gatewaySlug: GatewaySlug;
  declare informationHash: string;
  declare sealedInformation: SealedValue;
  declare name: string;
  declare documentMasked: string;
  declare status: SubAccountStatus;
  declare recipientId: CreationOptional<string | null>;
  declare message: CreationOptional<string | null>;
  declare consentUrl: CreationOptional<string | null>;
  declare sentAt: CreationOptional<Date | null>;
  declare pollCount: CreationOptional<number>;
  declare recoverAfter: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function defineSubAccount(sequelize: Sequelize): void {
  SubAccountModel.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      companyId: DataTypes.BIGINT,
      gatewaySlug: DataTypes.TEXT,
      informationHash: DataTypes.TEXT,
      sealedInformation: DataTypes.JSONB,
      name: DataTypes.TEXT,
      documentMasked: DataTypes.TEXT,
      status: DataTypes.TEXT,
      recipientId: DataTypes.TEXT,
      message: DataTypes.TEXT,
      consentUrl: DataTypes.TEXT,
      sentAt: DataTypes.DATE,
      pollCount: DataTypes.INTEGER,
      recoverAfter: DataTypes.DATE,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'sub_accounts', underscored: true },
  );
}
