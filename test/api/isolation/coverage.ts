import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../../src/http/server/operation';
import { APPROVED_CARD, paymentRequest, rawCard } from '../../support/fixtures/payments';
import type { RequestOptions } from '../support/api-client';
import { pendingRequest } from '../support/payment-scenario';
import type { Belongings } from './company-resources';

/** An id in a path: whose it is, and one that never was. */
interface Named {
  readonly of: (belongings: Belongings) => string;
  readonly never: string;
}

/**
 * What every id in a path names, by the path up to it. An operation on another path fails the test until its ids stand
 * here; one on a known path is covered without a word.
 */
export const NAMED: Readonly<Record<string, Named>> = {
  '/payments/{id}': { of: ({ paymentId }) => paymentId, never: randomUUID() },
  '/user/payments/{id}': { of: ({ paymentId }) => paymentId, never: randomUUID() },
  '/user/gateways/{slug}': { of: ({ gateway }) => gateway, never: 'gateway_5' },
  '/sub-accounts/{id}': { of: ({ subAccountId }) => subAccountId, never: randomUUID() },
  '/customers/{token}': { of: ({ customerToken }) => customerToken, never: `cus_${'0'.repeat(32)}` },
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
  '/user/company/webhooks/{id}': { of: ({ endpointId }) => endpointId, never: '999999999' },
  '/user/company/webhooks/{id}/deliveries/{delivery}': {
    of: ({ deliveryId }) => deliveryId,
    never: randomUUID(),
  },
};

/** Where another id of the same path is the one to act on. */
export const PATH_IDS: Partial<Record<OperationId, (belongings: Belongings) => string>> = {
  capturePayment: ({ authorizedId }) => authorizedId,
  cancelPayment: ({ authorizedId }) => authorizedId,
  captureUserPayment: ({ authorizedId }) => authorizedId,
  cancelUserPayment: ({ authorizedId }) => authorizedId,
  deleteUserPaymentLink: ({ spareLinkToken }) => spareLinkToken,
};

/** In place of the contract's example where that has a date which is past, or names what is each company's own. */
export const BODIES: Partial<Record<OperationId, (own: Belongings | 'never') => object>> = {
  createBilletPayment: () => pendingRequest(),
  createCheckoutSession: (own) => ({
    type: 'one_time',
    amount: 4_990,
    customer: { token: own === 'never' ? NEVER.customerToken : own.customerToken },
  }),
  payCheckout: () => ({ payment_method: 'pix' }),
  createSubscription: (own) => ({
    plan_id: own === 'never' ? randomUUID() : own.planId,
    customer: { name: 'Maria Souza', email: 'maria@example.com', document: '52998224725' },
    card: rawCard(APPROVED_CARD),
  }),
};

type Ids = Pick<Belongings, 'customerToken' | 'cardToken' | 'recipientId' | 'planId'>;

export const NEVER: Ids = {
  customerToken: `cus_${'0'.repeat(32)}`,
  cardToken: `card_${'0'.repeat(32)}`,
  recipientId: 'rp_never',
  planId: randomUUID(),
};

/** A request whose body names something, and the field that is wrong when it is not the company's. */
export type NamingBody = readonly [field: string, body: object];

function splitBody(request: object, { recipientId }: Ids): NamingBody {
  const splits = [{ recipient_id: recipientId, type: 'percentage', amount: 100 }];
  return ['splits.0.recipient_id', { ...request, splits }];
}

/**
 * Operations that make or change something and have no id in their path: the bodies by which they could reach another
 * company's things. `own` is the company's that asks. An operation that is not here fails the test.
 */
export const WRITES: Partial<Record<OperationId, (ids: Ids, own: Belongings) => readonly NamingBody[]>> = {
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
  // What these make is the company's own, and their bodies name nothing that is there already.
  saveGateways: () => [],
  createSubAccount: () => [],
  createCustomer: () => [],
  createPlan: () => [],
  createUserPlan: () => [],
  createCoupon: () => [],
  createUserCoupon: () => [],
  createWebhookEndpoint: () => [],
  updateCompanyConfig: () => [],
  logOut: () => [],
};

function paymentBody(change: object): object {
  return { ...paymentRequest(), ...change };
}

function subscriptionBody(own: Belongings, change: object): object {
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

/** Lists and single answers without an id in their path: the queries by which they could be led to another's things. */
export const QUERIES: Partial<
  Record<OperationId, (theirs: Belongings) => ReadonlyArray<NonNullable<RequestOptions['query']>>>
> = {
  listPayments: ({ merchantOrderId }) => [{ merchant_order_id: merchantOrderId }],
  // Both companies used that key.
  listUserPayments: ({ paymentId, merchantOrderId }) => [
    { q: paymentId },
    { q: merchantOrderId },
    { q: 'key-for-createCardPayment' },
  ],
  listCoupons: ({ couponCode }) => [{ code: couponCode }],
  listUserCoupons: ({ couponCode }) => [{ code: couponCode }],
  listSubscriptions: (theirs) => subscriptionQueries(theirs),
  listUserSubscriptions: (theirs) => subscriptionQueries(theirs),
  listEvents: ({ eventCursor }) => [{ after: eventCursor }],
  listAuditLog: ({ endpointId }) => [{ subject_type: 'webhook_endpoint', subject_id: endpointId }],
};

function subscriptionQueries({ planId, customerToken }: Belongings) {
  return [{ plan_id: planId }, { customer: customerToken }];
}

/** Operations whose answers hold figures and no names, and where it is tested that they are the company's own. */
export const FIGURES: Partial<Record<OperationId, string>> = { getDashboard: 'test/api/dashboard' };

/** Operations that nobody needs credentials for, and why they tell nothing of a company. */
export const OPEN: Partial<Record<OperationId, string>> = {
  registerUser: 'makes a company of its own; an email that is taken is told, as any sign-up must',
  logIn: 'a wrong password and an unknown email are one answer: test/http/users/sign-in',
  forgotPassword: 'one answer for every email: test/http/users/password-reset',
  resetPassword: 'by a token that only the mailbox has: test/http/users/password-reset',
  registerCompany: 'makes a company of its own',
  getPublicPaymentLink: 'tells what its company offers to everybody: test/http/payment-links',
  createLinkSession: 'tells its buyer what they said, and nothing that is known of them: test/http/checkout',
  receiveCallback: 'an answer that is the same for all; what a callback can move: test/http/callbacks',
};
