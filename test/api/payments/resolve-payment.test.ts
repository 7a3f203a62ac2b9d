import { randomUUID } from 'node:crypto';
import { recordCharge } from '../../../activities/payments/record-charge';
import { restartInquirySchedule, resolveAttempt } from '../../../activities/payments/resolve-attempt';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import type { Tx } from '../../../src/persistence/sql/transaction';
import type { PaymentBody } from '../../../src/presenters/payment';
import { ledgerOf, uniqueAmount } from '../../support/scenarios/pay';
import { resolutionOf } from '../../support/scenarios/resolve';
import { waitFor } from '../../support/stack/wait-for';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import { openOffice, stuckCharge, untilStuck, type Office } from '../support/manual-resolution';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { serve } from '../support/serve';
import { authorization, found, pendingPix, sale, to, untilStatus } from '../support/payment-scenario';
import { signIn, tokenClient } from '../users/user-api';

const SEEN = 'seen on the page of the gateway';

let api: EngineApi;
/** Answers before a gateway does that lost something: 202 soon. */
let hasty: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  api = await startEngineApi({ STUCK_AFTER: '2', PAYMENT_SYNC_TIMEOUT: '30' }, { workers: 'payments' });
  const { config, parts } = api.engine;
  hasty = await serve({ config: { ...config, payments: { ...config.payments, syncTimeoutMs: 800 } }, parts });
});
afterAll(async () => {
  await hasty.close();
  await api.stop();
});

/** A payment that waits for a person to say what became of its charge. */
const stuck = (office: Office, behavior?: object) =>
  stuckCharge(api, { byKey: apiClient(hasty.baseUrl, office.keys) }, behavior);

const say = (client: ApiClient, payment: PaymentBody, word: object) =>
  client('resolvePayment', to(payment, { body: { reason: SEEN, ...word } }));

/** What the log holds of the words on a payment, newest first. */
async function wordsOn({ byToken }: Office, { transaction_id: id }: PaymentBody) {
  const query = { action: 'payment.resolve', subject_type: 'payment', subject_id: id };
  return expectStatus(await byToken('listAuditLog', { query }), 200).body.data;
}

/** An operation that got lost on the way to a gateway which tells nothing of it from now on. */
async function lose(
  office: Office,
  payment: PaymentBody,
  operation: PaymentOperation,
  behavior: object = { drop: 'after' },
): Promise<string> {
  const { transaction_id } = payment;
  const { simulator } = api.engine;
  await simulator.script({ transaction_id, operation }, behavior);
  await simulator.script({ transaction_id, operation: 'inquiry' }, { status: 500 }, 0);
  const request = to(payment, operation === 'refund' ? { body: { amount: 100 } } : {});
  const byKey = apiClient(hasty.baseUrl, office.keys);
  const ask: Record<PaymentOperation, () => Promise<{ readonly status: number; readonly body: unknown }>> = {
    capture: () => byKey('capturePayment', request),
    cancel: () => byKey('cancelPayment', request),
    refund: () => byKey('refundPayment', request),
  };
  expectStatus(await ask[operation](), 202);
  const { transactions } = await found(office.byKey, payment);
  return transactions.at(-1)?.id ?? '';
}

