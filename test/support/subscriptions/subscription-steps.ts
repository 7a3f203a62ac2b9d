import type { SubscriptionRequest } from '../../../src/application/subscriptions/subscription-request';
import { createSubscriptions } from '../../../src/composition/api-subscriptions';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import {
  newCouponId,
  newPlanId,
  newSubscriptionCommandId,
  parseSubscriptionId,
} from '../../../src/domain/shared/ids';
import type { Coupon, Discount } from '../../../src/domain/subscriptions/coupon';
import type { Plan, PlanDetails } from '../../../src/domain/subscriptions/plan';
import type { StoredCommand } from '../../../src/domain/subscriptions/stored-command';
import type { SubscriptionRow } from '../../../src/persistence/subscriptions/subscription-state';
import { APPROVED_CARD, newCompany, rawCard } from '../fixtures/payments';
import { noChargeSlots } from '../../../activities/subscriptions/charge-slots';
import { startEngine, type Engine } from '../stack/engine';
import { SteppedSubscription } from './stepped-subscription';

/** A Monday at noon in São Paulo. */
export const START = new Date('2026-03-02T15:00:00.000Z');
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const PRICE = 10_000;

export const VISA = rawCard(APPROVED_CARD);
export const MASTERCARD = rawCard('5555555555554444');

export const SETTINGS = { jitterMs: 60_000, unresolvedAfterMs: 3_000 };

export function after(at: Date, ms: number): Date {
  return new Date(+at + ms);
}

interface Offer {
  readonly company?: AuthenticatedCompany;
  readonly plan?: Partial<PlanDetails>;
  readonly discount?: Discount;
  readonly request?: Partial<SubscriptionRequest>;
  readonly key?: string;
}

/** The API and the activities of subscriptions, without workflows, at times that the test sets. */
export class SubscriptionSteps {
  /** The wall clock of the API and of the worker. */
  now = START;
  /** The transaction ids of the payments whose workflow a step has started. */
  startedPayments: string[] = [];
  /** How many deliveries each call has started. */
  startedDeliveries: number[] = [];
  readonly engine: Engine;
  readonly api: ReturnType<typeof createSubscriptions>;

  private constructor(engine: Engine) {
    this.engine = {
      ...engine,
      deps: {
        ...engine.deps,
        now: () => this.now,
        startPayment: ({ transactionId }) => void this.startedPayments.push(transactionId),
        startDeliveries: ({ length }) => void this.startedDeliveries.push(length),
        wakeSubscription: () => undefined,
        chargeSlots: noChargeSlots,
        subscriptionSettings: SETTINGS,
      },
    };
    const silent = { error: () => undefined, warn: () => undefined };
    this.api = createSubscriptions(
      engine.config,
      { ...engine.context, now: () => this.now },
      silent,
      NO_WORKFLOWS,
    );
  }

  static async start(): Promise<SubscriptionSteps> {
    return new SubscriptionSteps(await startEngine({}, { workers: 'none' }));
  }

  stop(): Promise<void> {
    return this.engine.stop();
  }

  newCompany(gateways?: readonly GatewaySlug[]): Promise<AuthenticatedCompany> {
    return newCompany(this.engine, gateways);
  }

  newPlan({ id: companyId }: AuthenticatedCompany, change: Partial<PlanDetails> = {}): Promise<Plan> {
    const { db, plans } = this.engine.context;
    const plan = { ...WEEKLY, ...change, uuid: newPlanId(), companyId };
    return db.inTransaction((tx) => plans.insert(tx, plan, START));
  }

  /** A subscription, created at the start of the clock: by default a weekly one whose first charge is not sent yet. */
  async subscribe({ plan, discount, request, key, ...offer }: Offer = {}): Promise<SteppedSubscription> {
    Object.assign(this, { now: START, startedPayments: [], startedDeliveries: [] });
    const company = offer.company ?? (await this.newCompany());
    const { uuid: plan_id } = await this.newPlan(company, plan);
    const coupon = discount && (await this.newCoupon(company, discount));
    const answer = await this.api.createSubscription.execute({
      company,
      idempotencyKey: key ?? null,
      request: { plan_id, customer: CUSTOMER, card: VISA, coupon_code: coupon?.code ?? null, ...request },
      receivedAt: this.now,
    });
    const id = parseSubscriptionId(
      answer.kind === 'subscription'
        ? answer.subscription.row.uuid
        : (answer.body as { data: { id: string } }).data.id,
    );
    if (id === null) throw new Error('the subscription has no id');
    return new SteppedSubscription(this, company, id);
  }

