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
import {
  registerCompanyWithUser,
  stuckCharge,
  untilStuck,
  type CompanyWithUser,
} from '../support/manual-resolution';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { serve } from '../support/serve';
import { authorization, found, pendingPix, sale, to, untilStatus } from '../support/payment-scenario';
import { signIn, tokenClient } from '../users/user-api';

const REASON = 'seen on the page of the gateway';

let api: EngineApi;
/** An API that answers 202 soon, before a gateway that lost something answers. */
let shortTimeoutApi: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  api = await startEngineApi({ STUCK_AFTER: '2', PAYMENT_SYNC_TIMEOUT: '30' }, { workers: 'payments' });
  const { config, context } = api.engine;
  shortTimeoutApi = await serve({
    config: { ...config, payments: { ...config.payments, syncTimeoutMs: 800 } },
    context,
  });
});
afterAll(async () => {
  await shortTimeoutApi.close();
  await api.stop();
});

/** A payment whose charge needs a manual resolution. */
const createStuckPayment = (company: CompanyWithUser, behavior?: object) =>
  stuckCharge(api, { byKey: apiClient(shortTimeoutApi.baseUrl, company.keys) }, behavior);

const resolve = (client: ApiClient, payment: PaymentBody, resolution: object) =>
  client('resolvePayment', to(payment, { body: { reason: REASON, ...resolution } }));

/** The audit entries of resolutions of the payment, newest first. */
async function resolutionsOf({ byToken }: CompanyWithUser, { transaction_id: id }: PaymentBody) {
  const query = { action: 'payment.resolve', subject_type: 'payment', subject_id: id };
  return expectStatus(await byToken('listAuditLog', { query }), 200).body.data;
}

/** Loses an operation at a gateway whose inquiries fail from then on; returns the attempt’s id. */
async function loseOperation(
  company: CompanyWithUser,
  payment: PaymentBody,
  operation: PaymentOperation,
  behavior: object = { drop: 'after' },
): Promise<string> {
  const { transaction_id } = payment;
  const { simulator } = api.engine;
  await simulator.script({ transaction_id, operation }, behavior);
  await simulator.script({ transaction_id, operation: 'inquiry' }, { status: 500 }, 0);
  const request = to(payment, operation === 'refund' ? { body: { amount: 100 } } : {});
  const byKey = apiClient(shortTimeoutApi.baseUrl, company.keys);
  const ask: Record<PaymentOperation, () => Promise<{ readonly status: number; readonly body: unknown }>> = {
    capture: () => byKey('capturePayment', request),
    cancel: () => byKey('cancelPayment', request),
    refund: () => byKey('refundPayment', request),
  };
  expectStatus(await ask[operation](), 202);
  const { transactions } = await found(company.byKey, payment);
  return transactions.at(-1)?.id ?? '';
}

