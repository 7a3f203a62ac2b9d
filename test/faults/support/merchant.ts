import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import luhn from 'card-validator/dist/luhn-10';
import type { GatewaySlug } from '../../../src/domain/gateway-slug';
import type { PaymentBody } from '../../../src/presenters/payment';
import type { FaultStack } from './fault-stack';

/** What one request was answered; nothing when the connection broke or the client lost its patience. */
export type Answer =
  | { readonly kind: 'none'; readonly why: string; readonly at: number }
  | {
      readonly kind: 'http';
      readonly status: number;
      readonly text: string;
      readonly replayed: boolean;
      readonly retryAfter: string | null;
      readonly at: number;
      readonly tookMs: number;
    };

/** A capture, cancel or refund of a purchase: one key and one body, however often it is posted. */
export interface Operation {
  readonly order: Order;
  readonly kind: 'capture' | 'cancel' | 'refund';
  readonly key: string;
  readonly answers: Answer[];
}

/** One purchase: one key and one body, however often it is posted. Its amount is unique, so that the ledger alone tells its charges. */
export interface Order {
  readonly merchant: Merchant;
  readonly key: string;
  readonly amount: number;
  readonly path: '/payments/card' | '/payments/pix';
  readonly body: Readonly<Record<string, unknown>>;
  readonly answers: Answer[];
}

export interface OrderOptions {
  readonly capture?: boolean;
  readonly gatewayFirstTry?: GatewaySlug;
  readonly method?: 'card' | 'pix';
}

/** Longer than the service makes a caller wait. */
const PATIENCE_MS = 18_000;
const RESEND_AFTER_MS = 150;

/** Every card number and secret of a run begins like this: a search for two words finds any of them. */
export const CANARY = {
  cardPrefix: `4${randomInt(1_000_000, 10_000_000)}`,
  secretPrefix: `sk_canary${randomUUID().replaceAll('-', '')}`,
};

let lastAmount = 10_000;

/** A merchant's backend: it posts with an idempotency key and posts again until it has a result. */
export class Merchant {
  private constructor(
    private readonly apiUrl: string,
    readonly clientId: string,
    readonly apiKey: string,
  ) {}

  /** Registers a company with these gateways in this order; `clientId` where the deployment's settings name one. */
  static async register(
    stack: FaultStack,
    gateways: readonly GatewaySlug[],
    clientId?: string,
  ): Promise<Merchant> {
    const registered = await send(stack.apiUrl, 'POST', '/company/register', {}, { name: 'Loja de Teste' });
    const { credentials } = JSON.parse(registered.text) as {
      credentials: { client_id: string; api_key: string };
    };
    if (clientId !== undefined) {
      await stack.db.query('UPDATE companies SET client_id = $2 WHERE client_id = $1', [
        credentials.client_id,
        clientId,
      ]);
    }
    const merchant = new Merchant(stack.apiUrl, clientId ?? credentials.client_id, credentials.api_key);
    const saved = await send(stack.apiUrl, 'PUT', '/company/gateways', merchant.credentials(), {
      gateways: gateways.map((slug, index) => ({
        gateway_slug: slug,
        secret_key: `${CANARY.secretPrefix}_${slug}`,
        order: index + 1,
      })),
    });
    if (saved.status !== 200) throw new Error(`the gateways were not saved: ${saved.text}`);
    return merchant;
  }

