import { randomUUID } from 'node:crypto';
import { applyResolution } from '../../../activities/payments/apply-resolution';
import { recordCharge } from '../../../activities/payments/record-charge';
import {
  ResolvePayment,
  type ResolvePaymentCommand,
  type ResolvePaymentDeps,
} from '../../../src/application/payments/resolve-payment';
import type { ResolutionOutcome } from '../../../src/domain/payments/manual-resolution';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import type { PaymentBody } from '../../../src/presenters/payment';
import { adminOf } from '../../support/fixtures/admin';
import { ledgerOf, uniqueAmount } from '../../support/scenarios/pay';
import { insertResolution } from '../../support/scenarios/resolve';
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

describe('a committed resolution', () => {
  it('is applied after a 202 if that takes long', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const payment = await createStuckPayment(company);
    const { context } = api.engine;
    const said = await context.db.inTransaction(async (tx) => {
      // The transaction that applies the resolution waits to write its audit entry.
      await context.db.query('LOCK TABLE audit_log IN SHARE MODE', [], tx);
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
      const { id: resolutionId, attemptId } = await insertResolution(api.engine, transactionId, outcome);
      const input = { companyId: company.companyId, transactionId, resolutionId };
      for (let times = 0; times < 2; times += 1) {
        const { restartedAttemptId } = await applyResolution(api.engine.deps, input);
        expect(restartedAttemptId).toBe(outcome === 'retry' ? attemptId : null);
      }
      expect(await resolutionsOf(company, { transaction_id: transactionId, ...payment })).toHaveLength(1);
    },
  );

  it('is applied by the sweeper if the process dies before it tells the workflow', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const payment = await createStuckPayment(company);
    const dying = resolvePayment({ awaitResolution: () => Promise.resolve('pending') });
    const answer = await dying.execute(await commandOf(company, payment, 'paid'));
    expect(answer).toMatchObject({ kind: 'payment', inProgress: true });
    const { db } = api.engine.context;
    await db.query('UPDATE payments SET recover_after = now() WHERE transaction_id = $1', [
      payment.transaction_id,
    ]);
    await api.engine.sweeper.sweepOnce();
    await untilStatus(company.byKey, payment, 'approved');
    expect(await resolutionsOf(company, payment)).toHaveLength(1);
  });

  it('is answered with 409, and leaves no audit entry, if the operation got its result in another way', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const payment = await createStuckPayment(company);
    const { deps } = api.engine;
    const { transaction_id: transactionId, transactions } = await found(company.byKey, payment);
    const late = resolvePayment({
      awaitResolution: async (_, resolutionId) => {
        const seen = { kind: 'confirmed', message: 'seen by another worker' } as const;
        const sent = { id: transactions[0]?.id ?? '', sendCount: 1 };
        await recordCharge(deps, transactionId, sent, seen, { kind: 'call' });
        await applyResolution(deps, { companyId: company.companyId, transactionId, resolutionId });
        return 'completed';
      },
    });
    await expect(late.execute(await commandOf(company, payment, 'absent'))).rejects.toMatchObject({
      code: 'invalid_state',
    });
    expect(await resolutionsOf(company, payment)).toEqual([]);
    expect((await found(company.byKey, payment)).status).toBe('approved');
  });

  it('does not apply to an operation that was sent again since it was made, because that one may be in flight', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const { transaction_id: transactionId, ...payment } = await createStuckPayment(company);
    const { id: resolutionId, attemptId } = await insertResolution(api.engine, transactionId, 'absent');
    const { context, deps } = api.engine;
    await context.db.inTransaction((tx) => context.attempts.markEscalated(tx, attemptId, null));
    await applyResolution(deps, { companyId: company.companyId, transactionId, resolutionId });
    expect((await context.attempts.find(attemptId))?.status).toBe('unknown');
    expect(await resolutionsOf(company, { transaction_id: transactionId, ...payment })).toEqual([]);
  });
});

/** The use case with another connection to the workflow. */
function resolvePayment(workflows: ResolvePaymentDeps['workflows']): ResolvePayment {
  const { context, payments, config } = api.engine;
  const { syncTimeoutMs } = config.payments;
  const { findPayment } = payments;
  return new ResolvePayment({
    ...context,
    findPayment,
    workflows,
    syncTimeoutMs,
    reportError: () => undefined,
  });
}

async function commandOf(
  { companyId }: CompanyWithUser,
  { transaction_id: id }: PaymentBody,
  outcome: ResolutionOutcome,
): Promise<ResolvePaymentCommand> {
  const actor = await adminOf(api.engine.context, companyId);
  const resolution = { outcome, reason: REASON, attemptId: null, gatewayTransactionId: null };
  return { actor, id, resolution, receivedAt: new Date() };
}
