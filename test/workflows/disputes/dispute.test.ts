import { applyNews } from '../../../activities/disputes/apply-news';
import { claimAttempt } from '../../../activities/payments/claim-attempt';
import { disputeIdOf } from '../../../src/domain/shared/ids';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { found, sale, to } from '../../api/support/payment-scenario';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import {
  disputeEvents,
  disputePostings,
  onlyDispute,
  ReportedDispute,
  untilDispute,
  untilProcessed,
} from './dispute-scenario';

let simulator: OwnSimulator;
let api: EngineApi;
let byKey: ApiClient;
let byToken: ApiClient;
let companyId: number;
beforeAll(async () => {
  simulator = await startOwnSimulator();
  const url = `http://127.0.0.1:${simulator.port}/gateway_1`;
  api = await startEngineApi({ GATEWAY_1_URL: url }, { workers: 'payments' });
  ({ byKey, byToken, companyId } = await registerCompanyWithUser(api));
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

/** As if the process had died between the commit and the signal. */
async function sendWithoutSignal(body: Record<string, unknown>, dispute: ReportedDispute): Promise<void> {
  const unreachable = jest
    .spyOn(api.engine.context.temporal.workflow, 'signalWithStart')
    .mockRejectedValueOnce(new Error('the process is gone'));
  await dispute.send(body);
  unreachable.mockRestore();
}

describe('a dispute that the gateway reports', () => {
  it('holds the money until it is won, lost or opened again, in the payment, the ledger and the events', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const dispute = new ReportedDispute(api, payment);
    await dispute.report({
      status: 'opened',
      amount: 4_000,
      after: 0,
      evidence_due_at: '2099-01-01T00:00:00.000Z',
    });
    const opened = await untilDispute(byToken, payment, 'opened');
    expect(opened).toMatchObject({
      amount: 4_000,
      evidence_due_at: '2099-01-01T00:00:00.000Z',
      closed_at: null,
    });
    expect(await found(byKey, payment)).toMatchObject({
      status: 'approved',
      disputed_amount: 4_000,
      dispute: { id: opened.id, status: 'opened', amount: 4_000, reason_code: '10.4' },
    });
    await dispute.report({ status: 'won', amount: 4_000, returned_amount: 1_500, after: 10 });
    await untilDispute(byToken, payment, 'won');
    expect(await found(byKey, payment)).toMatchObject({
      disputed_amount: 2_500,
      dispute: { status: 'won', returned_amount: 1_500 },
    });
    await dispute.report({ status: 'opened', amount: 4_000, after: 20 });
    await untilDispute(byToken, payment, 'opened');
    await dispute.report({ status: 'lost', amount: 4_000, after: 30 });
    const lost = await untilDispute(byToken, payment, 'lost');
    expect(lost).toMatchObject({ id: opened.id, returned_amount: 0, loss_to_settle: 0 });
    expect(await found(byKey, payment)).toMatchObject({ disputed_amount: 4_000 });
    expect(await disputePostings(byToken, payment)).toEqual([
      ['dispute_held', 'dispute_hold 4000', 'gateway_receivable -4000'],
      ['dispute_lost', 'dispute_hold -4000', 'gateway_receivable 1500', 'dispute_losses 2500'],
      ['dispute_held', 'dispute_hold 4000', 'gateway_receivable -1500', 'dispute_losses -2500'],
      ['dispute_lost', 'dispute_hold -4000', 'dispute_losses 4000'],
    ]);
    expect(await disputeEvents(api, opened.id)).toEqual(['opened', 'closed', 'opened', 'closed']);
  });

  it('keeps its money from being refunded, and lets the rest be refunded', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const dispute = new ReportedDispute(api, payment);
    await dispute.report({ status: 'opened', amount: 3_000, after: 0 });
    await untilDispute(byToken, payment, 'opened');
    const refused = expectStatus(await byKey('refundPayment', to(payment, { body: { amount: 2_001 } })), 409);
    expect(refused.body).toMatchObject({ code: 'payment_disputed' });
    expectStatus(await byKey('refundPayment', to(payment, { body: { amount: 2_000 } })), 200);
    expectStatus(await byKey('refundPayment', to(payment)), 409);
    await dispute.report({ status: 'won', amount: 3_000, returned_amount: 3_000, after: 1 });
    await untilDispute(byToken, payment, 'won');
    expectStatus(await byKey('refundPayment', to(payment)), 200);
    expect(await found(byKey, payment)).toMatchObject({ status: 'refunded', refunded_amount: 5_000 });
  });

  it('keeps a refund that was in flight when it was opened, and shows it as a loss to settle', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const { transaction_id } = payment;
    await simulator.control.script({ transaction_id, operation: 'refund' }, { delay_ms: 500 });
    const refund = byKey('refundPayment', to(payment, { body: { amount: 2_000 } }));
    const asked = () => simulator.control.requests(transaction_id);
    await waitFor(async () => (await asked()).some(({ operation }) => operation === 'refund'));
    await new ReportedDispute(api, payment).report({ status: 'opened', amount: 5_000, after: 0 });
    await untilDispute(byToken, payment, 'opened');
    expectStatus(await refund, 200);
    expect(await found(byKey, payment)).toMatchObject({ refunded_amount: 2_000, disputed_amount: 5_000 });
    expect((await onlyDispute(byToken, payment)).loss_to_settle).toBe(2_000);
  });

  it('keeps a refund from being sent that was requested before and not sent yet', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const { transaction_id } = payment;
    const { context } = api.engine;
    await new ReportedDispute(api, payment).report({ status: 'opened', amount: 5_000, after: 0 });
    await untilDispute(byToken, payment, 'opened');
    // As if the request had been committed before the dispute.
    const [refund] = await context.db.query<{ id: string }>(
      `INSERT INTO gateway_attempts (id, payment_id, company_id, attempt, operation, gateway_slug, secret_id, reference, status,
         amount_cents, target_attempt_id, created_at, updated_at)
       SELECT gen_random_uuid(), payment_id, company_id, 2, 'refund', gateway_slug, secret_id, reference || '-refund',
         'requested', amount_cents, id, now(), now()
         FROM gateway_attempts WHERE payment_id = (SELECT id FROM payments WHERE transaction_id = $1) RETURNING id`,
      [transaction_id],
    );
    const claimed = await claimAttempt(api.engine.deps, { companyId, transactionId: transaction_id });
    expect(claimed.kind).toBe('nothing');
    const stored = await context.attempts.find(refund?.id ?? '');
    expect(stored).toMatchObject({ status: 'error', responseCode: 'payment_disputed', sentAt: null });
  });

  it('is shown as a loss to settle if its money was refunded before', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    expectStatus(await byKey('refundPayment', to(payment, { body: { amount: 4_000 } })), 200);
    await new ReportedDispute(api, payment).report({ status: 'opened', amount: 5_000, after: 0 });
    const dispute = await untilDispute(byToken, payment, 'opened');
    expect(dispute.loss_to_settle).toBe(4_000);
    const listed = async (loss_to_settle: 'true' | 'false') => {
      const query = { loss_to_settle, transaction_id: payment.transaction_id };
      return expectStatus(await byToken('listDisputes', { query }), 200).body.data.length;
    };
    expect([await listed('true'), await listed('false')]).toEqual([1, 0]);
  });

  it('counts once however often and in whatever order its callbacks come', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const dispute = new ReportedDispute(api, payment);
    const opened = dispute.callback({ status: 'opened', amount: 5_000, after: 0 });
    const lost = dispute.callback({ status: 'lost', amount: 5_000, after: 10 });
    await Promise.all([lost, opened, lost, opened, opened].map((body) => dispute.send(body)));
    await untilDispute(byToken, payment, 'lost');
    await dispute.report({ status: 'opened', amount: 5_000, after: 0 });
    await untilProcessed(api, payment);
    const { id, status } = await onlyDispute(byToken, payment);
    expect(status).toBe('lost');
    expect((await disputeEvents(api, id)).at(-1)).toBe('closed');
    const lines = (await disputePostings(byToken, payment)).flatMap(([, ...postings]) => postings);
    const sum = (account: string) =>
      lines
        .filter((line) => line.startsWith(`${account} `))
        .reduce((total, line) => total + Number(line.split(' ')[1]), 0);
    expect(['gateway_receivable', 'dispute_hold', 'dispute_losses'].map(sum)).toEqual([-5_000, 0, 5_000]);
  });

  it('counts once if several workers apply the same callback at the same time', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const { transaction_id: transactionId } = payment;
    const { context, deps } = api.engine;
    const dispute = new ReportedDispute(api, payment);
    const { id: chargeId } = payment.transactions[0] ?? { id: '' };
    const input = { companyId, transactionId, disputeId: disputeIdOf(chargeId, dispute.gatewayId) };
    await sendWithoutSignal(dispute.callback({ status: 'opened', amount: 5_000, after: 0 }), dispute);
    const [news] = await context.disputeNews.list(transactionId, input.disputeId);
    if (news === undefined) throw new Error('the callback is not stored');
    const published = await Promise.all([1, 2, 3].map(() => applyNews(deps, input, news)));
    expect(published.filter((type) => type !== null)).toEqual(['transaction.dispute.opened']);
    await untilProcessed(api, payment);
    const { id } = await untilDispute(byToken, payment, 'opened');
    expect(await disputeEvents(api, id)).toEqual(['opened']);
    expect(await disputePostings(byToken, payment)).toHaveLength(1);
  });

  it('a retrieval request moves no money, and cannot be refunded while it is open', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const dispute = new ReportedDispute(api, payment);
    await dispute.report({ kind: 'retrieval', status: 'opened', amount: 5_000, after: 0 });
    await untilDispute(byToken, payment, 'opened');
    expectStatus(await byKey('refundPayment', to(payment)), 409);
    await dispute.report({ kind: 'retrieval', status: 'lost', amount: 5_000, after: 1 });
    await untilDispute(byToken, payment, 'lost');
    expect(await disputePostings(byToken, payment)).toEqual([]);
    expect(await found(byKey, payment)).toMatchObject({ disputed_amount: 0 });
  });

  it('keeps its customer from being erased until it is decided', async () => {
    const own = await registerCompanyWithUser(api);
    const payment = await sale(own.byKey, { amount: 5_000 });
    const dispute = new ReportedDispute(api, payment);
    await dispute.report({ status: 'opened', amount: 5_000, after: 0 });
    const { id } = await untilDispute(own.byToken, payment, 'opened');
    const params = { token: payment.customer?.token ?? '' };
    const refused = expectStatus(await own.byKey('eraseCustomer', { params }), 409);
    expect(refused.body).toMatchObject({ code: 'invalid_state', resource_id: id });
    await dispute.report({ status: 'lost', amount: 5_000, after: 1 });
    await untilDispute(own.byToken, payment, 'lost');
    expectStatus(await own.byKey('eraseCustomer', { params }), 204);
  });

  it('an unsigned callback opens nothing', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const body = new ReportedDispute(api, payment).callback({ status: 'opened', amount: 5_000, after: 0 });
    expectStatus(await api.anonymous('receiveCallback', { params: { gateway: 'gateway_1' }, body }), 200);
    expect(await found(byKey, payment)).toMatchObject({ disputed_amount: 0, dispute: null });
  });
});

