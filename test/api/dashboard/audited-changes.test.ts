import type { OperationId } from '../../../src/http/server/operation';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { resolutionOf } from '../../support/scenarios/resolve';
import { authorization } from '../support/payment-scenario';
import { stuckCharge } from '../support/manual-resolution';
import { rawCard } from '../../support/fixtures/payments';
import { expectStatus, type RequestOptions } from '../support/api-client';
import { contract } from '../support/contract';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { acquireBelongings, clientFor, type Belongings } from '../isolation/company-resources';
import { parametersOf, requestFor } from '../isolation/requests';

/*
 * Every operation of the contract by which a user changes something leaves its entry in the audit log. The list comes
 * from the contract: a new operation is covered without a word, and fails this test where it keeps no entry.
 */

/** What a user does that changes nothing of the company. */
const UNKEPT: readonly OperationId[] = ['logOut'];

let api: EngineApi;
let receiver: WebhookReceiver;
let ours: Belongings;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startEngineApi({ STUCK_AFTER: '2' }), startWebhookReceiver()]);
  ours = await acquireBelongings(api, receiver.url, 'gateway_3');
}, 120_000);
afterAll(async () => {
  receiver.close();
  await api.stop();
});

/** Where the state of what there is forbids it, something else to do it to. */
const SUBJECTS: Partial<Record<OperationId, () => Promise<RequestOptions>>> = {
  captureUserPayment: async () => onPayment((await authorization(ours.byKey)).transaction_id),
  cancelUserPayment: async () => onPayment((await authorization(ours.byKey)).transaction_id),
  pauseUserSubscription: async () => ({ ...(await onSubscription()), body: {} }),
  resumeUserSubscription: () => onSubscription({}, 'pauseSubscription'),
  cancelUserSubscription: () => onSubscription(),
  uncancelUserSubscription: () => onSubscription({}, 'cancelSubscription', { at_period_end: true }),
  retryUserSubscription: () => onSubscription({ card: rawCard('4000000000009995') }),
  resolvePayment: async () => {
    const { transaction_id: id } = await stuckCharge(api, ours);
    const { attemptId } = await resolutionOf(api.engine, id, 'paid');
    return onPayment(id, { outcome: 'paid', reason: 'seen at the gateway', attempt_id: attemptId });
  },
};

/** A subscription of its own, as something asked before has left it. */
async function onSubscription(
  change: object = {},
  asked?: 'pauseSubscription' | 'cancelSubscription',
  body: object = {},
): Promise<RequestOptions> {
  const customer = { token: ours.customerToken };
  const asking = { plan_id: ours.planId, customer, card: { token: ours.cardToken }, ...change };
  const made = expectStatus(await ours.byKey('createSubscription', { body: asking }), 201);
  const params = { uuid: made.body.data.id };
  if (asked !== undefined) expectStatus(await ours.byKey(asked, { params, body }), 200);
  return { params };
}

function onPayment(id: string, body?: object): RequestOptions {
  return { params: { id }, ...(body === undefined ? {} : { body }) };
}

/** What makes things, then what changes them, and at last what deletes them. */
const ORDER = ['post', 'put', 'patch', 'delete'];
const changes = contract.operations
  .filter(({ id, auth, method }) => auth === 'jwt' && method !== 'get' && !UNKEPT.includes(id))
  .sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));

const entries = () =>
  api.engine.parts.db.query<{ id: number; userId: number; requestId: string; text: string }>(
    `SELECT id, user_id AS "userId", request_id AS "requestId", audit_log::text AS text
       FROM audit_log WHERE company_id = $1 ORDER BY id`,
    [ours.companyId],
  );

it.each(changes.map((operation) => [operation.id, operation] as const))(
  'keeps who asked for %s, and in which request',
  async (id, operation) => {
    const own = parametersOf(operation).map(() => ours);
    const request = { ...requestFor(operation, own), ...(await SUBJECTS[id]?.()) };
    const before = await entries();
    const { status, headers } = await clientFor(ours, operation)(id, request);
    expect(status).toBeLessThan(300);
    const added = (await entries()).slice(before.length);
    expect(added).toMatchObject([{ userId: ours.userId, requestId: headers.get('x-request-id') }]);
  },
);

it('keeps no secret', async () => {
  const kept = (await entries()).map(({ text }) => text);
  expect(kept.filter((text) => /whsec_|sk_test_/.test(text))).toEqual([]);
});