  order({ capture = true, gatewayFirstTry, method = 'card' }: OrderOptions = {}): Order {
    const amount = (lastAmount += 1);
    const body = {
      merchant_order_id: `order-${amount}`,
      amount,
      currency: 'BRL',
      ...(gatewayFirstTry === undefined ? {} : { gateway_first_try: gatewayFirstTry }),
      customer: { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' },
      ...(method === 'card' ? cardFields(capture) : {}),
    };
    return { merchant: this, key: randomUUID(), amount, path: `/payments/${method}`, body, answers: [] };
  }

  operation(order: Order, kind: Operation['kind']): Operation {
    return { order, kind, key: randomUUID(), answers: [] };
  }

  /** Posts once. */
  post(order: Order, change: object = {}): Promise<Answer> {
    return this.ask(order.path, order.key, { ...order.body, ...change });
  }

  /** Asks for it once. */
  request({ order, kind, key }: Operation): Promise<Answer> {
    const { transaction_id: id } = resultOf(order) ?? { transaction_id: 'unknown' };
    return this.ask(`/payments/${id}/${kind}`, key, {});
  }

  /** Posts, and posts again after every error, timeout and 202, until there is a result or `signal` says stop. */
  pay(order: Order, signal?: AbortSignal): Promise<void> {
    return untilAnswered(order.answers, () => this.post(order), signal);
  }

  /** The same for an operation on a payment. */
  carryOut(operation: Operation): Promise<void> {
    return untilAnswered(operation.answers, () => this.request(operation));
  }

  async find(transactionId: string): Promise<PaymentBody> {
    const { status, text } = await send(this.apiUrl, 'GET', `/payments/${transactionId}`, this.credentials());
    if (status !== 200) throw new Error(`GET /payments/${transactionId} answered ${status}: ${text}`);
    return JSON.parse(text) as PaymentBody;
  }

  private async ask(path: string, key: string, body: object): Promise<Answer> {
    try {
      return await send(this.apiUrl, 'POST', path, { ...this.credentials(), 'idempotency-key': key }, body);
    } catch (error) {
      return { kind: 'none', why: error instanceof Error ? error.name : 'unknown', at: Date.now() };
    }
  }

  private credentials(): Record<string, string> {
    return { 'x-client-id': this.clientId, 'x-api-key': this.apiKey };
  }
}

/** The result the merchant was given; undefined while there is none. */
export function resultOf({ answers }: Order): PaymentBody | undefined {
  return settledIn(answers);
}

/** Where a payment stands by the answer that settled an operation on it; undefined while there is none. */
export function outcomeOf({ answers }: Operation): PaymentBody | undefined {
  return settledIn(answers);
}

function settledIn(answers: readonly Answer[]): PaymentBody | undefined {
  const settled = answers.find((answer) => answer.kind === 'http' && answer.status === 200);
  return settled?.kind === 'http' ? (JSON.parse(settled.text) as PaymentBody) : undefined;
}

async function untilAnswered(
  answers: Answer[],
  post: () => Promise<Answer>,
  signal?: AbortSignal,
): Promise<void> {
  while (signal?.aborted !== true) {
    const answer = await post();
    answers.push(answer);
    if (answer.kind === 'http' && answer.status !== 202 && answer.status < 500) return;
    await delay(RESEND_AFTER_MS);
  }
}

async function send(
  apiUrl: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Extract<Answer, { kind: 'http' }>> {
  const begun = Date.now();
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  return {
    kind: 'http',
    status: response.status,
    text,
    replayed: response.headers.get('idempotency-replayed') === 'true',
    retryAfter: response.headers.get('retry-after'),
    at: Date.now(),
    tookMs: Date.now() - begun,
  };
}

function cardFields(capture: boolean): object {
  return {
    payment_method: 'card',
    capture,
    card: {
      number: canaryCard(),
      holder_name: 'MARIA SOUZA',
      expire_month: 12,
      expire_year: 2035,
      cvv: String(randomInt(1_000, 10_000)),
    },
    billing_address: {
      street: 'Rua das Flores',
      number: '10',
      neighborhood: 'Centro',
      city: 'Curitiba',
      state: 'PR',
      zip_code: '80000000',
      country: 'BR',
    },
  };
}

function canaryCard(): string {
  const body = CANARY.cardPrefix + String(randomInt(10_000_000)).padStart(7, '0');
  const numbers = Array.from({ length: 10 }, (_, digit) => `${body}${digit}`);
  return numbers.find((number) => luhn(number)) ?? body;
}