describe('POST /user/payments/{id}/resolve', () => {
  it('approves a charge that an operator saw at the gateway, and later operations use the charge id from the resolution', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const payment = await createStuckPayment(company);
    const { entries } = await api.engine.simulator.ledger(payment.transaction_id);
    const chargeId = entries[0]?.charge_id ?? '';
    const resolution = { outcome: 'paid', gateway_transaction_id: chargeId };
    const { body } = expectStatus(await resolve(company.byToken, payment, resolution), 200);
    expect(body).toMatchObject({ status: 'approved', captured_amount: payment.amount });
    expect(await resolutionsOf(company, payment)).toMatchObject([
      {
        user: { email: company.user.email },
        changes: { ...resolution, reason: REASON, attempt_id: body.transactions[0]?.id },
      },
    ]);
    const refunded = expectStatus(await company.byToken('refundUserPayment', to(payment)), 200);
    expect(refunded.body.status).toBe('refunded');
    expect(await ledgerOf(api.engine, payment)).toMatchObject({ refunded: payment.amount });
  });

  it('tries the next gateway after an operator saw that the charge never arrived', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3', 'gateway_1']);
    const payment = await createStuckPayment(company, { drop: 'before' });
    expectStatus(await resolve(company.byToken, payment, { outcome: 'absent' }), 202);
    const approved = await untilStatus(company.byKey, payment, 'approved');
    expect(approved.transactions.map(({ gateway, status }) => [gateway, status])).toEqual([
      ['gateway_3', 'abandoned'],
      ['gateway_1', 'approved'],
    ]);
    expect(await ledgerOf(api.engine, payment)).toMatchObject({ captured: payment.amount });
  });

  it('queries the gateway again after a retry, and then needs another resolution', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const payment = await createStuckPayment(company);
    expectStatus(await resolve(company.byToken, payment, { outcome: 'retry' }), 202);
    await untilStuck(api.engine, payment);
    expectStatus(await resolve(company.byToken, payment, { outcome: 'paid' }), 200);
    const outcomes = (await resolutionsOf(company, payment)).map(({ changes }) => changes['outcome']);
    expect(outcomes).toEqual(['paid', 'retry']);
  });

  it.each([
    ['capture', 'approved', { captured_amount: expect.any(Number) }],
    ['cancel', 'canceled', {}],
    ['refund', 'approved', { refunded_amount: 100 }],
  ] as const)('accepts that a %s was executed', async (operation, status, change) => {
    const company = await registerCompanyWithUser(api);
    const make = operation === 'refund' ? sale : authorization;
    const payment = await make(company.byKey, { amount: uniqueAmount() });
    await loseOperation(company, payment, operation);
    await untilStuck(api.engine, payment);
    const { body } = expectStatus(await resolve(company.byToken, payment, { outcome: 'paid' }), 200);
    expect(body).toMatchObject({ status, ...change });
  });

  it('applies a resolution once, and answers 409 without another audit entry if it is repeated', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const payment = await createStuckPayment(company);
    expectStatus(await resolve(company.byToken, payment, { outcome: 'paid' }), 200);
    const again = expectStatus(await resolve(company.byToken, payment, { outcome: 'absent' }), 409);
    expect(again.body).toMatchObject({ code: 'invalid_state', message: expect.stringContaining('approved') });
    expect(await resolutionsOf(company, payment)).toHaveLength(1);
  });

  it('applies one of two conflicting concurrent resolutions, and answers 409 to the other', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const payment = await createStuckPayment(company);
    const colleague = (await signIn(api, company.user)).client;
    const answers = await Promise.all([
      resolve(company.byToken, payment, { outcome: 'paid' }),
      resolve(colleague, payment, { outcome: 'absent' }),
    ]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(1);
    const outcome = answers[0].status === 409 ? 'absent' : 'paid';
    const resolutions = await resolutionsOf(company, payment);
    expect(resolutions.map(({ changes }) => changes['outcome'])).toEqual([outcome]);
  });

  it('requires the attempt if several operations are unresolved, and resolves only that one', async () => {
    const company = await registerCompanyWithUser(api);
    const payment = await sale(company.byKey, { amount: uniqueAmount() });
    const first = await loseOperation(company, payment, 'refund');
    const second = await loseOperation(company, payment, 'refund');
    await untilStuck(api.engine, payment);
    const vague = expectStatus(await resolve(company.byToken, payment, { outcome: 'paid' }), 422);
    expect(Object.keys(vague.body.errors ?? {})).toEqual(['attempt_id']);
    const resolution = { outcome: 'paid', attempt_id: second };
    await waitFor(async () => expectStatus(await resolve(company.byToken, payment, resolution), 200));
    const { transactions } = await found(company.byKey, payment);
    const statuses = new Map(transactions.map(({ id, status }) => [id, status]));
    expect([statuses.get(first), statuses.get(second)]).toEqual(['unknown', 'refunded']);
    const late = expectStatus(await resolve(company.byToken, payment, resolution), 409);
    expect(late.body.code).toBe('invalid_state');
  });

  it('answers 409 for a payment without an unresolved operation', async () => {
    const company = await registerCompanyWithUser(api);
    const payment = await sale(company.byKey);
    const { body } = expectStatus(await resolve(company.byToken, payment, { outcome: 'absent' }), 409);
    expect(body).toMatchObject({ code: 'invalid_state', message: expect.stringContaining('approved') });
    expect(await resolutionsOf(company, payment)).toEqual([]);
  });

  it.each([
    ['outcome', 'is none of the three', { outcome: 'perhaps' }],
    ['outcome', 'is left out', { outcome: undefined }],
    ['reason', 'is too short', { outcome: 'paid', reason: 'ok' }],
    ['reason', 'is too long', { outcome: 'paid', reason: 'x'.repeat(501) }],
    ['attempt_id', 'is no id', { outcome: 'paid', attempt_id: 'none' }],
    ['attempt_id', 'is no operation of the payment', { outcome: 'paid', attempt_id: randomUUID() }],
  ])('answers 422 on %s that %s', async (field, _, resolution) => {
    const company = await registerCompanyWithUser(api);
    const payment = await sale(company.byKey);
    const { body } = expectStatus(await resolve(company.byToken, payment, resolution), 422);
    expect(Object.keys(body.errors ?? {})).toEqual([field]);
  });

  it('rejects a gateway’s id except for a charge with the outcome paid', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const payment = await createStuckPayment(company);
    const resolution = { outcome: 'absent', gateway_transaction_id: 'ch_1' };
    const { body } = expectStatus(await resolve(company.byToken, payment, resolution), 422);
    expect(Object.keys(body.errors ?? {})).toEqual(['gateway_transaction_id']);
    expect(await resolutionsOf(company, payment)).toEqual([]);
  });

  it('rejects the outcome absent for a pix that is partly paid', async () => {
    const company = await registerCompanyWithUser(api);
    const payment = await pendingPix(company.byKey, { amount: uniqueAmount() });
    await api.engine.simulator.pay(payment.transaction_id, 100);
    const advance_to = new Date(Date.now() + 2 * 86_400_000).toISOString();
    expectStatus(await company.byKey('movePaymentClock', to(payment, { body: { advance_to } })), 200);
    await untilStuck(api.engine, payment);
    const { body } = expectStatus(await resolve(company.byToken, payment, { outcome: 'absent' }), 422);
    expect(Object.keys(body.errors ?? {})).toEqual(['outcome']);
    const paid = expectStatus(await resolve(company.byToken, payment, { outcome: 'paid' }), 200);
    expect(paid.body).toMatchObject({ status: 'approved', captured_amount: 100 });
    expect(await resolutionsOf(company, payment)).toHaveLength(1);
  });
});

