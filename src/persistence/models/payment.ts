import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { DisputeSnapshot } from '../../domain/shared/dispute-snapshot';
import type { ChargeInitiation } from '../../domain/shared/charge-initiation';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SubscriptionId } from '../../domain/shared/ids';
import type { FailureCode, PaymentMethod, PaymentStatus } from '../../domain/payments/payment';
import type { InquiryOutcomeCode } from '../../domain/payments/operations/requested-inquiry';
import type { Split } from '../../domain/payments/split';
import type { CardSnapshot, CustomerSnapshot } from '../../domain/shared/payment-snapshot';

/** A payment. Owned by `payment-repository.ts`. */
export class PaymentModel extends Model<
  InferAttributes<PaymentModel>,
  InferCreationAttributes<PaymentModel>
> {
  declare id: CreationOptional<number>;
  declare transactionId: string;
  declare companyId: number;
  declare merchantOrderId: string;
  declare idempotencyKey: string | null;
  declare amountCents: number;
  declare currency: string;
  declare paymentMethod: PaymentMethod;
  declare status: PaymentStatus;
  declare message: string;
  declare code: CreationOptional<FailureCode | null>;
  declare capture: boolean;
  declare installments: number;
  /** The part of `amountCents` that is interest. */
  declare interestCents: CreationOptional<number>;
  declare softDescriptor: string | null;
  declare metadata: Record<string, string> | null;
  declare splits: Split[] | null;
  declare gatewayFirstTry: GatewaySlug | null;
  /** Why `gatewayFirstTry` was not tried first. */
  declare ignoredFirstTry: CreationOptional<string | null>;
  declare customerId: number;
  /** Without the personal data. */
  declare customer: Pick<CustomerSnapshot, 'id' | 'token' | 'type'>;
  /** What is personal of the customer, the card and the billing address, sealed with the customer's key. */
  declare personalData: CreationOptional<string | null>;
  declare card: Omit<CardSnapshot, 'holderName'> | null;
  /** Keyed hash of the number: the same for the same card within a company. */
  declare cardFingerprint: string | null;
  declare saveCard: boolean;
  declare vaultCardId: string | null;
  declare capturedAmountCents: CreationOptional<number>;
  declare refundedAmountCents: CreationOptional<number>;
  declare paidAmountCents: CreationOptional<number | null>;
  /** The amounts of which the ledger has the postings. */
  declare postedCapturedCents: CreationOptional<number>;
  declare postedRefundedCents: CreationOptional<number>;
  declare postedPaidCents: CreationOptional<number>;
  /** What the customer has got, or may get, by disputes. */
  declare disputedAmountCents: CreationOptional<number>;
  /** The newest dispute. */
  declare dispute: CreationOptional<DisputeSnapshot | null>;
  declare captureBefore: CreationOptional<Date | null>;
  /** Seconds, as requested. */
  declare pixExpiresIn: CreationOptional<number | null>;
  /** `YYYY-MM-DD`, a day in Brazil. */
  declare billetDueAt: CreationOptional<string | null>;
  /** The request named no expiry or due date, so a gateway may change the company's default to what it can do. */
  declare expiryIsDefault: CreationOptional<boolean>;
  declare billetInstructions: CreationOptional<string | null>;
  /** When a pix or boleto can no longer be paid in time. */
  declare expiresAt: CreationOptional<Date | null>;
  /** When the money was captured. */
  declare paidAt: CreationOptional<Date | null>;
  /** When the gateway was last asked for the status, by the payment's clock. */
  declare lastPolledAt: CreationOptional<Date | null>;
  /** When a user asked last to have the gateway asked, by the wall clock, and what came of it. */
  declare inquiryRequestedAt: CreationOptional<Date | null>;
  declare inquiryAnsweredAt: CreationOptional<Date | null>;
  declare inquiryOutcome: CreationOptional<InquiryOutcomeCode | null>;
  /** The test clock: its offset from the wall clock, its time while it advances, the time it advances to. */
  declare clockOffsetMs: CreationOptional<number>;
  declare clockNow: CreationOptional<Date | null>;
  declare clockTarget: CreationOptional<Date | null>;
  /** Number of charge attempts. */
  declare attempts: CreationOptional<number>;
  declare lastGateway: CreationOptional<GatewaySlug | null>;
  declare gatewaysRequestMs: CreationOptional<number>;
  /** Number of events published. */
  declare eventSequence: CreationOptional<number>;
  /** Since when it waits for an operator. */
  declare stuckAt: CreationOptional<Date | null>;
  declare requestedAt: Date;
  declare settledAt: CreationOptional<Date | null>;
  /** The subscription it charges; null for a one-off payment. */
  declare subscriptionId: CreationOptional<SubscriptionId | null>;
  /** What it pays for: exactly one of billing cycle and plan change if `subscriptionId` is set. */
  declare billingCycleId: CreationOptional<string | null>;
  /** When it was charged, by the subscription's clock. */
  declare billedAt: CreationOptional<Date | null>;
  declare initiation: ChargeInitiation;
  /** The internal id of the checkout session it was made in. */
  declare checkoutSessionId: CreationOptional<number | null>;
  declare recoverAfter: Date | null;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function definePayment(sequelize: Sequelize): void {
  PaymentModel.init(
    {
      id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      transactionId: DataTypes.UUID,
      companyId: DataTypes.BIGINT,
      merchantOrderId: DataTypes.TEXT,
      idempotencyKey: DataTypes.TEXT,
      amountCents: DataTypes.BIGINT,
      currency: DataTypes.TEXT,
      paymentMethod: DataTypes.TEXT,
      status: DataTypes.TEXT,
      message: DataTypes.TEXT,
      code: DataTypes.TEXT,
      capture: DataTypes.BOOLEAN,
      installments: DataTypes.INTEGER,
      interestCents: DataTypes.BIGINT,
      softDescriptor: DataTypes.TEXT,
      metadata: DataTypes.JSONB,
      splits: DataTypes.JSONB,
      gatewayFirstTry: DataTypes.TEXT,
      ignoredFirstTry: DataTypes.TEXT,
      customerId: DataTypes.BIGINT,
      customer: DataTypes.JSONB,
      personalData: DataTypes.TEXT,
      card: DataTypes.JSONB,
      cardFingerprint: DataTypes.TEXT,
      saveCard: DataTypes.BOOLEAN,
      vaultCardId: DataTypes.UUID,
      capturedAmountCents: DataTypes.BIGINT,
      refundedAmountCents: DataTypes.BIGINT,
      paidAmountCents: DataTypes.BIGINT,
      postedCapturedCents: DataTypes.BIGINT,
      postedRefundedCents: DataTypes.BIGINT,
      postedPaidCents: DataTypes.BIGINT,
      disputedAmountCents: DataTypes.BIGINT,
      dispute: DataTypes.JSONB,
      captureBefore: DataTypes.DATE,
      pixExpiresIn: DataTypes.INTEGER,
      billetDueAt: DataTypes.DATEONLY,
      expiryIsDefault: { type: DataTypes.BOOLEAN, defaultValue: false },
      billetInstructions: DataTypes.TEXT,
      expiresAt: DataTypes.DATE,
      paidAt: DataTypes.DATE,
      lastPolledAt: DataTypes.DATE,
      inquiryRequestedAt: DataTypes.DATE,
      inquiryAnsweredAt: DataTypes.DATE,
      inquiryOutcome: DataTypes.TEXT,
      clockOffsetMs: DataTypes.BIGINT,
      clockNow: DataTypes.DATE,
      clockTarget: DataTypes.DATE,
      attempts: DataTypes.INTEGER,
      lastGateway: DataTypes.TEXT,
      gatewaysRequestMs: DataTypes.INTEGER,
      eventSequence: DataTypes.INTEGER,
      stuckAt: DataTypes.DATE,
      requestedAt: DataTypes.DATE,
      settledAt: DataTypes.DATE,
      subscriptionId: DataTypes.UUID,
      billingCycleId: DataTypes.UUID,
      billedAt: DataTypes.DATE,
      initiation: DataTypes.JSONB,
      checkoutSessionId: DataTypes.BIGINT,
      recoverAfter: DataTypes.DATE,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'payments', underscored: true },
  );
}
