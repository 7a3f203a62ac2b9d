import type { RouteId } from '../../../src/http/server/route';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { authorization } from '../support/payment-scenario';
import { stuckCharge } from '../support/manual-resolution';
import { rawCard } from '../../support/fixtures/payments';
import { totpCode } from '../../../src/security/totp';
import { joined } from '../users/team-api';
import { PASSWORD } from '../users/user-api';
import { expectStatus, type ApiClient, type RequestOptions } from '../support/api-client';
import { contract } from '../support/contract';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import {
  newCompanyAccess,
  createResources,
  clientFor,
  type CompanyResources,
} from '../isolation/company-resources';
import { parametersOf, requestFor } from '../isolation/requests';

/*
 * Every route of the contract by which a user changes something writes an audit entry. The list of routes comes from the
 * contract, so a new route is covered automatically and fails this test if it writes no entry.
 */

/** Routes for users that change nothing of the company, or nothing before another request. */
const UNAUDITED: readonly RouteId[] = [
  'logOut',
  'sendVerificationEmail',
  'verifyEmail',
  'startTwoFactor',
  'simulateRouting',
  // Its body is a file: test/api/settlement looks at its entry.
  'importStatement',
];

let api: EngineApi;
let receiver: WebhookReceiver;
let ours: CompanyResources;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startEngineApi({ STUCK_AFTER: '2' }), startWebhookReceiver()]);
  ours = await createResources(api, receiver.url, 'gateway_3', await newCompanyAccess(api));
}, 120_000);
afterAll(async () => {
  receiver.close();
  await api.stop();
});

/** Routes for which the shared resources are in the wrong state, with a suitable resource. */
const REQUEST_OVERRIDES: Partial<Record<RouteId, () => Promise<RequestOptions>>> = {
  captureUserPayment: async () => paymentRequestOptions((await authorization(ours.byKey)).transaction_id),
  cancelUserPayment: async () => paymentRequestOptions((await authorization(ours.byKey)).transaction_id),
  pauseUserSubscription: async () => ({ ...(await newSubscriptionRequest()), body: {} }),
  resumeUserSubscription: () => newSubscriptionRequest({}, 'pauseSubscription'),
  cancelUserSubscription: () => newSubscriptionRequest(),
  uncancelUserSubscription: () => newSubscriptionRequest({}, 'cancelSubscription', { at_period_end: true }),
  retryUserSubscription: () => newSubscriptionRequest({ card: rawCard('4000000000009995') }),
  confirmTwoFactor: async () => ({ body: { otp: await startedCode(ours.byToken) } }),
  disableTwoFactor: async () => ({ body: { otp: await newRecoveryCode(ours) } }),
  renewRecoveryCodes: async () => ({ body: { otp: await newRecoveryCode(ours) } }),
  updateCompanySecurity: async () => {
    await newRecoveryCode(ours);
    return {};
  },
  resetTwoFactor: async () => {
    const { client, id } = await joined(api, { client: ours.byToken }, 'support');
    await newRecoveryCode({ byToken: client, userId: id });
    return { params: { id: String(id) } };
  },
  resendInvitation: async () => {
    await api.engine.context.db.execute(
      `UPDATE user_invitations SET sent_at = now() - interval '1 hour' WHERE id = $1`,
      [ours.invitationId],
    );
    return {};
  },
  acceptDispute: async () => {
    await api.engine.context.db.execute(`UPDATE disputes SET kind = 'chargeback' WHERE id = $1`, [
      ours.disputeId,
    ]);
    return {};
  },
  releaseCard: async () => {
    await api.engine.context.db.execute(
      `UPDATE disputes SET kind = 'chargeback', fraud_card = 'card 2030-12' WHERE id = $1`,
      [ours.disputeId],
    );
    return {};
  },
  addEvidence: async () => {
    await reopenDispute();
    return {};
  },
  submitDispute: async () => {
    await newEvidence();
    return {};
  },
  deleteEvidence: async () => ({ params: { id: ours.disputeId, evidence_id: await newEvidence() } }),
  updateMember: () => memberRequest(),
  removeMember: () => memberRequest(),
  resolvePayment: async () => {
    const { transaction_id: id } = await stuckCharge(api, ours);
    const [attempt] = await api.engine.context.attempts.listByTransaction(id);
    return paymentRequestOptions(id, {
      outcome: 'paid',
      reason: 'seen at the gateway',
      attempt_id: attempt?.id,
    });
  },
};

