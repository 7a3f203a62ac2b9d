import type { ContractRoute } from '../../../src/http/server/contract';
import { randomUUID } from 'node:crypto';
import type { RouteId } from '../../../src/http/server/route';
import { APPROVED_CARD, paymentRequest, rawCard } from '../../support/fixtures/payments';
import type { RequestOptions } from '../support/api-client';
import { pendingRequest } from '../support/payment-scenario';
import type { CompanyResources } from './company-resources';

/** Ids for a path parameter: one per owner, and one that does not exist. */
interface PathId {
  readonly of: (resources: CompanyResources) => string;
  readonly never: string;
}

/**
 * The resource that each id in a path refers to, by the path up to it. A route with a new kind of id fails the test until it
 * is added here; a route with known ids is covered automatically.
 */
export const PATH_RESOURCES: Readonly<Record<string, PathId>> = {
  '/payments/{id}': { of: ({ paymentId }) => paymentId, never: randomUUID() },
  '/user/payments/{id}': { of: ({ paymentId }) => paymentId, never: randomUUID() },
  '/user/gateways/{slug}': { of: ({ gateway }) => gateway, never: 'gateway_5' },
  '/user/disputes/{id}': { of: ({ disputeId }) => disputeId, never: randomUUID() },
  '/user/disputes/{id}/evidence/{evidence_id}': { of: ({ evidenceId }) => evidenceId, never: randomUUID() },
  '/user/settlements/{id}': { of: ({ settlementId }) => settlementId, never: randomUUID() },
  '/user/settlements/items/{id}': { of: ({ settlementItemId }) => settlementItemId, never: randomUUID() },
  '/sub-accounts/{id}': { of: ({ subAccountId }) => subAccountId, never: randomUUID() },
  '/customers/{token}': { of: ({ customerToken }) => customerToken, never: `cus_${'0'.repeat(32)}` },
  '/user/customers/{token}': { of: ({ customerToken }) => customerToken, never: `cus_${'0'.repeat(32)}` },
  '/customers/{token}/cards/{card_token}': {
    of: ({ cardToken }) => cardToken,
    never: `card_${'0'.repeat(32)}`,
  },
  '/subscriptions/plans/{uuid}': { of: ({ planId }) => planId, never: randomUUID() },
  '/user/plans/{uuid}': { of: ({ planId }) => planId, never: randomUUID() },
  '/subscriptions/coupons/{uuid}': { of: ({ couponId }) => couponId, never: randomUUID() },
  '/user/coupons/{uuid}': { of: ({ couponId }) => couponId, never: randomUUID() },
  '/subscriptions/{uuid}': { of: ({ subscriptionId }) => subscriptionId, never: randomUUID() },
  '/user/subscriptions/{uuid}': { of: ({ subscriptionId }) => subscriptionId, never: randomUUID() },
  '/payment-links/{token}': { of: ({ linkToken }) => linkToken, never: `plink_${'0'.repeat(32)}` },
  '/user/payment-links/{token}': { of: ({ linkToken }) => linkToken, never: `plink_${'0'.repeat(32)}` },
  '/user/company/api-keys/{id}': { of: ({ apiKeyId }) => apiKeyId, never: '999999999' },
  '/user/company/users/{id}': { of: ({ memberId }) => memberId, never: '999999999' },
  '/user/company/users/{id}/sessions/{session_id}': {
    of: ({ memberSessionId }) => memberSessionId,
    never: randomUUID(),
  },
  '/user/company/invitations/{id}': { of: ({ invitationId }) => invitationId, never: '999999999' },
  '/user/me/sessions/{session_id}': { of: ({ sessionId }) => sessionId, never: randomUUID() },
  '/user/company/webhooks/{id}': { of: ({ endpointId }) => endpointId, never: '999999999' },
  '/user/company/webhooks/{id}/deliveries/{delivery}': {
    of: ({ deliveryId }) => deliveryId,
    never: randomUUID(),
  },
};

/** Routes that must act on a different id of the same kind. */
export const PATH_ID_OVERRIDES: Partial<Record<RouteId, (resources: CompanyResources) => string>> = {
  capturePayment: ({ authorizedId }) => authorizedId,
  cancelPayment: ({ authorizedId }) => authorizedId,
  captureUserPayment: ({ authorizedId }) => authorizedId,
  cancelUserPayment: ({ authorizedId }) => authorizedId,
  deleteUserPaymentLink: ({ spareLinkToken }) => spareLinkToken,
};

/** Routes whose path names a gateway of the deployment, at which each company has its own credentials: test/api/companies/user-gateway.test.ts. */
export const PATHS_WITHOUT_RESOURCES: readonly RouteId[] = ['saveUserGateway', 'listUnrecognized'];

/** What a company has in both modes: its users with their sessions and invitations, and the audit log. */
export function isSharedByModes({ path }: ContractRoute): boolean {
  const shared = ['/user/company/users', '/user/company/invitations', '/user/me/sessions', '/user/audit'];
  return shared.some((prefix) => path.startsWith(prefix));
}

