import { randomUUID } from 'node:crypto';
import type { components } from '../../../src/http/generated/openapi';
import { uniqueAmount } from '../../support/scenarios/pay';
import { rawCard } from '../../support/fixtures/payments';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import type { EngineApi } from '../support/engine-api';

type Schemas = components['schemas'];
export type Link = Schemas['PaymentLink'];
export type Session = Schemas['CheckoutSession'];

export const BUYER = { full_name: 'Joana Lima', email: 'joana@example.com', cpf_cnpj: '39053344705' };

export async function newLink(client: ApiClient, change: object = {}): Promise<Link> {
  const body = { name: 'Ceramics workshop', type: 'one_time', amount: uniqueAmount(), ...change };
  return expectStatus(await client('createPaymentLink', { body }), 201).body.data;
}

/** The two parts of a link's address. */
export function addressOf({ checkout_url: url }: Link): { companySlug: string; linkSlug: string } {
  const [companySlug = '', linkSlug = ''] = new URL(url).pathname.split('/').slice(2);
  return { companySlug, linkSlug };
}

/** One buyer in one session: as many tabs as there are calls. */
export class Visit {
  readonly browser: ApiClient;

  private constructor(
    readonly session: Session,
    baseUrl: string,
  ) {
    this.browser = apiClient(baseUrl, { 'X-Checkout-Token': session.token });
  }

  static async of(api: Pick<EngineApi, 'anonymous' | 'baseUrl'>, link: Link, change: object = {}) {
    const request = { params: addressOf(link), body: { ...BUYER, ...change } };
    const { body } = expectStatus(await api.anonymous('createLinkSession', request), 201);
    return new Visit(body, api.baseUrl);
  }

  /** In a session of the company's own making. */
  static async to(api: Pick<EngineApi, 'baseUrl'>, client: ApiClient, change: object = {}): Promise<Visit> {
    const body = { type: 'one_time', amount: uniqueAmount(), ...change };
    return new Visit(expectStatus(await client('createCheckoutSession', { body }), 201).body, api.baseUrl);
  }

  byCard(number: string, key: string = randomUUID(), change: object = {}) {
    return this.pay({ payment_method: 'card', card: rawCard(number), ...change }, key);
  }

  byPix(key: string = randomUUID()) {
    return this.pay({ payment_method: 'pix' }, key);
  }

  pay(body: object, key: string = randomUUID()) {
    return this.browser('payCheckout', { body, headers: { 'Idempotency-Key': key } });
  }

  look() {
    return this.browser('getCheckoutSession');
  }
}

/** A refusal's status and code. */
export function refusal(answer: { readonly status: number; readonly body: unknown }): [number, unknown] {
  const { code } = answer.body as { readonly code?: string };
  return [answer.status, code];
}
