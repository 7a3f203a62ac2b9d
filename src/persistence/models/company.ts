import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';

/** A tenant. Owned by `company-repository.ts`. */
export class CompanyModel extends Model<
  InferAttributes<CompanyModel>,
  InferCreationAttributes<CompanyModel>
> {
  declare id: CreationOptional<number>;
  declare clientId: string;
  declare name: string;
  /** The company's part of its payment links' URLs. */
  declare slug: CreationOptional<string>;
  declare timezone: CreationOptional<string>;
  /** Seconds. */
  declare pixExpiresIn: CreationOptional<number>;
  declare billetDueDays: CreationOptional<number>;
  declare cnpj: CreationOptional<string | null>;
  declare financialEmail: CreationOptional<string | null>;
  declare phone: CreationOptional<string | null>;
  declare referrer: CreationOptional<string | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function defineCompany(sequelize: Sequelize): void {
  CompanyModel.init(
    {
      id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      clientId: DataTypes.TEXT,
      name: DataTypes.TEXT,
      slug: DataTypes.TEXT,
      timezone: { type: DataTypes.TEXT, defaultValue: 'America/Sao_Paulo' },
      pixExpiresIn: { type: DataTypes.INTEGER, defaultValue: 86_400 },
      billetDueDays: { type: DataTypes.INTEGER, defaultValue: 3 },
      cnpj: DataTypes.TEXT,
      financialEmail: DataTypes.TEXT,
      phone: DataTypes.TEXT,
      referrer: DataTypes.TEXT,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'companies', underscored: true },
  );
}
