import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { BenchOrder } from './payment-bodies';

export interface AnsweredPayment {
  readonly transaction_id: string;
  readonly status: string;
}

const MAX_CONNECTIONS = 256;
/** Part of the order ids and workflow ids, so that those of different runs differ. */
export const RUN_ID = randomUUID().slice(0, 8);

/** An HTTP client for a load: keeps its connections open, and sends each request once, with its own idempotency key. */
export class LoadClient {
  private readonly pool: Pool;
  private readonly basePath: string;
  private orders = 0;

  constructor(
    baseUrl: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {
    const { origin, pathname } = new URL(baseUrl);
    this.pool = new Pool(origin, { connections: MAX_CONNECTIONS });
    this.basePath = pathname === '/' ? '' : pathname;
  }

  nextOrder(): BenchOrder {
    this.orders += 1;
    const number = this.orders;
    return { number, orderId: `bench-${RUN_ID}-${number}`, amountCents: 1_000 + (number % 50_000) };
  }

  /** Throws unless the first response is a 200 with this payment status. */
  async post(path: string, body: object, expected: string): Promise<AnsweredPayment> {
    const { statusCode, text } = await this.send(path, body);
    const payment = statusCode === 200 ? (JSON.parse(text) as Partial<AnsweredPayment>) : {};
    const { transaction_id, status } = payment;
    if (transaction_id === undefined || status !== expected) {
      throw new Error(`${path} responded ${statusCode}: ${text}`);
    }
    return { transaction_id, status };
  }

  /** Creates a plan with a trial of one year; returns its id. */
  async createPlan(): Promise<string> {
    const interval = { interval: 'monthly', trial_period_days: 365 };
    const body = { name: 'Bench', amount: 4_990, currency: 'BRL', ...interval };
    return this.create('/subscriptions/plans', body);
  }

  /** Returns the id of the new subscription. */
  createSubscription(body: object): Promise<string> {
    return this.create('/subscriptions', body);
  }

  private async create(path: string, body: object): Promise<string> {
    const { statusCode, text } = await this.send(path, body);
    if (statusCode !== 201) throw new Error(`${path} responded ${statusCode}: ${text}`);
    return (JSON.parse(text) as { data: { id: string } }).data.id;
  }

  private async send(path: string, body: object): Promise<{ statusCode: number; text: string }> {
    const { statusCode, body: response } = await this.pool.request({
      method: 'POST',
      path: `${this.basePath}${path}`,
      headers: { ...this.headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    });
    return { statusCode, text: await response.text() };
  }
}
