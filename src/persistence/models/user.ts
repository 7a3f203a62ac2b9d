import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';

/** A dashboard user. Emails are unique, ignoring case. Owned by `user-repository.ts`. */
class UserModel extends Model<InferAttributes<UserModel>, InferCreationAttributes<UserModel>> {
  declare id: CreationOptional<number>;
  declare companyId: number;
  declare name: string;
  declare email: string;
  /** argon2id, PHC string. */
  declare passwordHash: string;
  declare role: CreationOptional<string>;
  declare language: CreationOptional<string>;
  declare emailVerifiedAt: CreationOptional<Date | null>;
  declare removedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function defineUser(sequelize: Sequelize): void {
  UserModel.init(
    {
      id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      companyId: DataTypes.BIGINT,
      name: DataTypes.TEXT,
      email: DataTypes.TEXT,
      passwordHash: DataTypes.TEXT,
      role: DataTypes.TEXT,
      language: DataTypes.TEXT,
      emailVerifiedAt: DataTypes.DATE,
      removedAt: DataTypes.DATE,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'users', underscored: true },
  );
}