/** Replaces the contract’s example if that contains a past date or a value that must be unique per company. */
export const BODIES: Partial<Record<RouteId, (own: CompanyResources | 'never') => object>> = {
  createBilletPayment: () => pendingRequest(),
  createCheckoutSession: (own) => ({
    type: 'one_time',
    amount: 4_990,
    customer: { token: own === 'never' ? NEVER.customerToken : own.customerToken },
  }),
  payCheckout: () => ({ payment_method: 'pix' }),
  // Its code must not be that of the contract's other example.
  createUserCoupon: () => ({
    ...{ code: 'ByAUser', name: 'Ten percent', discount_type: 'percentage', discount_value: 10 },
    valid_from: '2026-01-01',
  }),
  createSubscription: (own) => ({
    plan_id: own === 'never' ? randomUUID() : own.planId,
    customer: { name: 'Maria Souza', email: 'maria@example.com', document: '52998224725' },
    card: rawCard(APPROVED_CARD),
  }),
};

type Ids = Pick<CompanyResources, 'customerToken' | 'cardToken' | 'recipientId' | 'planId'>;

export const NEVER: Ids = {
  customerToken: `cus_${'0'.repeat(32)}`,
  cardToken: `card_${'0'.repeat(32)}`,
  recipientId: 'rp_never',
  planId: randomUUID(),
};

/** A request whose body refers to a resource, and the field that is invalid if the resource belongs to another company. */
export type NamingBody = readonly [field: string, body: object];

function splitBody(request: object, { recipientId }: Ids): NamingBody {
  const splits = [{ recipient_id: recipientId, type: 'percentage', amount: 100 }];
  return ['splits.0.recipient_id', { ...request, splits }];
}

/**
 * Routes that create or change something and have no id in their path: the bodies with which they could reach another
 * company’s resources. `own` is the requesting company. A route that is not listed fails the test.
 */
export const WRITES: Partial<Record<RouteId, (ids: Ids, own: CompanyResources) => readonly NamingBody[]>> = {
  createCardPayment: (ids, own) => [
    ['customer.token', paymentBody({ customer: { token: ids.customerToken } })],
    ['card.token', paymentBody({ customer: { token: own.customerToken }, card: { token: ids.cardToken } })],
    splitBody(paymentBody({}), ids),
  ],
  createPixPayment: (ids) => pendingBodies(ids),
  createBilletPayment: (ids) => pendingBodies(ids),
  createSubscription: (ids, own) => [
    ['plan_id', subscriptionBody(own, { plan_id: ids.planId })],
    ['customer.token', subscriptionBody(own, { customer: { token: ids.customerToken } })],
    ['card.token', subscriptionBody(own, { card: { token: ids.cardToken } })],
  ],
  createPaymentLink: (ids) => [['plan_id', linkBody(ids)]],
  createUserPaymentLink: (ids) => [['plan_id', linkBody(ids)]],
  createCheckoutSession: (ids) => [
    ['plan_id', { type: 'subscription', plan_id: ids.planId }],
    ['customer.token', { type: 'one_time', amount: 4_990, customer: { token: ids.customerToken } }],
  ],
  payCheckout: (ids) => [['card.token', { payment_method: 'card', card: { token: ids.cardToken } }]],
  // These routes create resources of the company, and their bodies refer to no existing resource.
  saveGateways: () => [],
  importStatement: () => [],
  simulateRouting: () => [],
  createSubAccount: () => [],
  createApiKey: () => [],
  inviteMember: () => [],
  startTwoFactor: () => [],
  confirmTwoFactor: () => [],
  disableTwoFactor: () => [],
  renewRecoveryCodes: () => [],
  updateCompanySecurity: () => [],
  updateMe: () => [],
  sendVerificationEmail: () => [],
  verifyEmail: () => [],
  createCustomer: () => [],
  createPlan: () => [],
  createUserPlan: () => [],
  createCoupon: () => [],
  createUserCoupon: () => [],
  createWebhookEndpoint: () => [],
  updateCompanyConfig: () => [],
  updateOnboarding: () => [],
  createTestPayment: () => [],
  createWebhookReceiver: () => [],
  logOut: () => [],
};

function paymentBody(change: object): object {
  return { ...paymentRequest(), ...change };
}

function subscriptionBody(own: CompanyResources, change: object): object {
  const customer = { token: own.customerToken };
  return { plan_id: own.planId, customer, card: { token: own.cardToken }, ...change };
}

function linkBody({ planId }: Ids): object {
  return { name: 'Gold', type: 'subscription', plan_id: planId };
}

function pendingBodies(ids: Ids): NamingBody[] {
  return [
    ['customer.token', pendingRequest({ customer: { token: ids.customerToken } })],
    splitBody(pendingRequest(), ids),
  ];
}

/** Lists and single resources without an id in their path: the queries with which they could reveal another company’s data. */
export const QUERIES: Partial<
  Record<RouteId, (theirs: CompanyResources) => ReadonlyArray<NonNullable<RequestOptions['query']>>>
