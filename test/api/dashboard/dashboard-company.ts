import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { components } from '../../../src/http/generated/openapi';
import { paymentRequest } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import type { EngineApi } from '../support/engine-api';
import { registerUser } from '../users/user-api';

/** A company with one of its users. */
export interface DashboardCompany {
  readonly email: string;
  readonly byKey: ApiClient;
  readonly byToken: ApiClient;
}

/**
 * Registers a company with credentials for these gateways, in this order; `calledBack` makes its gateways send callbacks, `email` is
 * that of its user.
 */
export async function registerDashboardCompany(
  api: EngineApi,
  slugs: readonly GatewaySlug[],
  { calledBack, ...user }: { readonly calledBack?: 'signed' | 'unsigned'; readonly email?: string } = {},
): Promise<DashboardCompany> {
  const { email, registered, client: admin } = await registerUser(api, user);
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
  if (gateways.length > 0) expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
  return { email, byKey, byToken: admin };
}

/** Long enough for a slow machine; these tests do not measure time. */
export const SLOW_MACHINE_TIMES = {
  GATEWAY_TIMEOUT: '3',
  SEND_WINDOW: '3',
  ABSENCE_PROVEN_AFTER: '6.5',
  STUCK_AFTER: '8',
  PAYMENT_SYNC_TIMEOUT: '50',
};

/** A charge at gateway_3 whose answer is lost; does not wait for the response. */
export async function startLostCharge(
  api: EngineApi,
  { byKey, byToken: admin }: DashboardCompany,
  amount: number,
): Promise<string> {
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

type UserPaymentBody = components['schemas']['UserPayment'];

/** A payment’s id. */
interface PaymentRef {
  readonly transaction_id: string;
}

export async function detailOf(
  { byToken: admin }: DashboardCompany,
  { transaction_id: id }: PaymentRef,
): Promise<UserPaymentBody> {
  return expectStatus(await admin('getUserPayment', { params: { id } }), 200).body.data;
}

/** Waits until the timeline ends with this kind of entry and returns the payment. */
export function untilTimelineEndsWith(
  company: DashboardCompany,
  payment: PaymentRef,
  last: string,
): Promise<UserPaymentBody> {
  return waitFor(
    async () => {
      const detail = await detailOf(company, payment);
      const kinds = detail.timeline.map(({ kind }) => kind);
      if (kinds.at(-1) !== last) throw new Error(`the timeline is ${kinds.join(', ')}`);
      return detail;
    },
    { what: `${last} at the end of the timeline` },
  );
}

/**
 * One line per timeline entry: the index of its attempt, kind, actor, title and detail. Replaces the milliseconds that a
 * receiver took by a constant.
 */
export function timelineLines({ timeline, attempts }: UserPaymentBody): string[] {
  const instants = timeline.map(({ at }) => at);
  expect(instants).toEqual([...instants].sort());
  const places = new Map(attempts.map(({ id }, index) => [id, String(index)]));
  return timeline.map(({ kind, actor, title, detail, attempt_id: id }) => {
    const place = id === null ? '-' : (places.get(id) ?? 'unknown');
    const line = `${place} ${kind} (${actor}): ${title}${detail === null ? '' : `: ${detail}`}`;
    return line.replace(/ in \d+ ms$/, ' in so many ms');
  });
}
