import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { NetworkIds } from '../../domain/shared/charge-initiation';
import type { Interval } from '../../domain/subscriptions/billing-calendar';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SubscriptionId, VaultCardId } from '../../domain/shared/ids';
import type { CardSnapshot } from '../../domain/shared/payment-snapshot';
import type {
  CancelReason,
  OpenCharge,
  PlanChange,
  SubscriptionStatus,
} from '../../domain/subscriptions/subscription';

/** A subscription. Owned by `subscription-repository.ts`. Instants follow its clock unless stated otherwise. */
export class SubscriptionModel extends Model<
  InferAttributes<SubscriptionModel>,
  InferCreationAttributes<SubscriptionModel>
> {
  declare id: CreationOptional<number>;
  declare uuid: SubscriptionId;
  declare companyId: number;
  declare customerId: number;
  declare planId: number;
  /** The agreed price, which the plan's own may differ from. */
  declare planAmountCents: number;
  declare planCurrency: string;
  declare planInterval: Interval;
  declare planIntervalCount: number;
  declare status: SubscriptionStatus;
  declare card: Omit<CardSnapshot, 'holderName'>;
  /** The cardholder's name and the billing address, sealed with the customer's key. */
  declare personalData: CreationOptional<string | null>;
  declare cardFingerprint: string;
  declare vaultCardId: VaultCardId;
  declare gatewayFirstTry: GatewaySlug | null;
  declare metadata: Record<string, unknown>[] | null;
  declare timezone: string;
  declare startsAt: Date;
  declare interval: Interval;
  declare intervalCount: number;
  declare scheduleBillingDay: number | null;
  declare billingDay: number | null;
  declare periodNumber: number;
  declare periodStart: Date | null;
  declare periodEnd: Date | null;
  /** The price of the current period after discount, once its cycle is paid. */
  declare periodValueCents: number;
  declare periodDiscounted: CreationOptional<boolean>;
  declare creditBalanceCents: CreationOptional<number>;
  /** What it pays in a month (`monthlyRevenueCents`), and whether that was ever above 0. */
  declare monthlyRevenueCents: CreationOptional<number>;
  declare hadRevenue: CreationOptional<boolean>;
  /** The credit of which the ledger has the postings. */
  declare postedCreditCents: CreationOptional<number>;
  declare trialDays: number;
  declare trialStart: Date | null;
  declare trialEnd: Date | null;
  declare couponId: number | null;
  declare couponCyclesUsed: number;
  /** When its redemption of the coupon was released for others. */
  declare cyclesOpened: number;
  declare cyclesPaid: number;
  declare openCharge: OpenCharge['kind'] | null;
  declare newPlanId: number | null;
  declare planChangeType: PlanChange['changeType'] | null;
  declare cancelAtPeriodEnd: boolean;
  declare pausedAt: Date | null;
  declare pausedUntil: Date | null;
  declare pastDueSince: Date | null;
  declare canceledAt: Date | null;
  declare cancelReason: CancelReason | null;
  declare trialEndingNotified: boolean;
  declare cardExpiringNotified: boolean;
  declare lastTransitionAt: Date;
  /** The next scheduled event, such as a renewal; null if there is none. */
  declare dueAt: Date | null;
  /** Whether a charge or a verification of the current card was approved. */
  declare cardApproved: CreationOptional<boolean>;
  /** What the card's network returned first for the current card. */
  declare networkIds: CreationOptional<NetworkIds | null>;
  /** The test clock: its offset from the wall clock, its time while it advances, the time it advances to. */
  declare clockOffsetMs: CreationOptional<number>;
  declare clockNow: CreationOptional<Date | null>;
  declare clockTarget: CreationOptional<Date | null>;
  /** Number of events published. */
  declare eventSequence: CreationOptional<number>;
  /** Wall clock: when the charge on hold was last tried, and when it was released for another try. */
  declare holdCheckedAt: CreationOptional<Date | null>;
  declare holdReleasedAt: CreationOptional<Date | null>;
  declare idempotencyKey: string | null;
  /** The internal id of the checkout session it was bought in. */
  declare checkoutSessionId: CreationOptional<number | null>;
  /** Wall clock. */
  declare recoverAfter: Date | null;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export function defineSubscription(sequelize: Sequelize): void {
  SubscriptionModel.init(
    {
      id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      uuid: DataTypes.UUID,
      companyId: DataTypes.BIGINT,
      customerId: DataTypes.BIGINT,
      planId: DataTypes.BIGINT,
      planAmountCents: DataTypes.BIGINT,
      planCurrency: DataTypes.TEXT,
      planInterval: DataTypes.TEXT,
      planIntervalCount: DataTypes.INTEGER,
      status: DataTypes.TEXT,
      card: DataTypes.JSONB,
      cardFingerprint: DataTypes.TEXT,
      vaultCardId: DataTypes.UUID,
      personalData: DataTypes.TEXT,
      gatewayFirstTry: DataTypes.TEXT,
      metadata: DataTypes.JSONB,
      timezone: DataTypes.TEXT,
      startsAt: DataTypes.DATE,
      interval: DataTypes.TEXT,
      intervalCount: DataTypes.INTEGER,
      scheduleBillingDay: DataTypes.INTEGER,
      billingDay: DataTypes.INTEGER,
      periodNumber: DataTypes.INTEGER,
      periodStart: DataTypes.DATE,
      periodEnd: DataTypes.DATE,
      periodValueCents: DataTypes.BIGINT,
      periodDiscounted: DataTypes.BOOLEAN,
      creditBalanceCents: DataTypes.BIGINT,
      postedCreditCents: DataTypes.BIGINT,
      monthlyRevenueCents: DataTypes.BIGINT,
      hadRevenue: DataTypes.BOOLEAN,
      trialDays: DataTypes.INTEGER,
      trialStart: DataTypes.DATE,
      trialEnd: DataTypes.DATE,
      couponId: DataTypes.BIGINT,
      couponCyclesUsed: DataTypes.INTEGER,
      cyclesOpened: DataTypes.INTEGER,
      cyclesPaid: DataTypes.INTEGER,
      openCharge: DataTypes.TEXT,
      newPlanId: DataTypes.BIGINT,
      planChangeType: DataTypes.TEXT,
      cancelAtPeriodEnd: DataTypes.BOOLEAN,
      pausedAt: DataTypes.DATE,
      pausedUntil: DataTypes.DATE,
      pastDueSince: DataTypes.DATE,
      canceledAt: DataTypes.DATE,
      cancelReason: DataTypes.TEXT,
      trialEndingNotified: DataTypes.BOOLEAN,
      cardExpiringNotified: DataTypes.BOOLEAN,
      lastTransitionAt: DataTypes.DATE,
      dueAt: DataTypes.DATE,
      cardApproved: DataTypes.BOOLEAN,
      networkIds: DataTypes.JSONB,
      clockOffsetMs: DataTypes.BIGINT,
      clockNow: DataTypes.DATE,
      clockTarget: DataTypes.DATE,
      eventSequence: DataTypes.INTEGER,
      holdCheckedAt: DataTypes.DATE,
      holdReleasedAt: DataTypes.DATE,
      idempotencyKey: DataTypes.TEXT,
      checkoutSessionId: DataTypes.BIGINT,
      recoverAfter: DataTypes.DATE,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'subscriptions', underscored: true },
  );
}
