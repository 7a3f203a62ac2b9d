import { randomUUID } from 'node:crypto';
import type { components } from '../../../src/http/generated/openapi';
import { uniqueAmount } from '../../support/scenarios/pay';
import { rawCard } from '../../support/fixtures/payments';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import type { EngineApi } from '../support/engine-api';

type Schemas = components['schemas'];
export type PaymentLinkBody = Schemas['PaymentLink'];
export type CheckoutSessionBody = Schemas['CheckoutSession'];

export const BUYER = { full_name: 'Joana Lima', email: 'joana@example.com', cpf_cnpj: '39053344705' };

export async function newLink(client: ApiClient, change: object = {}): Promise<PaymentLinkBody> {
  const body = { name: 'Ceramics workshop', type: 'one_time', amount: uniqueAmount(), ...change };
  return expectStatus(await client('createPaymentLink', { body }), 201).body.data;
}

/** The company’s slug and the link’s slug from the link’s URL. */
export function slugsOf({ checkout_url: url }: PaymentLinkBody): { companySlug: string; linkSlug: string } {
  const [companySlug = '', linkSlug = ''] = new URL(url).pathname.split('/').slice(2);
  return { companySlug, linkSlug };
}

/** A buyer in a checkout session; concurrent calls act as several tabs. */
export class CheckoutVisit {
  readonly browser: ApiClient;

  private constructor(
    readonly session: CheckoutSessionBody,
    baseUrl: string,
  ) {
    this.browser = apiClient(baseUrl, { 'X-Checkout-Token': session.token });
  }

  static async atLink(
    api: Pick<EngineApi, 'anonymous' | 'baseUrl'>,
    link: PaymentLinkBody,
    change: object = {},
  ) {
    const request = { params: slugsOf(link), body: { ...BUYER, ...change } };
    const { body } = expectStatus(await api.anonymous('createLinkSession', request), 201);
    return new CheckoutVisit(body, api.baseUrl);
  }

  /** Opens a session of the company, without a link. */
  static async ofCompany(
    api: Pick<EngineApi, 'baseUrl'>,
    client: ApiClient,
    change: object = {},
  ): Promise<CheckoutVisit> {
    const body = { type: 'one_time', amount: uniqueAmount(), ...change };
    return new CheckoutVisit(
      expectStatus(await client('createCheckoutSession', { body }), 201).body,
      api.baseUrl,
    );
  }

  payByCard(number: string, key: string = randomUUID(), change: object = {}) {
    return this.pay({ payment_method: 'card', card: rawCard(number), ...change }, key);
  }

  payByPix(key: string = randomUUID()) {
    return this.pay({ payment_method: 'pix' }, key);
  }

  pay(body: object, key: string = randomUUID()) {
    return this.browser('payCheckout', { body, headers: { 'Idempotency-Key': key } });
  }

  getSession() {
    return this.browser('getCheckoutSession');
  }
}

/** The status and code of an error response. */
export function errorOf(answer: { readonly status: number; readonly body: unknown }): [number, unknown] {
  const { code } = answer.body as { readonly code?: string };
  return [answer.status, code];
}