describe('the workflow of a dispute', () => {
  it('is started by the sweeper if the process died after it had stored the callback', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const { context } = api.engine;
    const dispute = new ReportedDispute(api, payment);
    await sendWithoutSignal(dispute.callback({ status: 'opened', amount: 5_000, after: 0 }), dispute);
    expect(await found(byKey, payment)).toMatchObject({ dispute: null });
    await context.db.query(
      `UPDATE gateway_callbacks SET recover_after = received_at
        WHERE dispute_id IS NOT NULL AND processed_at IS NULL
          AND payment_id = (SELECT id FROM payments WHERE transaction_id = $1)`,
      [payment.transaction_id],
    );
    await api.engine.sweeper.sweepOnce();
    await untilDispute(byToken, payment, 'opened');
  });

  it('reminds once, halfway to a deadline that is near', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const dispute = new ReportedDispute(api, payment);
    const near = new Date(Date.now() + 60_000).toISOString();
    // Opened long before the deadline, so the reminder is overdue.
    await dispute.report({ status: 'opened', amount: 5_000, after: 0, evidence_due_at: near });
    const { id } = await untilDispute(byToken, payment, 'opened');
    await waitFor(async () => (await disputeEvents(api, id)).length === 2);
    await dispute.report({ status: 'opened', amount: 5_000, after: 5, evidence_due_at: near });
    await untilProcessed(api, payment);
    await dispute.report({ status: 'lost', amount: 5_000, after: 10 });
    await untilDispute(byToken, payment, 'lost');
    expect(await disputeEvents(api, id)).toEqual(['opened', 'evidence_due', 'closed']);
  });
});

