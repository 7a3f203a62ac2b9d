import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { ContractRoute } from '../../../src/http/server/contract';
import type { RouteId } from '../../../src/http/server/route';
import type { Engine } from '../../support/stack/engine';
import { waitFor } from '../../support/stack/wait-for';
import { individual } from '../../unit/domain/subaccount-fixtures';
import { apiClient, expectStatus, type ApiClient, type RequestOptions } from '../support/api-client';
import type { EngineApi } from '../support/engine-api';
import { authorization, sale } from '../support/payment-scenario';
import { verifyAddress } from '../users/team-api';
import { registerUser, signIn, type TestUser } from '../users/user-api';

/** A company with one resource of every kind that the API can create, and its credentials of each kind. */
export interface CompanyResources {
  /** What the rows of the company and mode belong to. */
  readonly companyId: number;
  readonly userId: number;
  readonly byKey: ApiClient;
  readonly byToken: ApiClient;
  /** Client with the token of a checkout session of the company’s customer. */
  readonly byCheckout: ApiClient;
  readonly paymentId: string;
  readonly authorizedId: string;
  readonly disputeId: string;
  readonly evidenceId: string;
  readonly settlementId: string;
  readonly settlementItemId: string;
  readonly merchantOrderId: string;
  readonly subAccountId: string;
  readonly recipientId: string;
  readonly customerToken: string;
  readonly cardToken: string;
  readonly planId: string;
  readonly couponId: string;
  readonly couponCode: string;
  readonly subscriptionId: string;
  readonly linkToken: string;
  /** A second link, which a test may delete. */
  readonly spareLinkToken: string;
  readonly gateway: GatewaySlug;
  readonly endpointId: string;
  /** An API key that a test may revoke. */
  readonly apiKeyId: string;
  readonly memberId: string;
  readonly invitationId: string;
  /** Two sessions of the user, besides that of `byToken`, which a test may end. */
  readonly sessionId: string;
  readonly memberSessionId: string;
  readonly deliveryId: string;
  readonly eventCursor: string;
  /** Texts that no response to another company or in another mode may contain. */
  readonly uniqueTexts: readonly string[];
}

/** A company's credentials in one mode. */
interface CompanyAccess extends Pick<CompanyResources, 'companyId' | 'userId' | 'byKey' | 'byToken'> {
  readonly name: string;
  readonly clientId: string;
  readonly user: TestUser;
  /** Texts of the company that no response to others may contain. */
  readonly ownTexts: readonly string[];
}

/** A new company in the sandbox's own mode. */
export async function newCompanyAccess(api: EngineApi): Promise<CompanyAccess> {
  const name = `Loja ${randomUUID()}`;
  const user = await registerUser(api, { company_name: name });
  const { email, registered, client: byToken } = user;
  const { client_id: clientId, api_key: apiKey } = registered.company;
  const byKey = apiClient(api.baseUrl, { 'X-Client-ID': clientId, 'X-API-Key': apiKey });
  const { company_id: companyId, id: userId } = registered.user;
  return { companyId, userId, byKey, byToken, name, clientId, user, ownTexts: [name, email, clientId] };
}

/** The same company's live mode, by the same user and a key for live data. */
export async function liveAccess(api: EngineApi, test: CompanyAccess): Promise<CompanyAccess> {
  const { name, clientId } = test;
  const body = { name: `Live ${randomUUID()}`, mode: 'live' };
  const { api_key: apiKey } = expectStatus(await test.byToken('createApiKey', { body }), 201).body.data;
  return {
    ...test,
    companyId: -test.companyId,
    byKey: apiClient(api.baseUrl, { 'X-Client-ID': clientId, 'X-API-Key': apiKey }),
    byToken: (id, options = {}) =>
      test.byToken(id, { ...options, headers: { ...options.headers, 'X-Mode': 'live' } }),
    name: `${name} live`,
    ownTexts: [body.name],
  };
}

