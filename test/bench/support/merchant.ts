import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { OrderToPay } from './payment-bodies';

export interface PaymentAnswer {
  readonly transaction_id: string;
  readonly status: string;
}

const MAX_CONNECTIONS = 256;
/** Ids tell runs apart, and the floor's from the engine's. */
export const RUN = randomUUID().slice(0, 8);

/** A merchant's HTTP client: it keeps its connections, and sends each request with a key of its own, as it is told to. */
export class Merchant {
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

  nextOrder(): OrderToPay {
    this.orders += 1;
    const number = this.orders;
    return { number, orderId: `bench-${RUN}-${number}`, amountCents: 1_000 + (number % 50_000) };
  }

  /** Throws unless it is answered at once, with this status. */
  async post(path: string, body: object, expected: string): Promise<PaymentAnswer> {
    const { statusCode, text } = await this.send(path, body);
    const answer = statusCode === 200 ? (JSON.parse(text) as Partial<PaymentAnswer>) : {};
    const { transaction_id, status } = answer;
    if (transaction_id === undefined || status !== expected) {
      throw new Error(`${path} was answered ${statusCode}: ${text}`);
    }
    return { transaction_id, status };
  }

  /** A plan with a trial of a year; its id. */
  async newPlan(): Promise<string> {
    const rhythm = { interval: 'monthly', trial_period_days: 365 };
    const body = { name: 'Bench', amount: 4_990, currency: 'BRL', ...rhythm };
    return this.create('/subscriptions/plans', body);
  }

  /** The new subscription's id. */
  subscribe(body: object): Promise<string> {
    return this.create('/subscriptions', body);
  }

  private async create(path: string, body: object): Promise<string> {
    const { statusCode, text } = await this.send(path, body);
    if (statusCode !== 201) throw new Error(`${path} was answered ${statusCode}: ${text}`);
    return (JSON.parse(text) as { data: { id: string } }).data.id;
  }

  private async send(path: string, body: object): Promise<{ statusCode: number; text: string }> {
    const { statusCode, body: answer } = await this.pool.request({
      method: 'POST',
      path: `${this.basePath}${path}`,
      headers: { ...this.headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    });
    return { statusCode, text: await answer.text() };
  }
}