describe('GET /user/disputes', () => {
  it('filters by status, gateway and deadline, and shows nothing of other companies', async () => {
    const own = await registerCompanyWithUser(api);
    const payment = await sale(own.byKey, { amount: 5_000 });
    await new ReportedDispute(api, payment).report({
      ...{ status: 'opened', amount: 5_000, after: 0 },
      evidence_due_at: '2099-01-01T00:00:00.000Z',
    });
    const { id } = await untilDispute(own.byToken, payment, 'opened');
    const ids = async (query: Record<string, string>) =>
      expectStatus(await own.byToken('listDisputes', { query }), 200).body.data.map((dispute) => dispute.id);
    expect(await ids({})).toEqual([id]);
    expect(await ids({ status: 'opened', gateway: 'gateway_1', kind: 'chargeback' })).toEqual([id]);
    expect(await ids({ status: 'won' })).toEqual([]);
    expect(await ids({ gateway: 'gateway_2' })).toEqual([]);
    expect(await ids({ due_before: '2099-01-01T00:00:00.001Z' })).toEqual([id]);
    expect(await ids({ due_before: '2099-01-01T00:00:00.000Z' })).toEqual([]);
    const one = expectStatus(await own.byToken('getDispute', { params: { id } }), 200).body.data;
    expect(one).toMatchObject({ id, transaction_id: payment.transaction_id, status: 'opened' });
    expectStatus(await byToken('getDispute', { params: { id } }), 404);
    expectStatus(await own.byToken('listDisputes', { query: { status: 'reopened' } }), 422);
  });
});

