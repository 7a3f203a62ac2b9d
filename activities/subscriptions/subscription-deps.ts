import type { SubscriptionId } from '../../src/domain/shared/ids';
import type { Failpoint } from '../../src/failpoints';
import type { CompanyConfigRepository } from '../../src/persistence/companies/company-config-repository';
import type { DeliveryToStart } from '../../src/persistence/webhooks/webhook-delivery-repository';
import type { GatewayAttemptRepository } from '../../src/persistence/payments/gateway-attempt-repository';
import type { IdempotencyRepository } from '../../src/persistence/payments/idempotency-repository';
import type { PaymentRepository } from '../../src/persistence/payments/payment-repository';
import type { PlanRepository } from '../../src/persistence/subscriptions/plan-repository';
import type { CardRefusals } from '../../src/persistence/read-models/card-refusals';
import type { SubscriptionTransitionWriter } from '../../src/application/subscriptions/transition-writer';
import type { SubscriptionCommandRepository } from '../../src/persistence/subscriptions/subscription-command-repository';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../src/persistence/subscriptions/subscription-repository';
import type { Database } from '../../src/persistence/sql/transaction';
import type { PaymentToStart } from '../../workflows/messages';
import type { Log } from '../shared/log';

/** What the subscription activities work with; built once by the worker. */
export interface SubscriptionDeps {
  readonly db: Database;
  readonly subscriptions: SubscriptionRepository;
  readonly subscriptionBook: SubscriptionTransitionWriter;
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
