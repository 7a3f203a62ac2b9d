import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { components } from '../../../src/http/generated/openapi';
import { paymentRequest } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import type { EngineApi } from '../support/engine-api';
import { registerUser } from '../users/user-api';

/** A company with one of its people. */
export interface Shop {
  readonly email: string;
  readonly byKey: ApiClient;
  readonly admin: ApiClient;
}

/** With credentials at these gateways in this order; `calledBack` null: its gateways sign nothing. */
export async function openShop(
  api: EngineApi,
  slugs: readonly GatewaySlug[],
  { calledBack }: { readonly calledBack?: 'signed' | 'unsigned' } = {},
): Promise<Shop> {
  const { email, registered, client: admin } = await registerUser(api);
  const { client_id: clientId, api_key: apiKey } = registered.company;
  const byKey = apiClient(api.baseUrl, { 'X-Client-ID': clientId, 'X-API-Key': apiKey });
  const secret = `sk_test_${randomUUID()}`;
  if (calledBack !== undefined) {
    await api.engine.simulator.setUpAccount(secret, {
      callback_url: `${api.baseUrl}/api/v1`,
      ...(calledBack === 'unsigned' && { webhook_secret: null }),
    });
  }
  const gateways = slugs.map((slug) => ({ gateway_slug: slug, secret_key: secret }));
  expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
  return { email, byKey, admin };
}

/** Long enough for a busy machine: what these tests tell of is not how fast it is. */
export const PATIENT_TIMES = {
  GATEWAY_TIMEOUT: '3',
  SEND_WINDOW: '3',
  ABSENCE_PROVEN_AFTER: '6.5',
  STUCK_AFTER: '8',
  PAYMENT_SYNC_TIMEOUT: '50',
};

/** A charge that gateway_3 makes and never answers; nobody waits for it. */
export async function lostSale(api: EngineApi, { byKey, admin }: Shop, amount: number): Promise<string> {
  const order = randomUUID();
  await api.engine.simulator.script({ gateway: 'gateway_3', amount, operation: 'charge' }, { drop: 'after' });
  byKey('createCardPayment', { body: paymentRequest({ amount, merchant_order_id: order }) }).catch(
    () => undefined,
  );
  return waitFor(async () => {
    const { body } = expectStatus(await admin('listUserPayments', { query: { q: order } }), 200);
    return body.data[0]?.transaction_id;
  });
}

type UserPayment = components['schemas']['UserPayment'];

/** A payment, as far as its detail needs it. */
interface Named {
  readonly transaction_id: string;
}

export async function detailOf({ admin }: Shop, { transaction_id: id }: Named): Promise<UserPayment> {
  return expectStatus(await admin('getUserPayment', { params: { id } }), 200).body.data;
}

/** Waits until the timeline ends so, and returns the payment. */
export function untilTold(shop: Shop, payment: Named, last: string): Promise<UserPayment> {
  return waitFor(
    async () => {
      const detail = await detailOf(shop, payment);
      const kinds = detail.timeline.map(({ kind }) => kind);
      if (kinds.at(-1) !== last) throw new Error(`the timeline is ${kinds.join(', ')}`);
      return detail;
    },
    { what: `${last} at the end of the timeline` },
  );
}

/**
 * The timeline as a person reads it, a line for each entry: the operation it belongs to by its place among them all, who,
 * what, and the detail. How many milliseconds a receiver took is no part of a story.
 */
export function read({ timeline, attempts }: UserPayment): string[] {
  const instants = timeline.map(({ at }) => at);
  expect(instants).toEqual([...instants].sort());
  const places = new Map(attempts.map(({ id }, index) => [id, String(index)]));
  return timeline.map(({ kind, actor, title, detail, attempt_id: id }) => {
    const place = id === null ? '-' : (places.get(id) ?? 'unknown');
    const line = `${place} ${kind} (${actor}): ${title}${detail === null ? '' : `: ${detail}`}`;
    return line.replace(/ in \d+ ms$/, ' in so many ms');
  });
}