  /** A subscription whose first period is paid. */
  async subscribed(offer: Offer = {}): Promise<SteppedSubscription> {
    const subscription = await this.subscribe(offer);
    await subscription.settle('approved');
    return subscription;
  }

  /** A subscription whose renewal was just opened. */
  async renewed(offer: Offer = {}): Promise<SteppedSubscription> {
    const subscription = await this.subscribed(offer);
    await subscription.stepAt(await subscription.periodEnd());
    return subscription;
  }

  /** Requests that its test clock advances. */
  async advanceClock({ company, id }: SteppedSubscription, advanceTo: Date): Promise<void> {
    await this.api.advanceSubscriptionClock.execute({ companyId: company.id, id, advanceTo });
  }

  /** Stores a command that often, without the limit of the API. */
  async storeCommands(
    { id: subscriptionId, companyId, customerKey }: SubscriptionRow,
    command: StoredCommand,
    times: number,
  ): Promise<void> {
    const { db, subscriptionCommands } = this.engine.context;
    const common = { subscriptionId, companyId, customerKey, command, idempotencyKey: null };
    await db.inTransaction(async (tx) => {
      for (let stored = 0; stored < times; stored += 1) {
        const one = { ...common, id: newSubscriptionCommandId(), requestedAt: this.now };
        await subscriptionCommands.insert(tx, one, this.now);
      }
    });
  }

  /** What a repeated request with the key is answered. */
  answerTo({ company }: SteppedSubscription, key: string) {
    return this.engine.context.idempotency.find(company.id, key);
  }

  /** Whether the customer's data in the recorded answer is sealed, so that it is erased with the customer. */
  async isAnswerSealed({ company }: SteppedSubscription, key: string): Promise<boolean | undefined> {
    const answer = await this.engine.context.db.queryOne<{ sealed: boolean }>(
      `SELECT customer_id IS NOT NULL AND personal_data IS NOT NULL AND response_body::text NOT LIKE '%Maria%' AS sealed
         FROM idempotency_keys WHERE company_id = $1 AND key = $2`,
      [company.id, key],
    );
    return answer?.sealed;
  }

  async setPayment(subscription: SteppedSubscription, status: string): Promise<void> {
    await this.engine.context.db.query('UPDATE payments SET status = $2 WHERE transaction_id = $1', [
      await subscription.newestPayment(),
      status,
    ]);
  }

  async setDunningDays({ id }: AuthenticatedCompany, dunningDays: number[]): Promise<void> {
    const { companyConfigs, db } = this.engine.context;
    const config = await companyConfigs.get(id);
    await db.inTransaction((tx) => companyConfigs.save(tx, id, { ...config, dunningDays }, START));
  }

  private async newCoupon({ id: companyId }: AuthenticatedCompany, discount: Discount): Promise<Coupon> {
    const { db, coupons } = this.engine.context;
    const coupon = { ...COUPON, ...discount, uuid: newCouponId(), companyId };
    const inserted = await db.inTransaction((tx) => coupons.insert(tx, coupon, START));
    if (inserted === null) throw new Error('the code is taken');
    return inserted;
  }
}

const NO_WORKFLOWS = {
  awaitCharge: () => Promise.resolve(),
  awaitCommand: () => Promise.resolve(),
  wake: () => Promise.resolve(),
};

const CUSTOMER = { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' };

const WEEKLY: PlanDetails = {
  name: 'Gold',
  description: null,
  amountCents: PRICE,
  currency: 'BRL',
  interval: 'weekly',
  intervalCount: 1,
  trialPeriodDays: 0,
  billingDay: null,
  minCardMonths: 0,
  isActive: true,
};

const COUPON = {
  code: 'WELCOME',
  name: 'Welcome',
  description: null,
  isActive: true,
  validFrom: '2026-01-01',
  validUntil: null,
  maxRedemptions: null,
} as const;
