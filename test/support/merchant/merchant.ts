import { randomInt, randomUUID } from 'node:crypto';
import luhn from 'card-validator/dist/luhn-10';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { Database } from '../../../src/persistence/sql/transaction';
import type { PaymentBody } from '../../../src/presenters/payment';
import { paymentRequest, rawCard } from '../fixtures/payments';
import {
  assignClientId,
  credentialHeaders,
  registerCompany,
  saveGateways,
  type ApiCredentials,
  type GatewaySecret,
} from './company';
import { expectResponse, send, sendUntilFinal, successIn, type SendOutcome } from './requests';

/** A capture, cancel or refund of an order. Every send uses the same idempotency key and body. */
export interface MerchantOperation {
  readonly order: MerchantOrder;
  readonly kind: 'capture' | 'cancel' | 'refund';
  readonly key: string;
  readonly outcomes: SendOutcome[];
}

/**
 * A request for one payment. Every send uses the same idempotency key and body. The amount is unique, so that the
 * ledger alone identifies its charges.
 */
export interface MerchantOrder {
  readonly merchant: Merchant;
  readonly key: string;
  readonly amount: number;
  readonly path: '/payments/card' | '/payments/pix';
  readonly body: Readonly<Record<string, unknown>>;
  readonly outcomes: SendOutcome[];
}

export interface OrderOptions {
  readonly capture?: boolean;
  readonly gatewayFirstTry?: GatewaySlug;
  readonly method?: 'card' | 'pix';
}

/** The API under test and the database behind it. */
export interface MerchantTarget {
  /** Including the base path. */
  readonly apiUrl: string;
  readonly db: Database;
}

/** Every card number and gateway secret of a run starts with one of these, so that a search for two strings finds any leak. */
export const CANARY = {
  cardPrefix: `4${randomInt(1_000_000, 10_000_000)}`,
  secretPrefix: `sk_canary${randomUUID().replaceAll('-', '')}`,
};

let lastAmount = 10_000;

/** A merchant's backend: it sends with an idempotency key and resends until it has a final response. */
export class Merchant {
  private constructor(
    private readonly apiUrl: string,
    readonly companyId: number,
    private readonly credentials: ApiCredentials,
  ) {}

  get apiKey(): string {
    return this.credentials.api_key;
  }

  /** Registers a company with these gateways in this order. `clientId` replaces the generated one. */
  static async register(
    target: MerchantTarget,
    gateways: readonly GatewaySlug[],
    clientId?: string,
  ): Promise<Merchant> {
    const credentials = await registerCompany(target.apiUrl, 'Loja de Teste');
    return Merchant.forCompany(target, credentials, gateways, clientId);
  }

  /** The same for a company that is already registered. */
  static async forCompany(
    { apiUrl, db }: MerchantTarget,
    company: ApiCredentials,
    gateways: readonly GatewaySlug[],
    clientId = company.client_id,
  ): Promise<Merchant> {
    const companyId = await assignClientId(db, company, clientId);
    const credentials = { ...company, client_id: clientId };
    await saveGateways(apiUrl, credentials, gatewaysWithCanarySecrets(gateways));
    return new Merchant(apiUrl, companyId, credentials);
  }

  order({ capture = true, gatewayFirstTry, method = 'card' }: OrderOptions = {}): MerchantOrder {
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
    return { merchant: this, key: randomUUID(), amount, path: `/payments/${method}`, body, outcomes: [] };
  }

  operation(order: MerchantOrder, kind: MerchantOperation['kind']): MerchantOperation {
    return { order, kind, key: randomUUID(), outcomes: [] };
  }

  /** Sends the order once. */
  sendOrder({ path, key, body }: MerchantOrder): Promise<SendOutcome> {
    return send({ ...this.authorizedRequest('POST', path, key), body });
  }

  /** Sends the operation once. */
  sendOperation({ order, kind, key }: MerchantOperation): Promise<SendOutcome> {
    const { transaction_id: id } = resultOf(order) ?? { transaction_id: 'unknown' };
    return send({ ...this.authorizedRequest('POST', `/payments/${id}/${kind}`, key), body: {} });
  }

  /** Sends the order until it has a final response or `signal` aborts. */
  async pay(order: MerchantOrder, signal?: AbortSignal): Promise<void> {
    await sendUntilFinal(() => this.sendOrder(order), order.outcomes, signal);
  }

  /** Sends the operation until it has a final response. */
  async operate(operation: MerchantOperation): Promise<void> {
    await sendUntilFinal(() => this.sendOperation(operation), operation.outcomes);
  }

  /** Sends a finished order again, without recording the outcome. `change` makes it a different request. */
  resendOrder(order: MerchantOrder, change: object = {}): Promise<SendOutcome> {
    return sendUntilFinal(() => this.sendOrder({ ...order, body: { ...order.body, ...change } }));
  }

  resendOperation(operation: MerchantOperation): Promise<SendOutcome> {
    return sendUntilFinal(() => this.sendOperation(operation));
  }

  find(transactionId: string): Promise<PaymentBody> {
    return expectResponse<PaymentBody>(this.authorizedRequest('GET', `/payments/${transactionId}`), 200);
  }

  /** A request with the company's credentials and, if given, an idempotency key. */
  authorizedRequest<Method extends string>(method: Method, path: string, key?: string) {
    return {
      method,
      url: `${this.apiUrl}${path}`,
      headers: {
        ...credentialHeaders(this.credentials),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
    };
  }
}

/** The payment as the merchant's first 200 has it; undefined before that. */
export function resultOf({ outcomes }: Pick<MerchantOrder, 'outcomes'>): PaymentBody | undefined {
  const result = successIn(outcomes);
  return result && (JSON.parse(result.text) as PaymentBody);
}

/** Throws before the order has its result. */
export function transactionIdOf(order: MerchantOrder): string {
  const result = resultOf(order);
  if (result === undefined) throw new Error(`the order of ${order.amount} has no result`);
  return result.transaction_id;
}

function gatewaysWithCanarySecrets(slugs: readonly GatewaySlug[]): GatewaySecret[] {
  return slugs.map((slug, index) => ({
    gateway_slug: slug,
    secret_key: `${CANARY.secretPrefix}_${slug}`,
    order: index + 1,
  }));
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
