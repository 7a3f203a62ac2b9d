import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { NetworkIds } from '../../domain/shared/charge-initiation';
import type { DeclineClass } from '../../domain/payments/decline';
import type { GatewayErrorFamily } from '../../domain/payments/gateway-error-family';
import type { GatewaySecretId } from '../../domain/shared/ids';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { AttemptOperation, AttemptPurpose, AttemptStatus } from '../../domain/payments/payment';
import type { BilletDetails, PixDetails } from '../../domain/shared/payment-snapshot';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import type { RoutingReason } from '../../domain/routing/routing-reason';
import type { SplitAllocation } from '../../domain/payments/split';

/** One operation at one gateway. Its id is the gateway's idempotency key. Owned by `gateway-attempt-repository.ts`. */
export class GatewayAttemptModel extends Model<
  InferAttributes<GatewayAttemptModel>,
  InferCreationAttributes<GatewayAttemptModel>
> {
  declare id: string;
  declare paymentId: number;
  declare companyId: number;
  declare attempt: number;
  declare operation: AttemptOperation;
  declare gatewaySlug: GatewaySlug;
  /** The company's secret that its charge was sent with; null for the platform's key. */
  declare secretId: CreationOptional<GatewaySecretId | null>;
  /** The card of a subscription's charge (`cardIdentity`); null for one-off payments and operations. */
  declare chargedCard: CreationOptional<string | null>;
  declare reference: string;
  /** Why routing chose this gateway, as text for operators; null for operations on a charge. */
  declare routingReason: CreationOptional<string | null>;
  /** The name of the rule that matched then. */
  declare routingRule: CreationOptional<string | null>;
  /** The same as codes; null also for charges of before 0051. */
  declare routingReasons: CreationOptional<RoutingReason[] | null>;
  declare status: AttemptStatus;
  declare amountCents: number;
  declare targetAttemptId: CreationOptional<string | null>;
  declare gatewayTransactionId: CreationOptional<string | null>;
  declare responseCode: CreationOptional<string | null>;
  declare responseMessage: CreationOptional<string | null>;
  declare declineType: CreationOptional<DeclineClass | null>;
  /** Mastercard's Merchant Advice Code, two digits. */
  declare adviceCode: CreationOptional<string | null>;
  declare errorFamily: CreationOptional<GatewayErrorFamily | null>;
  declare authorizationCode: CreationOptional<string | null>;
  declare networkIds: CreationOptional<NetworkIds | null>;
  declare pix: CreationOptional<PixDetails | null>;
  declare billet: CreationOptional<BilletDetails | null>;
  /** What the gateway reported in an inquiry that contradicts the records. */
  declare reportedState: CreationOptional<ReportedChargeState | null>;
  declare agreedAt: CreationOptional<Date | null>;
  declare notFoundCount: CreationOptional<number>;
  declare requestMs: CreationOptional<number | null>;
  declare purpose: CreationOptional<AttemptPurpose>;
  /** The key of the request for the operation. */
  declare idempotencyKey: CreationOptional<string | null>;
  /** Each recipient's exact share of a capture or refund. */
  declare splits: CreationOptional<SplitAllocation[] | null>;
  declare reason: CreationOptional<string | null>;
  declare sealedBankAccount: CreationOptional<SealedValue | null>;
  /** Since when the result of an accepted operation is awaited, by the payment's clock. */
  declare awaitedSince: CreationOptional<Date | null>;
  /** How often it was sent. */
  declare sendCount: CreationOptional<number>;
  declare sentAt: CreationOptional<Date | null>;
  /** Since when an operator may resolve it; null if no operator is needed. */
  declare escalatedAt: CreationOptional<Date | null>;
  /** The resolution of it that is not applied yet. */
  declare openResolutionId: CreationOptional<string | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function defineGatewayAttempt(sequelize: Sequelize): void {
  GatewayAttemptModel.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      paymentId: DataTypes.BIGINT,
      companyId: DataTypes.BIGINT,
      attempt: DataTypes.INTEGER,
      operation: DataTypes.TEXT,
      gatewaySlug: DataTypes.TEXT,
      secretId: DataTypes.UUID,
      chargedCard: DataTypes.TEXT,
      reference: DataTypes.TEXT,
      routingReason: DataTypes.TEXT,
      routingRule: DataTypes.TEXT,
      routingReasons: DataTypes.JSONB,
      status: DataTypes.TEXT,
      amountCents: DataTypes.BIGINT,
      targetAttemptId: DataTypes.UUID,
      gatewayTransactionId: DataTypes.TEXT,
      responseCode: DataTypes.TEXT,
      responseMessage: DataTypes.TEXT,
      declineType: DataTypes.TEXT,
      adviceCode: DataTypes.TEXT,
      errorFamily: DataTypes.TEXT,
      authorizationCode: DataTypes.TEXT,
      networkIds: DataTypes.JSONB,
      pix: DataTypes.JSONB,
      billet: DataTypes.JSONB,
      reportedState: DataTypes.JSONB,
      agreedAt: DataTypes.DATE,
      notFoundCount: DataTypes.INTEGER,
      requestMs: DataTypes.INTEGER,
      purpose: DataTypes.TEXT,
      idempotencyKey: DataTypes.TEXT,
      splits: DataTypes.JSONB,
      reason: DataTypes.TEXT,
      sealedBankAccount: DataTypes.JSONB,
      sendCount: DataTypes.INTEGER,
      awaitedSince: DataTypes.DATE,
      sentAt: DataTypes.DATE,
      escalatedAt: DataTypes.DATE,
      openResolutionId: DataTypes.UUID,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'gateway_attempts', underscored: true },
  );
}
