import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { VaultCardId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';

/** An encrypted card number, with the encrypted CVV for an hour at most. Owned by `vault-card-repository.ts`. */
export class VaultCardModel extends Model<
  InferAttributes<VaultCardModel>,
  InferCreationAttributes<VaultCardModel>
> {
  declare id: VaultCardId;
  declare companyId: number;
  declare sealedNumber: SealedValue;
  declare sealedCvv: SealedValue | null;
  declare cvvExpiresAt: Date | null;
  declare createdAt: CreationOptional<Date>;
}

export function defineVaultCard(sequelize: Sequelize): void {
  VaultCardModel.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      companyId: DataTypes.BIGINT,
      sealedNumber: DataTypes.JSONB,
      sealedCvv: DataTypes.JSONB,
      cvvExpiresAt: DataTypes.DATE,
      createdAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'vault_cards', underscored: true, updatedAt: false },
  );
}
