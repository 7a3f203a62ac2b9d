import { randomInt, randomUUID } from 'node:crypto';
import luhn from 'card-validator/dist/luhn-10';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentBody } from '../../../src/presenters/payment';
import { paymentRequest, rawCard } from '../../support/fixtures/payments';
import { expectAnswer, resultIn, send, untilAnswered, type Answer } from './answers';
import type { FaultStack } from './fault-stack';

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

/** What a merchant's company is known by. */
export interface Credentials {
  readonly client_id: string;
  readonly api_key: string;
}

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
    readonly companyId: number,
    private readonly company: Credentials,
  ) {}

  get apiKey(): string {
    return this.company.api_key;
  }

  /** A company with these gateways in this order; `clientId` where the deployment's settings name one. */
  static async register(
    stack: FaultStack,
    gateways: readonly GatewaySlug[],
    clientId?: string,
  ): Promise<Merchant> {
    const { credentials } = await expectAnswer<{ credentials: Credentials }>(
      { method: 'POST', url: `${stack.apiUrl}/company/register`, body: { name: 'Loja de Teste' } },
      200,
    );
    return Merchant.of(stack, credentials, gateways, clientId);
  }

  /** The same for a company that is registered already. */
  static async of(
    stack: FaultStack,
    company: Credentials,
    gateways: readonly GatewaySlug[],
    clientId = company.client_id,
  ): Promise<Merchant> {
    const row = await stack.db.queryOne<{ id: number }>(
      'UPDATE companies SET client_id = $2 WHERE client_id = $1 RETURNING id',
      [company.client_id, clientId],
    );
    if (row === null) throw new Error('the company is not registered');
    const merchant = new Merchant(stack.apiUrl, row.id, { ...company, client_id: clientId });
    await expectAnswer({ ...merchant.call('PUT', '/company/gateways'), body: canaryGateways(gateways) }, 200);
    return merchant;
  }

  order({ capture = true, gatewayFirstTry, method = 'card' }: OrderOptions = {}): Order {
    const amount = (lastAmount += 1);
    const { currency, customer } = paymentRequest();
    const body = {
      merchant_order_id: `order-${amount}`,
      amount,
      currency,
      ...(gatewayFirstTry === undefined ? {} : { gateway_first_try: gatewayFirstTry }),
      customer,
      ...(method === 'card' ? cardFields(capture) : {}),
    };
    return { merchant: this, key: randomUUID(), amount, path: `/payments/${method}`, body, answers: [] };
  }

  operation(order: Order, kind: Operation['kind']): Operation {
    return { order, kind, key: randomUUID(), answers: [] };
  }

  /** Posts once. */
  post({ path, key, body }: Order): Promise<Answer> {
    return send({ ...this.call('POST', path, key), body });
  }

  /** Asks for it once. */
  request({ order, kind, key }: Operation): Promise<Answer> {
    const { transaction_id: id } = resultOf(order) ?? { transaction_id: 'unknown' };
    return send({ ...this.call('POST', `/payments/${id}/${kind}`, key), body: {} });
  }

  /** Posts, and posts again after every error, timeout and 202, until there is a result or `signal` says stop. */
  async pay(order: Order, signal?: AbortSignal): Promise<void> {
    await untilAnswered(() => this.post(order), order.answers, signal);
  }

  /** The same for an operation on a payment. */
  async carryOut(operation: Operation): Promise<void> {
    await untilAnswered(() => this.request(operation), operation.answers);
  }

  /** Once more, afterwards: what it is answered when nothing is in the way. `change` makes it another request. */
  postAgain(order: Order, change: object = {}): Promise<Answer> {
    return untilAnswered(() => this.post({ ...order, body: { ...order.body, ...change } }));
  }

  requestAgain(operation: Operation): Promise<Answer> {
    return untilAnswered(() => this.request(operation));
  }

  find(transactionId: string): Promise<PaymentBody> {
    return expectAnswer<PaymentBody>(this.call('GET', `/payments/${transactionId}`), 200);
  }

  /** A request of its own, with its keys. */
  call<Method extends string>(method: Method, path: string, key?: string) {
    const { client_id, api_key } = this.company;
    return {
      method,
      url: `${this.apiUrl}${path}`,
      headers: {
        'x-client-id': client_id,
        'x-api-key': api_key,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
    };
  }
}

/** The result the merchant was given; undefined while there is none. */
export function resultOf({ answers }: Pick<Order, 'answers'>): PaymentBody | undefined {
  const result = resultIn(answers);
  return result && (JSON.parse(result.text) as PaymentBody);
}

/** The payment's id, once it has its result. */
export function idOf(order: Order): string {
  const result = resultOf(order);
  if (result === undefined) throw new Error(`the order of ${order.amount} has no result`);
  return result.transaction_id;
}

function canaryGateways(slugs: readonly GatewaySlug[]): object {
  const gateways = slugs.map((slug, index) => ({
    gateway_slug: slug,
    secret_key: `${CANARY.secretPrefix}_${slug}`,
    order: index + 1,
  }));
  return { gateways };
}

function cardFields(capture: boolean): object {
  const { payment_method, billing_address } = paymentRequest();
  const card = { ...rawCard(canaryCard()), cvv: String(randomInt(1_000, 10_000)) };
  return { payment_method, capture, card, billing_address };
}

function canaryCard(): string {
  const body = CANARY.cardPrefix + String(randomInt(10_000_000)).padStart(7, '0');
  const numbers = Array.from({ length: 10 }, (_, digit) => `${body}${digit}`);
  return numbers.find((number) => luhn(number)) ?? body;
}