> = {
  listPayments: ({ merchantOrderId }) => [{ merchant_order_id: merchantOrderId }],
  // Both companies used this key.
  listUserPayments: ({ paymentId, merchantOrderId, customerToken }) => [
    { customer: customerToken },
    { last_four: '1111' },
    { attention: 'disputed' },
    { q: paymentId },
    { q: merchantOrderId },
    { q: 'key-for-createCardPayment' },
  ],
  search: (theirs) => searchesFor(theirs),
  listCoupons: ({ couponCode }) => [{ code: couponCode }],
  listUserCoupons: ({ couponCode }) => [{ code: couponCode }],
  listSubscriptions: (theirs) => subscriptionQueries(theirs),
  listUserSubscriptions: (theirs) => subscriptionQueries(theirs),
  listDisputes: ({ paymentId, subscriptionId }) => [
    { transaction_id: paymentId },
    { subscription_id: subscriptionId },
  ],
  listSettlementItems: ({ settlementId }) => [{ settlement_id: settlementId }],
  listEvents: ({ eventCursor }) => [{ after: eventCursor }],
  exportPayments: ({ merchantOrderId }) => [{ merchant_order_id: merchantOrderId }],
  exportUserPayments: ({ paymentId, merchantOrderId }) => [
    { attention: 'disputed' },
    { q: paymentId },
    { q: merchantOrderId },
  ],
  exportSubscriptions: (theirs) => subscriptionQueries(theirs),
  exportUserSubscriptions: (theirs) => subscriptionQueries(theirs),
  exportEvents: ({ eventCursor }) => [{ after: eventCursor }],
  exportUserEvents: ({ eventCursor }) => [{ after: eventCursor }],
  listAuditLog: ({ endpointId }) => [{ subject_type: 'webhook_endpoint', subject_id: endpointId }],
};

/** Routes that need a query, and one that finds the company's own data. */
export const OWN_QUERIES: Partial<Record<RouteId, (ours: CompanyResources) => RequestOptions['query']>> = {
  search: ({ merchantOrderId }) => ({ q: merchantOrderId }),
  getMonthlyReport: () => ({ month: '2026-03' }),
  downloadMonthlyReport: () => ({ month: '2026-03' }),
};

/** By what is the same for both companies too: the customer's name, email, document and card, and the amounts. */
function searchesFor(theirs: CompanyResources) {
  const { paymentId, merchantOrderId, customerToken, subscriptionId, linkToken, deliveryId } = theirs;
  const ids = [paymentId, merchantOrderId, customerToken, subscriptionId, linkToken, `msg_${deliveryId}`];
  const shared = [
    'maria',
    'maria@example.com',
    '52998224725',
    '1111',
    '18000',
    'order-',
    'key-for-createCardPayment',
  ];
  return [...ids, ...shared].map((q) => ({ q }));
}

function subscriptionQueries({ planId, customerToken }: CompanyResources) {
  return [{ plan_id: planId }, { customer: customerToken }];
}

/** Routes whose responses contain only figures, and the test that checks that the figures are the company’s own. */
export const FIGURES: Partial<Record<RouteId, string>> = {
  getDashboard: 'test/api/dashboard',
  getTwoFactor: 'test/api/users/two-factor',
  getCompanySecurity: 'test/api/users/two-factor',
  listLedgerBalances: 'test/api/ledger',
  getMonthlyReport: 'test/api/settlement',
  getRecurringRevenue: 'test/workflows/subscriptions/recurring-revenue',
  getRoutingTraffic: 'test/api/companies/routing-traffic',
  getOnboarding: 'test/api/onboarding',
  getWebhookReceiver: 'test/api/onboarding/webhook-receiver',
  downloadMonthlyReport: 'test/api/settlement',
};

/** Routes for the operators of the deployment alone, and the test that checks what they return. */
export const OPERATOR_ROUTES: Partial<Record<RouteId, string>> = {
  getSystemStatus: 'test/api/users/system-status',
};

/** Routes without authentication, and why they reveal nothing about a company. */
export const PUBLIC_REASONS: Partial<Record<RouteId, string>> = {
  registerUser: 'creates a new company; it reveals only whether an email is taken, as any registration must',
  logIn: 'the answer is the same for a wrong password and an unknown email: test/api/users/sign-in',
  forgotPassword: 'the answer is the same for every email: test/api/users/password-reset',
  acceptInvitation: 'it requires a token that is only mailed: test/api/users/team',
  resetPassword: 'it requires a token that is only mailed: test/api/users/password-reset',
  registerCompany: 'it creates a new company',
  getPublicPaymentLink: 'it returns only the public offer: test/api/checkout/payment-links',
  createLinkSession: 'it returns only what the buyer entered: test/api/checkout',
  receiveCallback: 'the answer is the same for all callbacks; their effects: test/api/callbacks',
  receivePixCallback: 'as receiveCallback',
  receiveConsent:
    'it requires a state that only the link of one sub-account has: test/gateways/mercadopago/engine.test',
  receiveWebhook:
    'the answer is the same for all messages to a secret address: test/api/onboarding/webhook-receiver',
};
