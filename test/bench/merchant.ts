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
    const response = await this.pool.request({
      method: 'POST',
      path: `${this.basePath}${path}`,
      headers: { ...this.headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    });
    const text = await response.body.text();
    const answer = response.statusCode === 200 ? (JSON.parse(text) as Partial<PaymentAnswer>) : {};
    const { transaction_id, status } = answer;
    if (transaction_id === undefined || status !== expected) {
      throw new Error(`${path} was answered ${response.statusCode}: ${text}`);
    }
    return { transaction_id, status };
  }
}