describe('the simulator', () => {
  it('makes a dispute on demand, moves its ledger and sends callbacks that the engine understands', async () => {
    const own = await registerCompanyWithUser(api);
    const secret = `sk_test_${own.keys['X-Client-ID']}`;
    await simulator.control.setUpAccount(secret, { callback_url: `${api.baseUrl}/api/v1` });
    const payment = await sale(own.byKey, { amount: 5_000 });
    const { transaction_id } = payment;
    const { id } = await simulator.control.openDispute(transaction_id, {
      amount: 3_000,
      evidence_due_in: 864_000,
    });
    expect(await untilDispute(own.byToken, payment, 'opened')).toMatchObject({
      gateway_dispute_id: id,
      amount: 3_000,
    });
    await simulator.control.changeDispute(id, { status: 'won', returned: 1_000 });
    await untilDispute(own.byToken, payment, 'won');
    await simulator.control.changeDispute(id, { status: 'reopened' });
    await untilDispute(own.byToken, payment, 'opened');
    await simulator.control.changeDispute(id, { status: 'lost' });
    await untilDispute(own.byToken, payment, 'lost');
    const { entries } = await simulator.control.ledger(transaction_id);
    const moved = entries.filter(({ kind }) => kind.startsWith('dispute'));
    expect(moved.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['disputed', 3_000],
      ['dispute_returned', 1_000],
      ['disputed', 1_000],
    ]);
  });
});
