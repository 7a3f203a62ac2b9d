import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { VaultCardId } from '../../domain/shared/ids';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';

/** A customer's saved card: its displayable fields and its vault card. Owned by `customer-card-repository.ts`. */
export class CustomerCardModel extends Model<
  InferAttributes<CustomerCardModel>,
  InferCreationAttributes<CustomerCardModel>
> {
  declare id: CreationOptional<number>;
  declare token: string;
  declare companyId: number;
  declare customerId: number;
  /** Null once the card is deleted and its number erased. */
  declare vaultCardId: VaultCardId | null;
  declare fingerprint: string;
  declare brand: string;
  declare first6Digits: string;
  declare last4Digits: string;
  declare holderName: string;
  declare expireMonth: number;
  declare expireYear: number;
  declare billingAddress: BillingAddress | null;
  declare isDefault: boolean;
  declare deletedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function defineCustomerCard(sequelize: Sequelize): void {
  CustomerCardModel.init(
    {
      id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      token: DataTypes.TEXT,
      companyId: DataTypes.BIGINT,
      customerId: DataTypes.BIGINT,
      vaultCardId: DataTypes.UUID,
      fingerprint: DataTypes.TEXT,
      brand: DataTypes.TEXT,
      first6Digits: { type: DataTypes.TEXT, field: 'first_6_digits' },
      last4Digits: { type: DataTypes.TEXT, field: 'last_4_digits' },
      holderName: DataTypes.TEXT,
      expireMonth: DataTypes.INTEGER,
      expireYear: DataTypes.INTEGER,
      billingAddress: DataTypes.JSONB,
      isDefault: DataTypes.BOOLEAN,
      deletedAt: DataTypes.DATE,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'customer_cards', underscored: true },
  );
}