/** At a gateway that takes evidence, without an answer of the company or evidence. */
async function reopenDispute(): Promise<void> {
  const { db } = api.engine.context;
  const id = [ours.disputeId];
  await db.execute('DELETE FROM dispute_evidence WHERE dispute_id = $1', id);
  await db.execute('DELETE FROM dispute_requests WHERE dispute_id = $1', id);
  await db.execute(`UPDATE disputes SET status = 'opened', gateway_slug = 'gateway_1' WHERE id = $1`, id);
}

/** The id of a draft, the only one of the dispute. */
async function newEvidence(): Promise<string> {
  await reopenDispute();
  const body = { kind: 'customer_communication', text: 'The customer confirmed the delivery.' } as const;
  const added = await ours.byToken('addEvidence', { params: { id: ours.disputeId }, body });
  return expectStatus(added, 201).body.data.id;
}

async function memberRequest(): Promise<RequestOptions> {
  const { id } = await joined(api, { client: ours.byToken }, 'support');
  return { params: { id: String(id) } };
}

/** Starts an enrolment and returns a code that confirms it. */
async function startedCode(client: ApiClient): Promise<string> {
  const started = expectStatus(await client('startTwoFactor', { body: { password: PASSWORD } }), 200);
  return totpCode(started.body.data.secret, Math.floor(Date.now() / 30_000));
}

/** An unused recovery code of a user's new enrolment. */
async function newRecoveryCode({
  byToken,
  userId,
}: Pick<CompanyResources, 'byToken' | 'userId'>): Promise<string> {
  await api.engine.context.db.execute(
    'UPDATE users SET totp_enabled_at = NULL, sealed_totp = NULL WHERE id = $1',
    [userId],
  );
  const confirm = { body: { otp: await startedCode(byToken) } };
  const { data } = expectStatus(await byToken('confirmTwoFactor', confirm), 200).body;
  return data.recovery_codes[0] ?? '';
}

/** A new subscription in the state that the request needs. */
async function newSubscriptionRequest(
  change: object = {},
  command?: 'pauseSubscription' | 'cancelSubscription',
  body: object = {},
): Promise<RequestOptions> {
  const customer = { token: ours.customerToken };
  const request = { plan_id: ours.planId, customer, card: { token: ours.cardToken }, ...change };
  const created = expectStatus(await ours.byKey('createSubscription', { body: request }), 201);
  const params = { uuid: created.body.data.id };
  if (command !== undefined) expectStatus(await ours.byKey(command, { params, body }), 200);
  return { params };
}

function paymentRequestOptions(id: string, body?: object): RequestOptions {
  return { params: { id }, ...(body === undefined ? {} : { body }) };
}

/** Creations first, then changes, then deletions. */
const ORDER = ['post', 'put', 'patch', 'delete'];
const changes = contract.routes
  .filter(({ id, auth, method }) => auth === 'jwt' && method !== 'get' && !UNAUDITED.includes(id))
  .sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));

const entries = () =>
  api.engine.context.db.query<{ id: number; userId: number; requestId: string; text: string }>(
    `SELECT id, user_id AS "userId", request_id AS "requestId", audit_log::text AS text
       FROM audit_log WHERE company_id = $1 ORDER BY id`,
    [ours.companyId],
  );

it.each(changes.map((route) => [route.id, route] as const))(
  'the audit log contains the user and the request id of %s',
  async (id, route) => {
    const own = parametersOf(route).map(() => ours);
    const request = { ...requestFor(route, own), ...(await REQUEST_OVERRIDES[id]?.()) };
    const before = await entries();
    const { status, headers } = await clientFor(ours, route)(id, request);
    expect(status).toBeLessThan(300);
    const added = (await entries()).slice(before.length);
    expect(added).toMatchObject([{ userId: ours.userId, requestId: headers.get('x-request-id') }]);
  },
);

it('the audit log contains no secrets', async () => {
  const texts = (await entries()).map(({ text }) => text);
  expect(texts.filter((text) => /whsec_|sk_test_/.test(text))).toEqual([]);
});
