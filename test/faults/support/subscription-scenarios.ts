import { randomUUID } from 'node:crypto';
import type { components } from '../../../src/http/generated/openapi';
import type { FailpointName } from '../../../src/failpoints';
import { APPROVED_CARD, paymentRequest, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { expectAnswer, untilAnswered, send, type Answer } from './answers';
import { WORKERS, type FaultStack } from './fault-stack';
import { Merchant } from './merchant';
import { expectSame, killAt, type Story } from './scenario';

type Schemas = components['schemas'];
type Subscription = Schemas['Subscription'];

/** A part that was killed has to come back first, on a machine that may be busy. */
const SETTLED_WITHIN_MS = 100_000;
const DAY_MS = 86_400_000;

let lastAmount = 5_000_000;

/** A subscription of a week, of a merchant of its own; its amounts are unique. */
class Subscribed {
  private constructor(
    private readonly stack: FaultStack,
    readonly merchant: Merchant,
    readonly planId: string,
    readonly dearerPlanId: string,
    readonly amount: number,
  ) {}

  private readonly key = randomUUID();
  private readonly changeKey = randomUUID();

  static async prepare(stack: FaultStack): Promise<Subscribed> {
    const merchant = await Merchant.register(stack, ['gateway_1']);
    const amount = (lastAmount += 1);
    const [plan, dearer] = await Promise.all(
      [amount, 3 * amount].map(async (cents) => {
        const body = { name: 'Gold', amount: cents, currency: 'BRL', interval: 'weekly' };
        const request = { ...merchant.call('POST', '/subscriptions/plans'), body };
        return (await expectAnswer<{ data: { id: string } }>(request, 201)).data.id;
      }),
    );
    if (plan === undefined || dearer === undefined) throw new Error('there are two plans');
    return new Subscribed(stack, merchant, plan, dearer, amount);
  }

  create(): Promise<Answer> {
    const { customer, billing_address } = paymentRequest();
    const body = { plan_id: this.planId, customer, billing_address, card: rawCard(APPROVED_CARD) };
    return send({ ...this.merchant.call('POST', '/subscriptions', this.key), body });
  }

  async changePlan(): Promise<Answer> {
    const { id } = await this.now();
    const body = { plan_id: this.dearerPlanId };
    return send({ ...this.merchant.call('PATCH', `/subscriptions/${id}/plan`, this.changeKey), body });
  }

  /** By the same key, until there is an answer. */
  async created(): Promise<void> {
    await untilAnswered(() => this.create());
  }

  async planChanged(): Promise<void> {
    await untilAnswered(() => this.changePlan());
  }

  async all(): Promise<Subscription[]> {
    const call = this.merchant.call('GET', `/subscriptions?plan_id=${this.planId}`);
    const changed = this.merchant.call('GET', `/subscriptions?plan_id=${this.dearerPlanId}`);
    const lists = await Promise.all(
      [call, changed].map((request) => expectAnswer<{ data: Subscription[] }>(request, 200)),
    );
    return lists.flatMap(({ data }) => data);
  }

  async now(): Promise<Subscription> {
    const [subscription, ...others] = await this.all();
    if (subscription === undefined || others.length > 0) throw new Error('there is one subscription');
    return subscription;
  }

  async simulateNext(days: number): Promise<void> {
    const { id, created_at } = await this.now();
    const body = { advance_to: new Date(Date.parse(created_at) + days * DAY_MS).toISOString() };
    await expectAnswer({ ...this.merchant.call('POST', `/subscriptions/${id}/clock`), body }, 200);
  }

  /** What is wrong once nothing is under way any more: it was charged these amounts, and told of this. */
  async wrongs(times: number, told: readonly string[]): Promise<string[]> {
    await waitFor(
      async () => {
        const { clock, pending_action, status } = await this.now();
        return (clock === null || clock.reached) && pending_action === null && status === 'active';
      },
      { what: 'the subscription to settle', withinMs: SETTLED_WITHIN_MS, everyMs: 100 },
    );
    const { id } = await this.now();
    const payments = await this.stack.db.query<{ id: string; status: string; ofCycle: boolean }>(
      `SELECT transaction_id AS id, status, billing_cycle_id IS NOT NULL AS "ofCycle"
         FROM payments WHERE subscription_id = $1 ORDER BY id`,
      [id],
    );
    const ledgers = await Promise.all(payments.map((payment) => this.stack.simulator.ledger(payment.id)));
    const taken = ledgers.filter(({ totals }) => totals.captured > 0 && totals.refunded === 0);
    const list = await expectAnswer<Schemas['EventList']>(this.merchant.call('GET', '/events'), 200);
    const events = list.data.flatMap(({ body }) => ('plan_id' in body ? [body.event] : []));
    return [
      ...expectSame(
        'payments',
        payments.map(({ status }) => status),
        Array(times).fill('approved'),
      ),
      ...expectSame('charges that took money', taken.length, times),
      ...expectSame(
        'events',
        events.map((event) => event.replace('subscription.', '')),
        told,
      ),
    ];
  }
}

const BEGUN = ['created', 'payment.success', 'activated'];

/** The worker that carries a subscription through its renewal is killed there. */
export function renewalStory(failpoint: FailpointName): Story {
  return {
    title: `a worker killed at ${failpoint} of a renewal: the cycle is charged once, and told of once`,
    hurts: 'worker',
    sendsAgain: false,
    prepare: async ({ stack }) => {
      const subscribed = await Subscribed.prepare(stack);
      await subscribed.created();
      return {
        orders: [],
        strike: () => killAt(stack, failpoint, subscribed, WORKERS, () => subscribed.simulateNext(8)),
        wrongs: () => subscribed.wrongs(2, [...BEGUN, 'payment.success']),
      };
    },
  };
}

const created: Story = {
  title: 'the API killed after the commit of a subscription: it is charged once, and its key has it',
  hurts: 'api',
  sendsAgain: false,
  prepare: async ({ stack }) => {
    const subscribed = await Subscribed.prepare(stack);
    return {
      orders: [],
      strike: () => killAt(stack, 'subscription-committed', subscribed, ['api'], () => subscribed.created()),
      wrongs: async () => {
        await subscribed.created();
        return subscribed.wrongs(1, BEGUN);
      },
    };
  },
};

const planChanged: Story = {
  title: 'the API killed after the commit of a plan change: it is charged and made once',
  hurts: 'api',
  sendsAgain: false,
  prepare: async ({ stack }) => {
    const subscribed = await Subscribed.prepare(stack);
    await subscribed.created();
    return {
      orders: [],
      strike: () =>
        killAt(stack, 'subscription-command-committed', subscribed, ['api'], () => subscribed.planChanged()),
      wrongs: async () => {
        await subscribed.planChanged();
        return subscribed.wrongs(2, [...BEGUN, 'plan_changed']);
      },
    };
  },
};

export const subscriptionStories: readonly Story[] = [
  ...(
    ['subscription-step', 'subscription-step-committed', 'gateway-answered', 'outcome-committed'] as const
  ).map(renewalStory),
  created,
  planChanged,
];
