import { randomUUID } from 'node:crypto';
import type { components } from '../../../src/http/generated/openapi';
import type { FailpointName } from '../../../src/failpoints';
import { APPROVED_CARD, paymentRequest, rawCard } from '../../support/fixtures/payments';
import { Merchant } from '../../support/merchant/merchant';
import { expectResponse, send, sendUntilFinal, type SendOutcome } from '../../support/merchant/requests';
import { waitFor } from '../../support/stack/wait-for';
import { WORKERS, type FaultStack } from './fault-stack';
import { freezeAt } from './frozen-scenarios';
import { expectEqual, killAt, type FailpointScenario } from './scenario';
import { advanceClock } from '../../support/subscriptions/advance-clock';

type Schemas = components['schemas'];

/** Includes the restart of the killed process on a busy machine. */
const SETTLED_WITHIN_MS = 100_000;
const DAY_MS = 86_400_000;

let lastAmount = 5_000_000;

/** A weekly subscription of its own merchant, with unique amounts. Each request has one idempotency key. */
class SubscriptionCase {
  private constructor(
    private readonly stack: FaultStack,
    readonly merchant: Merchant,
    readonly planId: string,
    readonly expensivePlanId: string,
    readonly amount: number,
  ) {}

  private readonly key = randomUUID();
  private readonly changeKey = randomUUID();

  static async prepare(stack: FaultStack): Promise<SubscriptionCase> {
    const merchant = await Merchant.register(stack, ['gateway_1']);
    const amount = (lastAmount += 1);
    const [plan, expensivePlan] = await Promise.all(
      [amount, 3 * amount].map(async (cents) => {
        const body = { name: 'Gold', amount: cents, currency: 'BRL', interval: 'weekly' };
        const request = { ...merchant.authorizedRequest('POST', '/subscriptions/plans'), body };
        return (await expectResponse<{ data: { id: string } }>(request, 201)).data.id;
      }),
    );
    if (plan === undefined || expensivePlan === undefined) throw new Error('a plan is missing');
    return new SubscriptionCase(stack, merchant, plan, expensivePlan, amount);
  }

  /** Sends the request until its response is final. */
  async create(): Promise<void> {
    await sendUntilFinal(() => this.sendCreation());
  }

  /** Sends the request until its response is final. */
  async changePlan(): Promise<void> {
    await sendUntilFinal(() => this.sendPlanChange());
  }

  async current(): Promise<Schemas['Subscription']> {
    const lists = await Promise.all(
      [this.planId, this.expensivePlanId].map((planId) =>
        expectResponse<{ data: Array<Schemas['Subscription']> }>(
          this.merchant.authorizedRequest('GET', `/subscriptions?plan_id=${planId}`),
          200,
        ),
      ),
    );
    const [subscription, ...others] = lists.flatMap(({ data }) => data);
    if (subscription === undefined || others.length > 0) throw new Error('there is not one subscription');
    return subscription;
  }

  /** Advances the subscription's test clock to this many days after its creation. */
  async advanceClock(days: number): Promise<void> {
    const { id, created_at } = await this.current();
    await advanceClock(this.merchant, id, new Date(Date.parse(created_at) + days * DAY_MS));
  }

  /** Waits until nothing is pending. Then the subscription must have been charged `times` and have sent these events. */
  async findViolations(times: number, events: readonly string[]): Promise<string[]> {
    await this.waitUntilSettled();
    const { id } = await this.current();
    const payments = await this.stack.db.query<{ id: string; status: string }>(
      'SELECT transaction_id AS id, status FROM payments WHERE subscription_id = $1 ORDER BY id',
      [id],
    );
    const ledgers = await Promise.all(payments.map((payment) => this.stack.simulator.ledger(payment.id)));
    const captured = ledgers.filter(({ totals }) => totals.captured > 0 && totals.refunded === 0);
    const list = await expectResponse<Schemas['EventList']>(
      this.merchant.authorizedRequest('GET', '/events'),
      200,
    );
    const sent = list.data.flatMap(({ body }) => ('plan_id' in body ? [body.event] : []));
    return [
      ...expectEqual(
        'payments',
        payments.map(({ status }) => status),
        Array(times).fill('approved'),
      ),
      ...expectEqual('captured charges', captured.length, times),
      ...expectEqual(
        'events',
        sent.map((event) => event.replace('subscription.', '')),
        events,
      ),
    ];
  }

  async waitUntilSettled(): Promise<void> {
    await waitFor(
      async () => {
        const { id, clock, pending_action, status } = await this.current();
        // The test clock does not wait for a charge whose outcome stays unknown.
        const open = `SELECT 1 FROM billing_cycles c JOIN subscriptions s ON s.id = c.subscription_id
                       WHERE s.uuid = $1 AND c.status = 'open'`;
        const isCharging = (await this.stack.db.query(open, [id])).length > 0;
        return (
          !isCharging && (clock === null || clock.reached) && pending_action === null && status === 'active'
        );
      },
      { what: 'the subscription to settle', withinMs: SETTLED_WITHIN_MS, everyMs: 100 },
    );
  }

