import type { GatewaySlug } from '../../src/domain/shared/gateway-slug';
import type { SubscriptionId } from '../../src/domain/shared/ids';
import type { Failpoint } from '../../src/failpoints';
import type { GatewayRegistries } from '../../src/gateways/modes/registries';
import type { GatewayRepository } from '../../src/persistence/gateways/gateway-repository';
import type { CompanyConfigRepository } from '../../src/persistence/companies/company-config-repository';
import type { DeliveryToStart } from '../../src/persistence/webhooks/webhook-delivery-repository';
import type { GatewayAttemptRepository } from '../../src/persistence/payments/gateway-attempt-repository';
import type { IdempotencyRepository } from '../../src/persistence/payments/idempotency-repository';
import type { PaymentRepository } from '../../src/persistence/payments/payment-repository';
import type { PlanRepository } from '../../src/persistence/subscriptions/plan-repository';
import type { CardDeclines } from '../../src/persistence/read-models/card-declines';
import type { SubscriptionTransitionWriter } from '../../src/application/subscriptions/transition-writer';
import type { SubscriptionCommandRepository } from '../../src/persistence/subscriptions/subscription-command-repository';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../src/persistence/subscriptions/subscription-repository';
import type { Database } from '../../src/persistence/sql/transaction';
import type { PaymentToStart } from '../../workflows/messages';
import type { UnrecordedAnswer } from '../payments/attempts/send-next';
import type { Log } from '../shared/failures';
import type { ChargeSlots } from './charge-slots';

/** Dependencies of the subscription activities, created once per worker. */
export interface SubscriptionDeps {
  readonly db: Database;
  readonly subscriptions: SubscriptionRepository;
  readonly transitionWriter: SubscriptionTransitionWriter;
  readonly subscriptionCommands: SubscriptionCommandRepository;
  readonly plans: PlanRepository;
  readonly payments: PaymentRepository;
  readonly attempts: GatewayAttemptRepository;
  readonly gateways: Pick<GatewayRepository, 'findRouting'>;
  readonly registries: GatewayRegistries;
  /** The platform gateways that a company may use. */
  readonly platformSlugs: (companyId: number) => Promise<GatewaySlug[]>;
  readonly cardDeclines: CardDeclines;
  readonly companyConfigs: CompanyConfigRepository;
  readonly idempotency: IdempotencyRepository;
  /** Starts the workflows of committed deliveries without waiting. The sweeper starts those that fail to start. */
  readonly startDeliveries: (deliveries: readonly DeliveryToStart[]) => void;
  /** Starts the workflow of a committed payment without waiting. The sweeper starts it if this fails. */
  readonly startPayment: (payment: PaymentToStart) => void;
  /** Starts the workflow of a committed payment with an answer of its gateway that Postgres did not take. */
  readonly startToRecord: (payment: PaymentToStart, unrecorded: UnrecordedAnswer) => Promise<void>;
  /** For charges that a step makes itself. */
  readonly chargeSlots: Pick<ChargeSlots, 'acquire'>;
  /** The response body for a subscription. */
  readonly presentSubscription: (subscription: SubscriptionRecord) => object;
  readonly failpoint: Failpoint;
  readonly subscriptionSettings: {
    /** Due events of one instant are spread over this time. */
    readonly jitterMs: number;
    /** How long a charge may be open before it counts as on hold. */
    readonly unresolvedAfterMs: number;
  };
  readonly now: () => Date;
  readonly log: Log;
}

/** The subscription's own share of the jitter, the same for every cycle: UUIDv7 ends in random bits. */
export function jitterOf(id: SubscriptionId, jitterMs: number): number {
  return Math.floor((Number.parseInt(id.slice(-8), 16) / 2 ** 32) * jitterMs);
}