/** Runs inside the transaction that applies the resolution. */
function inside(tx: Tx) {
  return <T>(work: (tx: Tx) => Promise<T>): Promise<T> => work(tx);
}

describe('an accepted resolution', () => {
  it('is applied after a 202 if that takes long', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const payment = await createStuckPayment(company);
    const { context } = api.engine;
    const said = await context.db.inTransaction(async (tx) => {
      await context.payments.lock(tx, payment.transaction_id);
      const client = tokenClient(shortTimeoutApi.baseUrl, company.user.registered.token);
      return resolve(client, payment, { outcome: 'paid' });
    });
    expect(expectStatus(said, 202).body.status).toBe('processing');
    await untilStatus(company.byKey, payment, 'approved');
    expect(await resolutionsOf(company, payment)).toHaveLength(1);
  });

  it.each(['paid', 'retry'] as const)(
    'is applied once, even if a worker crashes between applying it and answering: %s',
    async (outcome) => {
      const company = await registerCompanyWithUser(api, ['gateway_3']);
      const { transaction_id: transactionId, ...payment } = await createStuckPayment(company);
      const resolution = await resolutionOf(api.engine, transactionId, outcome);
      const { attemptId } = resolution;
      const input = { companyId: company.companyId, transactionId, attemptId, resolution };
      const act = outcome === 'retry' ? restartInquirySchedule : resolveAttempt;
      await act(api.engine.deps, input);
      await act(api.engine.deps, input);
      expect(await resolutionsOf(company, { transaction_id: transactionId, ...payment })).toHaveLength(1);
    },
  );

  it('leaves no audit entry if the operation got its result in another way', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const payment = await createStuckPayment(company);
    const { deps, context } = api.engine;
    const { attemptId } = await resolutionOf(api.engine, payment.transaction_id, 'absent');
    const handle = context.temporal.workflow.getHandle(`payment/${payment.transaction_id}`);
    const late = await context.db.inTransaction(async (tx) => {
      await context.payments.lock(tx, payment.transaction_id);
      const said = resolve(company.byToken, payment, { outcome: 'absent' });
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
    expect(await resolutionsOf(company, payment)).toEqual([]);
    expect((await found(company.byKey, payment)).status).toBe('approved');
  });
});