  private sendCreation(): Promise<SendOutcome> {
    const { customer, billing_address } = paymentRequest();
    const body = { plan_id: this.planId, customer, billing_address, card: rawCard(APPROVED_CARD) };
    return send({ ...this.merchant.authorizedRequest('POST', '/subscriptions', this.key), body });
  }

  private async sendPlanChange(): Promise<SendOutcome> {
    const { id } = await this.current();
    const body = { plan_id: this.expensivePlanId };
    const path = `/subscriptions/${id}/plan`;
    return send({ ...this.merchant.authorizedRequest('PATCH', path, this.changeKey), body });
  }
}

const ACTIVATION_EVENTS = ['created', 'payment.success', 'activated'];

/** The worker that processes a renewal is killed at the failpoint. */
export function renewalScenario(failpoint: FailpointName): FailpointScenario {
  return {
    title: `a worker killed at ${failpoint} of a renewal: the cycle is charged once and notified once`,
    affects: 'worker',
    resends: false,
    prepare: async ({ stack }) => {
      const subscription = await SubscriptionCase.prepare(stack);
      await subscription.create();
      return {
        orders: [],
        injectFault: () =>
          killAt(stack, failpoint, subscription, WORKERS, () => subscription.advanceClock(8)),
        findViolations: () => subscription.findViolations(2, [...ACTIVATION_EVENTS, 'payment.success']),
      };
    },
  };
}

/** The worker freezes at the failpoint, and resumes after another one has taken over. It needs a stack with proxies. */
function frozenRenewalScenario(failpoint: FailpointName): FailpointScenario {
  return {
    title: `a worker frozen at ${failpoint} of a renewal until another one has charged it: it sends and changes nothing`,
    affects: 'all',
    resends: false,
    prepare: async ({ stack }) => {
      const subscription = await SubscriptionCase.prepare(stack);
      await subscription.create();
      return {
        orders: [],
        injectFault: () =>
          freezeAt(stack, failpoint, subscription, WORKERS, {
            send: () => subscription.advanceClock(8),
            waitUntilTakenOver: () => subscription.waitUntilSettled(),
          }),
        findViolations: () => subscription.findViolations(2, [...ACTIVATION_EVENTS, 'payment.success']),
      };
    },
  };
}

const created = crashScenario({
  title: 'the API killed after the commit of a subscription: it is charged once, and its key returns it',
  failpoint: 'subscription-committed',
  send: (subscription) => subscription.create(),
  payments: 1,
  events: ACTIVATION_EVENTS,
});

const planChanged = crashScenario({
  title: 'the API killed after the commit of a plan change: it is charged once and applied once',
  failpoint: 'subscription-command-committed',
  prepare: (subscription) => subscription.create(),
  send: (subscription) => subscription.changePlan(),
  payments: 2,
  events: [...ACTIVATION_EVENTS, 'payment.success', 'plan_changed'],
});

interface SubscriptionCrash {
  readonly title: string;
  readonly failpoint: FailpointName;
  readonly prepare?: (subscription: SubscriptionCase) => Promise<void>;
  /** Sends the request until its response is final; with the same key every time. */
  readonly send: (subscription: SubscriptionCase) => Promise<void>;
  /** The expected number of payments. */
  readonly payments: number;
  readonly events: readonly string[];
}

/** The API is killed during the request. */
function crashScenario({
  title,
  failpoint,
  prepare,
  send: sendRequest,
  payments,
  events,
}: SubscriptionCrash): FailpointScenario {
  return {
    title,
    affects: 'api',
    resends: false,
    prepare: async ({ stack }) => {
      const subscription = await SubscriptionCase.prepare(stack);
      await prepare?.(subscription);
      return {
        orders: [],
        injectFault: () => killAt(stack, failpoint, subscription, ['api'], () => sendRequest(subscription)),
        findViolations: async () => {
          await sendRequest(subscription);
          return subscription.findViolations(payments, events);
        },
      };
    },
  };
}

export const subscriptionScenarios: readonly FailpointScenario[] = [
  ...(
    [
      'subscription-step',
      'subscription-step-committed',
      'first-attempt-started',
      'attempt-claimed',
      'charge-prepared',
      'gateway-answered',
      'outcome-committed',
      'subscription-charge-settled',
    ] as const
  ).map(renewalScenario),
  ...(
    ['subscription-step-committed', 'charge-prepared', 'gateway-answered', 'outcome-committed'] as const
  ).map(frozenRenewalScenario),
  created,
  planChanged,
];
