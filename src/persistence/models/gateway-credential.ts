import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { GatewayAccountId, GatewaySecretId, SubAccountId } from '../../domain/shared/ids';

/**
 * A company's credential at a gateway: the secret of its own account (`secretId`) or a sub-account of the platform's account.
 * Owned by `gateway-credential-repository.ts`.
 */
export class GatewayCredentialModel extends Model<
  InferAttributes<GatewayCredentialModel>,
  InferCreationAttributes<GatewayCredentialModel>
> {
  declare id: CreationOptional<number>;
  declare companyId: number;
  declare gatewayId: number;
  declare gatewaySlug: GatewaySlug;
  declare clientId: string | null;
  declare accountId: GatewayAccountId;
  declare secretId: GatewaySecretId | null;
  declare order: number;
  declare enabled: CreationOptional<boolean>;
  declare subAccountId: SubAccountId | null;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function defineGatewayCredential(sequelize: Sequelize): void {
  GatewayCredentialModel.init(
    {
      id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      companyId: DataTypes.BIGINT,
      gatewayId: DataTypes.INTEGER,
      gatewaySlug: DataTypes.TEXT,
      clientId: DataTypes.TEXT,
      accountId: DataTypes.UUID,
      secretId: DataTypes.UUID,
      order: DataTypes.INTEGER,
      enabled: { type: DataTypes.BOOLEAN, defaultValue: true },
      subAccountId: DataTypes.UUID,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'gateway_credentials', underscored: true },
  );
}
