import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';

/** A company's customer; unique by document. Owned by `customer-repository.ts`. */
export class CustomerModel extends Model<
  InferAttributes<CustomerModel>,
  InferCreationAttributes<CustomerModel>
> {
  declare id: CreationOptional<number>;
  declare token: string;
  declare companyId: number;
  declare name: string;
  declare email: string;
  declare document: string;
  declare phone: string | null;
  declare address: BillingAddress | null;
  declare metadata: Readonly<Record<string, string>> | null;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function defineCustomer(sequelize: Sequelize): void {
  CustomerModel.init(
    {
      id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      token: DataTypes.TEXT,
      companyId: DataTypes.BIGINT,
      name: DataTypes.TEXT,
      email: DataTypes.TEXT,
      document: DataTypes.TEXT,
      phone: DataTypes.TEXT,
      address: DataTypes.JSONB,
      metadata: DataTypes.JSONB,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'customers', underscored: true },
  );
}
