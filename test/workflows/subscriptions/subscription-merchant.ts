import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { components } from '../../../src/http/generated/openapi';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { olderTransactionsEnded } from '../../support/stack/older-transactions';
import { waitFor } from '../../support/stack/wait-for';
import { APPROVED_CARD, rawCard } from '../../support/fixtures/payments';

type Schemas = components['schemas'];
export type Subscription = Schemas['Subscription'];
export type SubscriptionEvent = Schemas['SubscriptionEventBody'];

const ZONE = 'America/Sao_Paulo';
const LATER = { withinMs: 50_000 };

/** The service with a shop that sells by subscription. */
export interface SubscriptionShop {
  readonly api: EngineApi;
  readonly client: ApiClient;
}

export async function openShop(settings: Record<string, string> = {}): Promise<SubscriptionShop> {
  const api = await startEngineApi(settings);
  return { api, client: await registerWithGateways(api) };
}

export async function newPlan(
  client: ApiClient,
  change: Partial<Schemas['PlanRequest']> = {},
): Promise<Schemas['Plan']> {
  const body = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'weekly', ...change };
  return expectStatus(await client('createPlan', { body }), 201).body.data;
}

/** A body that subscribes a new customer by a card that is good, unless told otherwise. */
export function subscriptionBody(planId: string, change: object = {}) {
  return {
    plan_id: planId,
    customer: { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' },
    card: rawCard(APPROVED_CARD),
    ...change,
  };
}

/** A subscription under test: it lives as fast as its test moves its clock. */
export class TestSubscription {
  private constructor(
    private readonly client: ApiClient,
    readonly created: Subscription,
  ) {}

  static async create(
    client: ApiClient,
    body: object,
    key: string = randomUUID(),
  ): Promise<TestSubscription> {
    const headers = { 'Idempotency-Key': key };
    const answer = expectStatus(await client('createSubscription', { body, headers }), 201);
    return new TestSubscription(client, answer.body.data);
  }

  get id(): string {
    return this.created.id;
  }

  async now(): Promise<Subscription> {
    return expectStatus(await this.client('getSubscription', { params: { uuid: this.id } }), 200).body.data;
  }

  /** So many days after its creation, at the same time of day. */
  dayAfter(days: number): string {
    return DateTime.fromISO(this.created.created_at, { zone: ZONE }).plus({ days }).toUTC().toISO() ?? '';
  }

  /** Lives on until an hour after that day's anniversary of its creation, and settles everything due by then. */
  async liveTo(days: number): Promise<Subscription> {
    const advance_to = new Date(Date.parse(this.dayAfter(days)) + 3_600_000).toISOString();
    return this.liveUntil(advance_to);
  }

  async liveUntil(advance_to: string, { withinMs } = LATER): Promise<Subscription> {
    const params = { uuid: this.id };
    expectStatus(await this.client('moveSubscriptionClock', { params, body: { advance_to } }), 200);
    return waitFor(
      async () => {
        const present = await this.now();
        return present.clock?.target === advance_to && present.clock.reached ? present : null;
      },
      { what: `${this.id} at ${advance_to}`, withinMs, everyMs: 100 },
    );
  }

  /** What was told of it, in order. */
  async events(): Promise<SubscriptionEvent[]> {
    const events: SubscriptionEvent[] = [];
    await olderTransactionsEnded();
    for (let after: string | undefined; ;) {
      const query = after === undefined ? {} : { after };
      const { body } = expectStatus(await this.client('listEvents', { query }), 200);
      for (const { body: told } of body.data) {
        if ('subscription_id' in told && 'plan_id' in told && told.subscription_id === this.id) {
          events.push(told);
        }
      }
      if (!body.meta.has_more || body.meta.next_after === null) break;
      after = body.meta.next_after;
    }
    return events;
  }

  /** The same as `+7 payment.success`: how many days after its creation, in the company's zone. */
  async log(): Promise<string[]> {
    const events = await this.events();
    const start = DateTime.fromISO(this.created.created_at, { zone: ZONE }).startOf('day');
    return events.map(({ event, occurred_at: at }) => {
      const day = DateTime.fromISO(at, { zone: ZONE }).startOf('day');
      return `+${day.diff(start, 'days').days} ${event.replace('subscription.', '')}`;
    });
  }

  async cycles(page = 1): Promise<Schemas['Cycle'][]> {
    const params = { uuid: this.id };
    const answer = await this.client('listSubscriptionCycles', { params, query: { per_page: 100, page } });
    return expectStatus(answer, 200).body.data.reverse();
  }

  async upcoming(cycles = 12): Promise<Schemas['UpcomingCharge'][]> {
    const answer = await this.client('listUpcomingCharges', { params: { uuid: this.id }, query: { cycles } });
    return expectStatus(answer, 200).body.data;
  }
}