/** `gateway`: a gateway besides gateway_1 that no other company in the test uses. */
export async function createResources(
  api: EngineApi,
  receiverUrl: string,
  gateway: GatewaySlug,
  access: CompanyAccess,
): Promise<CompanyResources> {
  const { name, clientId, companyId, userId, user, byKey, byToken } = access;
  const credential = { secret_key: `sk_test_${clientId}`, client_id: clientId };
  const gateways = ['gateway_1', gateway].map((slug) => ({ gateway_slug: slug, ...credential }));
  expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
  expectStatus(await byToken('updateCompanyConfig', { body: { brand: { name } } }), 200);
  const subAccount = await makeSubAccount(byKey);
  const endpoint = await makeEndpoint(byToken, `${receiverUrl}/${randomUUID()}`);
  const spareKey = expectStatus(await byToken('createApiKey', { body: { name } }), 201).body.data;
  const customer = await makeCustomer(byKey, `Maria ${clientId}`);
  const catalog = await makeCatalog(byKey);
  await verifyAddress(api, userId);
  const invited = `invited-${randomUUID()}@example.com`;
  const invitation = expectStatus(
    await byToken('inviteMember', { body: { email: invited, role: 'support' } }),
    201,
  ).body.data;
  await signIn(api, user);
  await signIn(api, user);
  const [session, memberSession] = expectStatus(await byToken('listMySessions'), 200).body.data;
  const payments = await makePayments(byKey, customer.token, subAccount.recipient_id ?? '');
  const disputeId = await makeDispute(api, payments.paymentId);
  const evidenceId = await makeEvidence(byToken, disputeId);
  const settlement = await makeSettlement(api, companyId, payments.paymentId);
  const subscriptionId = await makeSubscription(byKey, customer, catalog.planId);
  const links = await makeLinks(byKey, name);
  const checkout = await makeSession(byKey, customer.token);
  const deliveryId = await firstDelivery(byToken, endpoint.id);
  const events = expectStatus(await byKey('listEvents'), 200).body;
  const { token: customerToken, cardToken } = customer;
  return {
    companyId,
    userId,
    byKey,
    byToken,
    byCheckout: apiClient(api.baseUrl, { 'X-Checkout-Token': checkout.token }),
    ...payments,
    ...catalog,
    disputeId,
    evidenceId,
    ...settlement,
    subscriptionId,
    ...links,
    subAccountId: subAccount.id,
    recipientId: subAccount.recipient_id ?? '',
    customerToken,
    cardToken,
    gateway,
    endpointId: String(endpoint.id),
    apiKeyId: String(spareKey.id),
    memberId: String(userId),
    invitationId: String(invitation.id),
    sessionId: session?.id ?? '',
    memberSessionId: memberSession?.id ?? '',
    deliveryId,
    eventCursor: events.meta.next_after ?? '',
    uniqueTexts: [
      ...access.ownTexts,
      ...(companyId > 0 ? [invited, session?.id ?? ''] : []),
      ...[subAccount.id, customerToken, cardToken, deliveryId],
      ...[payments.paymentId, payments.authorizedId, payments.merchantOrderId, disputeId, evidenceId],
      ...Object.values(settlement),
      ...Object.values(catalog),
      ...Object.values(links),
      checkout.merchant_order_id,
      subscriptionId,
    ],
  };
}

async function makeSubAccount(byKey: ApiClient) {
  const body = { gateway_slug: 'gateway_1', subaccount_information: individual({ name: randomUUID() }) };
  return expectStatus(await byKey('createSubAccount', { body }), 201).body.data;
}

async function makeEndpoint(byToken: ApiClient, url: string) {
  const body = { url, events: ['transaction.approved'] };
  return expectStatus(await byToken('createWebhookEndpoint', { body }), 201).body;
}

async function makeCustomer(byKey: ApiClient, name: string) {
  const body = { name, email: 'maria@example.com', document: '52998224725' };
  const { token } = expectStatus(await byKey('createCustomer', { body }), 201).body.data;
  const card = {
    number: '4111111111111111',
    holder_name: 'MARIA SOUZA',
    expire_month: 12,
    expire_year: 2035,
    cvv: '737',
  };
  const saved = expectStatus(await byKey('createCustomerCard', { params: { token }, body: card }), 201).body;
  return { token, cardToken: saved.data.token };
}

async function makeCatalog(byKey: ApiClient) {
  const plan = { name: 'Silver', amount: 4_990, currency: 'BRL', interval: 'monthly' };
  const { id: planId } = expectStatus(await byKey('createPlan', { body: plan }), 201).body.data;
  const couponCode = randomUUID().replaceAll('-', '');
  const discount = { discount_type: 'percentage', discount_value: 10 };
  const coupon = { code: couponCode, name: 'Ten percent', ...discount, valid_from: '2026-01-01' };
  const { id: couponId } = expectStatus(await byKey('createCoupon', { body: coupon }), 201).body.data;
  return { planId, couponId, couponCode };
}

async function makeSubscription(
  byKey: ApiClient,
  { token, cardToken }: { readonly token: string; readonly cardToken: string },
  planId: string,
): Promise<string> {
  const body = { plan_id: planId, customer: { token }, card: { token: cardToken } };
  const { body: answer } = expectStatus(await byKey('createSubscription', { body }), 201);
  expect(answer.data.status).toBe('active');
  return answer.data.id;
}

async function makeLinks(byKey: ApiClient, name: string) {
  const body = { name, type: 'one_time', amount: 18_000 };
  const link = expectStatus(await byKey('createPaymentLink', { body }), 201).body.data;
  const spare = expectStatus(await byKey('createPaymentLink', { body }), 201).body.data;
  return { linkToken: link.token, spareLinkToken: spare.token };
}

