import { BillingCycleRepository } from './persistence/billing-cycle-repository';
import type { CheckoutSessionRepository } from './persistence/checkout-session-repository';
import type { CouponRepository } from './persistence/coupon-repository';
import type { CustomerRepository } from './persistence/customer-repository';
import type { EventRepository } from './persistence/event-repository';
import type { PaymentRepository } from './persistence/payment-repository';
import { PlanChangeRepository } from './persistence/plan-change-repository';
import type { PlanRepository } from './persistence/plan-repository';
import { CardRefusals } from './persistence/read-models/card-refusals';
import { SubscriptionBook } from './persistence/subscription-book';
import { SubscriptionCommandRepository } from './persistence/subscription-command-repository';
import { SubscriptionRepository, type SubscriptionRecord } from './persistence/subscription-repository';
import type { Database } from './persistence/transaction';
import { presentSubscription } from './presenters/subscription';
import { presentSubscriptionEvent } from './presenters/subscription-event';

/** What the API and the worker both need of subscriptions. */
export interface SubscriptionParts {
  readonly cycles: BillingCycleRepository;
  readonly subscriptionCommands: SubscriptionCommandRepository;
  readonly subscriptions: SubscriptionRepository;
  readonly refusals: CardRefusals;
  readonly subscriptionBook: SubscriptionBook;
  readonly presentSubscription: (subscription: SubscriptionRecord) => object;
}

interface Owners {
  readonly plans: PlanRepository;
  readonly coupons: CouponRepository;
  readonly checkoutSessions: CheckoutSessionRepository;
  readonly customers: CustomerRepository;
  readonly payments: PaymentRepository;
  readonly events: EventRepository;
}

export function composeSubscriptionParts(db: Database, owners: Owners): SubscriptionParts {
  const cycles = new BillingCycleRepository(db);
  const planChanges = new PlanChangeRepository(db);
  const commands = new SubscriptionCommandRepository(db);
  const subscriptions = new SubscriptionRepository(db, { ...owners, cycles, planChanges, commands });
  const refusals = new CardRefusals(db);
  const presentNews = presentSubscriptionEvent;
  return {
    cycles,
    subscriptionCommands: commands,
    subscriptions,
    refusals,
    subscriptionBook: new SubscriptionBook({
      ...owners,
      subscriptions,
      cycles,
      planChanges,
      refusals,
      presentNews,
    }),
    presentSubscription: (subscription) => ({ data: presentSubscription(subscription) }),
  };
}
