import type { SubscriptionId } from '../src/domain/ids';
import type { Failpoint } from '../src/failpoints';
import type { CompanyConfigRepository } from '../src/persistence/company-config-repository';
import type { DeliveryToStart } from '../src/persistence/webhook-delivery-repository';
import type { GatewayAttemptRepository } from '../src/persistence/gateway-attempt-repository';
import type { IdempotencyRepository } from '../src/persistence/idempotency-repository';
import type { PaymentRepository } from '../src/persistence/payment-repository';
import type { PlanRepository } from '../src/persistence/plan-repository';
import type { CardRefusals } from '../src/persistence/read-models/card-refusals';
import type { SubscriptionBook } from '../src/persistence/subscription-book';
import type { SubscriptionCommandRepository } from '../src/persistence/subscription-command-repository';
import type { SubscriptionRecord, SubscriptionRepository } from '../src/persistence/subscription-repository';
import type { Database } from '../src/persistence/transaction';
import type { PaymentToStart } from '../workflows/messages';
import type { Log } from './log';

/** What the subscription activities work with; built once by the worker. */
export interface SubscriptionDeps {
  readonly db: Database;
  readonly subscriptions: SubscriptionRepository;
  readonly subscriptionBook: SubscriptionBook;
  readonly subscriptionCommands: SubscriptionCommandRepository;
  readonly plans: PlanRepository;
  readonly payments: PaymentRepository;
  readonly attempts: GatewayAttemptRepository;
  readonly refusals: CardRefusals;
  readonly companyConfigs: CompanyConfigRepository;
  readonly idempotency: IdempotencyRepository;
  /** Has deliveries that are committed go their own way, and returns at once; those it misses a sweeper starts. */
  readonly startDeliveries: (deliveries: readonly DeliveryToStart[]) => void;
  /** Has the payment of a charge run, once it is committed; returns at once, and those it misses a sweeper starts. */
  readonly startPayment: (payment: PaymentToStart) => void;
  /** The body that answers requests about it. */
  readonly presentSubscription: (subscription: SubscriptionRecord) => object;
  readonly failpoint: Failpoint;
  readonly subscriptionSettings: {
    /** Over how long what is due at one instant is spread. */
    readonly jitterMs: number;
  };
  readonly now: () => Date;
  readonly log: Log;
}

/** A part of the spread that is the subscription's own: the same at every cycle. UUIDv7 ends in random bits. */
export function jitterOf(id: SubscriptionId, jitterMs: number): number {
  return Math.floor((Number.parseInt(id.slice(-8), 16) / 2 ** 32) * jitterMs);
}
