import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { components } from '../../../src/http/generated/openapi';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { olderTransactionsEnded } from '../../support/stack/older-transactions';
import { sendCommand, type CommandName } from './command-requests';
import { waitFor } from '../../support/stack/wait-for';
import { APPROVED_CARD, rawCard } from '../../support/fixtures/payments';

type Schemas = components['schemas'];
export type Subscription = Schemas['Subscription'];
export type SubscriptionEventBody = Schemas['SubscriptionEventBody'];

const ZONE = 'America/Sao_Paulo';
const WAIT_OPTIONS = { withinMs: 50_000 };

/** The running service and the API client of a registered merchant. */
export interface SubscriptionMerchant {
  readonly api: EngineApi;
  readonly client: ApiClient;
}

export async function startMerchant(
  settings: Record<string, string> = {},
  gateways?: readonly GatewaySlug[],
): Promise<SubscriptionMerchant> {
  const api = await startEngineApi(settings);
  return { api, client: await registerWithGateways(api, gateways) };
}

export async function newPlan(
  client: ApiClient,
  change: Partial<Schemas['PlanRequest']> = {},
): Promise<Schemas['Plan']> {
  const body = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'weekly', ...change };
  return expectStatus(await client('createPlan', { body }), 201).body.data;
}

/** A creation request for a new customer, by default with an approved card. */
export function subscriptionBody(planId: string, change: object = {}) {
  return {
    plan_id: planId,
    customer: { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' },
    card: rawCard(APPROVED_CARD),
    ...change,
  };
}

/** A subscription under test, with its test clock. */
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

  /** Sends a command that is executed at once. */
  async command(name: CommandName, body?: object): Promise<void> {
    expectStatus(await sendCommand(this.client, this.id, name, body), 200);
  }

  async current(): Promise<Subscription> {
    return expectStatus(await this.client('getSubscription', { params: { uuid: this.id } }), 200).body.data;
  }

  /** That many days after creation, at the same local time. */
  dayAfter(days: number): string {
    return DateTime.fromISO(this.created.created_at, { zone: ZONE }).plus({ days }).toUTC().toISO() ?? '';
  }

  /** Advances the clock to one hour past `dayAfter(days)` and waits until everything due by then is settled. */
  async advanceDays(days: number): Promise<Subscription> {
    const advance_to = new Date(Date.parse(this.dayAfter(days)) + 3_600_000).toISOString();
    return this.advanceTo(advance_to);
  }

  async advanceTo(advance_to: string, { withinMs } = WAIT_OPTIONS): Promise<Subscription> {
    const params = { uuid: this.id };
    expectStatus(await this.client('moveSubscriptionClock', { params, body: { advance_to } }), 200);
    return waitFor(
      async () => {
        const present = await this.current();
        return present.clock?.target === advance_to && present.clock.reached ? present : null;
      },
      { what: `${this.id} at ${advance_to}`, withinMs, everyMs: 100 },
    );
  }

  /** Its events in order. */
  async events(): Promise<SubscriptionEventBody[]> {
    const events: SubscriptionEventBody[] = [];
    await olderTransactionsEnded();
    for (let after: string | undefined; ;) {
      const query = after === undefined ? {} : { after };
      const { body } = expectStatus(await this.client('listEvents', { query }), 200);
      for (const { body: event } of body.data) {
        if ('subscription_id' in event && 'plan_id' in event && event.subscription_id === this.id) {
          events.push(event);
        }
      }
      if (!body.meta.has_more || body.meta.next_after === null) break;
      after = body.meta.next_after;
    }
    return events;
  }

  /**
   * Its events as `+7 payment.success`, with the whole days since creation. Not the days of the calendar: a charge that is
   * spread over half an hour would be on another one if the test runs shortly before midnight.
   */
  async log(): Promise<string[]> {
    const events = await this.events();
    const start = DateTime.fromISO(this.created.created_at, { zone: ZONE });
    return events.map(({ event, occurred_at: at }) => {
      const { days } = DateTime.fromISO(at, { zone: ZONE }).diff(start, 'days');
      return `+${Math.floor(days)} ${event.replace('subscription.', '')}`;
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

/** The subscription after a command. */
export async function withCommand(
  subscription: TestSubscription,
  name: CommandName,
  body?: object,
): Promise<TestSubscription> {
  await subscription.command(name, body);
  return subscription;
}

/** The subscription that many days after its creation. */
export async function advanced(subscription: TestSubscription, days: number): Promise<TestSubscription> {
  await subscription.advanceDays(days);
  return subscription;
}