async function makeSession(byKey: ApiClient, token: string) {
  const order = { merchant_order_id: `session-${randomUUID()}`, customer: { token } };
  const body = { type: 'one_time', amount: 18_000, ...order };
  return expectStatus(await byKey('createCheckoutSession', { body }), 201).body;
}

async function makePayments(byKey: ApiClient, customerToken: string, recipientId: string) {
  const merchantOrderId = `order-${randomUUID()}`;
  const order = { merchant_order_id: merchantOrderId, customer: { token: customerToken } };
  const { transaction_id: paymentId } = await sale(byKey, order);
  const { transaction_id: authorizedId } = await authorization(byKey, order);
  const splits = [{ recipient_id: recipientId, type: 'percentage', amount: 100 }];
  const { transaction_id: refundedId } = await sale(byKey, { ...order, splits });
  expectStatus(await byKey('refundPayment', { params: { id: refundedId }, body: { amount: 100 } }), 200);
  return { paymentId, authorizedId, merchantOrderId };
}

/** As the workflow of the dispute stores it. */
async function makeDispute({ engine }: EngineApi, paymentId: string): Promise<string> {
  const rows = await engine.context.db.query<{ id: string }>(
    `INSERT INTO disputes (id, company_id, payment_id, attempt_id, gateway_slug, gateway_dispute_id, kind, status, amount_cents,
       currency, opened_at, reported_at, transitions, posted_held_cents, posted_lost_cents, posted_borne, created_at, updated_at)
     SELECT $2::uuid, p.company_id, p.id, a.id, a.gateway_slug, $2, 'retrieval', 'opened', 1, p.currency, now(), now(), 1, 0, 0,
       '[]', now(), now()
       FROM payments p JOIN gateway_attempts a ON a.payment_id = p.id WHERE p.transaction_id = $1 LIMIT 1 RETURNING id`,
    [paymentId, randomUUID()],
  );
  return rows[0]?.id ?? '';
}

async function makeEvidence(byToken: ApiClient, id: string): Promise<string> {
  const body = { kind: 'explanation', text: `explanation ${randomUUID()}` } as const;
  return expectStatus(await byToken('addEvidence', { params: { id }, body }), 201).body.data.id;
}

/** As the workflow of the settlement stores it. */
async function makeSettlement({ engine }: EngineApi, companyId: number, paymentId: string) {
  const [settlementId, settlementItemId] = [randomUUID(), randomUUID()];
  await engine.context.db.query(
    `WITH settlement AS (
       INSERT INTO settlements (id, company_id, gateway_slug, day, source, status, created_at, updated_at)
       VALUES ($2, $1, 'gateway_1', '2026-03-02', 'upload', 'done', now(), now()) RETURNING id)
     INSERT INTO settlement_items (id, company_id, settlement_id, kind, transaction_id, currency, created_at)
     SELECT $3, $1, id, 'missing_there', $4, 'BRL', now() FROM settlement`,
    [companyId, settlementId, settlementItemId, paymentId],
  );
  return { settlementId, settlementItemId };
}

function firstDelivery(byToken: ApiClient, endpointId: number): Promise<string> {
  const request = { params: { id: String(endpointId) } };
  return waitFor(async () => {
    const { data } = expectStatus(await byToken('listWebhookDeliveries', request), 200).body;
    return data[0]?.status === 'delivered' && data[0].id;
  });
}

/** The response of any route; a loop over all routes does not know the route at compile time. */
export interface AnyRouteResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}
type AnyRouteClient = (id: RouteId, options?: RequestOptions) => Promise<AnyRouteResponse>;

/** The client with the credentials that the route requires. */
export function clientFor(
  { byKey, byToken, byCheckout }: CompanyResources,
  { auth }: ContractRoute,
): AnyRouteClient {
  const clients = { jwt: byToken, checkout: byCheckout, apiKey: byKey, none: byKey };
  return clients[auth];
}

/** The client with credentials of another kind. */
export function wrongClientFor(
  { byKey, byToken }: CompanyResources,
  { auth }: ContractRoute,
): AnyRouteClient {
  return auth === 'jwt' || auth === 'checkout' ? byKey : byToken;
}

/** All rows of the company in every table with companies, except the columns that payments’ test clocks change. */
export async function rowsOf({ context }: Engine, companyId: number): Promise<Record<string, string[]>> {
  const tables = await context.db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'company_id' ORDER BY table_name`,
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await context.db.queryComposed<{ row: string }>(
        `SELECT (to_jsonb(t) - '{last_polled_at,last_used_at,recover_after,updated_at}'::text[])::text AS row FROM "${name}" t WHERE company_id = $1 ORDER BY 1`,
        [companyId],
      );
      return [name, found.map(({ row }) => row)] as const;
    }),
  );
  return Object.fromEntries(rows);
}