describe('POST /user/payments/{id}/resolve', () => {
  it('approves a charge that a person saw, whose id later operations act on', async () => {
    const office = await openOffice(api, ['gateway_3']);
    const payment = await stuck(office);
    const { entries } = await api.engine.simulator.ledger(payment.transaction_id);
    const chargeId = entries[0]?.charge_id ?? '';
    const word = { outcome: 'paid', gateway_transaction_id: chargeId };
    const { body } = expectStatus(await say(office.byToken, payment, word), 200);
    expect(body).toMatchObject({ status: 'approved', captured_amount: payment.amount });
    expect(await wordsOn(office, payment)).toMatchObject([
      {
        user: { email: office.user.email },
        changes: { ...word, reason: SEEN, attempt_id: body.transactions[0]?.id },
      },
    ]);
    const refunded = expectStatus(await office.byToken('refundUserPayment', to(payment)), 200);
    expect(refunded.body.status).toBe('refunded');
    expect(await ledgerOf(api.engine, payment)).toMatchObject({ refunded: payment.amount });
  });

  it('goes on to the next gateway when a person saw that the charge never arrived', async () => {
    const office = await openOffice(api, ['gateway_3', 'gateway_1']);
    const payment = await stuck(office, { drop: 'before' });
    expectStatus(await say(office.byToken, payment, { outcome: 'absent' }), 202);
    const approved = await untilStatus(office.byKey, payment, 'approved');
    expect(approved.transactions.map(({ gateway, status }) => [gateway, status])).toEqual([
      ['gateway_3', 'abandoned'],
      ['gateway_1', 'approved'],
    ]);
    expect(await ledgerOf(api.engine, payment)).toMatchObject({ captured: payment.amount });
  });

  it('has the gateway asked again, and then waits for a person again', async () => {
    const office = await openOffice(api, ['gateway_3']);
    const payment = await stuck(office);
    expectStatus(await say(office.byToken, payment, { outcome: 'retry' }), 202);
    await untilStuck(api.engine, payment);
    expectStatus(await say(office.byToken, payment, { outcome: 'paid' }), 200);
    const outcomes = (await wordsOn(office, payment)).map(({ changes }) => changes['outcome']);
    expect(outcomes).toEqual(['paid', 'retry']);
  });

  it.each([
    ['capture', 'approved', { captured_amount: expect.any(Number) }],
    ['cancel', 'canceled', {}],
    ['refund', 'approved', { refunded_amount: 100 }],
  ] as const)('takes a person’s word that a %s was carried out', async (operation, status, change) => {
    const office = await openOffice(api);
    const make = operation === 'refund' ? sale : authorization;
    const payment = await make(office.byKey, { amount: uniqueAmount() });
    await lose(office, payment, operation);
    await untilStuck(api.engine, payment);
    const { body } = expectStatus(await say(office.byToken, payment, { outcome: 'paid' }), 200);
    expect(body).toMatchObject({ status, ...change });
  });

  it('takes a word once: said again it is 409, and nothing more is in the log', async () => {
    const office = await openOffice(api, ['gateway_3']);
    const payment = await stuck(office);
    expectStatus(await say(office.byToken, payment, { outcome: 'paid' }), 200);
    const again = expectStatus(await say(office.byToken, payment, { outcome: 'absent' }), 409);
    expect(again.body).toMatchObject({ code: 'invalid_state', message: expect.stringContaining('approved') });
    expect(await wordsOn(office, payment)).toHaveLength(1);
  });

  it('takes one of two opposite words that are said at once, and tells whoever said the other that it came too late', async () => {
    const office = await openOffice(api, ['gateway_3']);
    const payment = await stuck(office);
    const colleague = (await signIn(api, office.user)).client;
    const answers = await Promise.all([
      say(office.byToken, payment, { outcome: 'paid' }),
      say(colleague, payment, { outcome: 'absent' }),
    ]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(1);
    const outcome = answers[0].status === 409 ? 'absent' : 'paid';
    const words = await wordsOn(office, payment);
    expect(words.map(({ changes }) => changes['outcome'])).toEqual([outcome]);
  });

  it('asks which operation is meant while several wait, and takes the word for that one alone', async () => {
    const office = await openOffice(api);
    const payment = await sale(office.byKey, { amount: uniqueAmount() });
    const first = await lose(office, payment, 'refund');
    const second = await lose(office, payment, 'refund');
    await untilStuck(api.engine, payment);
    const vague = expectStatus(await say(office.byToken, payment, { outcome: 'paid' }), 422);
    expect(Object.keys(vague.body.errors ?? {})).toEqual(['attempt_id']);
    const word = { outcome: 'paid', attempt_id: second };
    await waitFor(async () => expectStatus(await say(office.byToken, payment, word), 200));
    const { transactions } = await found(office.byKey, payment);
    const statuses = new Map(transactions.map(({ id, status }) => [id, status]));
    expect([statuses.get(first), statuses.get(second)]).toEqual(['unknown', 'refunded']);
    const late = expectStatus(await say(office.byToken, payment, word), 409);
    expect(late.body.code).toBe('invalid_state');
  });

  it('answers 409 for a payment of which nothing waits for a person', async () => {
    const office = await openOffice(api);
    const payment = await sale(office.byKey);
    const { body } = expectStatus(await say(office.byToken, payment, { outcome: 'absent' }), 409);
    expect(body).toMatchObject({ code: 'invalid_state', message: expect.stringContaining('approved') });
    expect(await wordsOn(office, payment)).toEqual([]);
  });

  it.each([
    ['outcome', 'is none of the three', { outcome: 'perhaps' }],
    ['outcome', 'is left out', { outcome: undefined }],
    ['reason', 'is too short', { outcome: 'paid', reason: 'ok' }],
    ['reason', 'is too long', { outcome: 'paid', reason: 'x'.repeat(501) }],
    ['attempt_id', 'is no id', { outcome: 'paid', attempt_id: 'none' }],
    ['attempt_id', 'is no operation of the payment', { outcome: 'paid', attempt_id: randomUUID() }],
  ])('answers 422 on %s that %s', async (field, _, word) => {
    const office = await openOffice(api);
    const payment = await sale(office.byKey);
    const { body } = expectStatus(await say(office.byToken, payment, word), 422);
    expect(Object.keys(body.errors ?? {})).toEqual([field]);
  });

  it('refuses a gateway’s id for anything but a charge that is paid', async () => {
    const office = await openOffice(api, ['gateway_3']);
    const payment = await stuck(office);
    const word = { outcome: 'absent', gateway_transaction_id: 'ch_1' };
    const { body } = expectStatus(await say(office.byToken, payment, word), 422);
    expect(Object.keys(body.errors ?? {})).toEqual(['gateway_transaction_id']);
    expect(await wordsOn(office, payment)).toEqual([]);
  });

  it('does not let a person say that a pix paid in part is not paid', async () => {
    const office = await openOffice(api);
    const payment = await pendingPix(office.byKey, { amount: uniqueAmount() });
    await api.engine.simulator.pay(payment.transaction_id, 100);
    const advance_to = new Date(Date.now() + 2 * 86_400_000).toISOString();
    expectStatus(await office.byKey('movePaymentClock', to(payment, { body: { advance_to } })), 200);
    await untilStuck(api.engine, payment);
    const { body } = expectStatus(await say(office.byToken, payment, { outcome: 'absent' }), 422);
    expect(Object.keys(body.errors ?? {})).toEqual(['outcome']);
    const paid = expectStatus(await say(office.byToken, payment, { outcome: 'paid' }), 200);
    expect(paid.body).toMatchObject({ status: 'approved', captured_amount: 100 });
    expect(await wordsOn(office, payment)).toHaveLength(1);
  });
});

/** Work that is to be a part of this transaction. */
function inside(tx: Tx) {
  return <T>(work: (tx: Tx) => Promise<T>): Promise<T> => work(tx);
}

describe('a word that was taken', () => {
  it('is acted on after the answer, where that takes long: 202', async () => {
    const office = await openOffice(api, ['gateway_3']);
    const payment = await stuck(office);
    const { parts } = api.engine;
    const said = await parts.db.inTransaction(async (tx) => {
      await parts.payments.lock(tx, payment.transaction_id);
      const client = tokenClient(hasty.baseUrl, office.user.registered.token);
      return say(client, payment, { outcome: 'paid' });
    });
    expect(expectStatus(said, 202).body.status).toBe('processing');
    await untilStatus(office.byKey, payment, 'approved');
    expect(await wordsOn(office, payment)).toHaveLength(1);
  });

  it.each(['paid', 'retry'] as const)(
    'is acted on once, also when a worker dies between doing so and telling: %s',
    async (outcome) => {
      const office = await openOffice(api, ['gateway_3']);
      const { transaction_id: transactionId, ...payment } = await stuck(office);
      const resolution = await resolutionOf(api.engine, transactionId, outcome);
      const { attemptId } = resolution;
      const input = { companyId: office.companyId, transactionId, attemptId, resolution };
      const act = outcome === 'retry' ? restartInquirySchedule : resolveAttempt;
      await act(api.engine.deps, input);
      await act(api.engine.deps, input);
      expect(await wordsOn(office, { transaction_id: transactionId, ...payment })).toHaveLength(1);
    },
  );

  it('leaves nothing in the log when the question has answered itself', async () => {
    const office = await openOffice(api, ['gateway_3']);
    const payment = await stuck(office);
    const { deps, parts } = api.engine;
    const { attemptId } = await resolutionOf(api.engine, payment.transaction_id, 'absent');
    const handle = parts.temporal.workflow.getHandle(`payment/${payment.transaction_id}`);
    const late = await parts.db.inTransaction(async (tx) => {
      await parts.payments.lock(tx, payment.transaction_id);
      const said = say(office.byToken, payment, { outcome: 'absent' });
      await waitFor(async () => (await handle.describe()).raw.pendingActivities?.length === 1);
      const otherWorker = {
        ...deps,
        db: Object.assign(Object.create(deps.db), { inTransaction: inside(tx) }),
      };
      const seen = { kind: 'confirmed', message: 'seen by another worker' } as const;
      await recordCharge(otherWorker, payment.transaction_id, attemptId, seen, { kind: 'call' });
      return () => said;
    });
    const answer = await late();
    expect(expectStatus(answer, 409).body.code).toBe('invalid_state');
    expect(await wordsOn(office, payment)).toEqual([]);
    expect((await found(office.byKey, payment)).status).toBe('approved');
  });
});
