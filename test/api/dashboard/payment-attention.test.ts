import type { PaymentAttention } from '../../../src/domain/dashboard/payment-attention';
import type { PaymentBody } from '../../../src/presenters/payment';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { untilStuck } from '../support/manual-resolution';
import { found, pendingPix, sale, to, untilStatus } from '../support/payment-scenario';
import { registerDashboardCompany, type DashboardCompany } from './dashboard-company';

let api: EngineApi;
let company: DashboardCompany;
let payments: Record<PaymentAttention, PaymentBody>;
let disputeId: string;

beforeAll(async () => {
  api = await startEngineApi();
  company = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'signed' });
  const { simulator } = api.engine;
  const { byKey } = company;
  const pix = () => pendingPix(byKey, { amount: uniqueAmount() });
  await sale(byKey);
  await pix();
  payments = {
    overpaid: await pix(),
    underpaid: await pix(),
    disputed: await sale(byKey),
    contradicted: await sale(byKey, { amount: uniqueAmount() }),
  };
  const { overpaid, underpaid, disputed, contradicted } = payments;
  await simulator.pay(overpaid.transaction_id, overpaid.amount + 100);
  await untilStatus(byKey, overpaid, 'approved');
  await simulator.pay(underpaid.transaction_id, 100);
  await waitFor(async () => (await found(byKey, underpaid)).paid_amount === 100);
  disputeId = (await simulator.openDispute(disputed.transaction_id)).id;
  await waitFor(async () => (await found(byKey, disputed)).dispute?.status === 'opened');
  await api.engine.context.db.execute(
    'UPDATE payments SET captured_amount_cents = captured_amount_cents - 1 WHERE transaction_id = $1',
    [contradicted.transaction_id],
  );
  await simulator.sendCallbacks(contradicted.transaction_id);
  await untilStuck(api.engine, contradicted);
}, 120_000);
afterAll(() => api.stop());

async function ids(query: Record<string, string>, { byToken } = company): Promise<string[]> {
  const { body } = expectStatus(await byToken('listUserPayments', { query }), 200);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map(({ transaction_id: id }) => id);
}

async function attention({ byToken } = company, query: Record<string, string> = {}) {
  return expectStatus(await byToken('getDashboard', { query }), 200).body.data.attention;
}

const REASONS = ['overpaid', 'underpaid', 'disputed', 'contradicted'] as const satisfies PaymentAttention[];

it.each(REASONS)('a payment that is %s is the only one that the filter finds', async (reason) => {
  const { transaction_id: id, merchant_order_id: order } = payments[reason];
  expect(await ids({ attention: reason })).toEqual([id]);
  expect(await ids({ attention: reason, q: order ?? '' })).toEqual([id]);
  expect(await ids({ attention: reason, status: 'processing' })).toEqual([]);
  const { body } = expectStatus(
    await company.byToken('exportUserPayments', { query: { attention: reason } }),
    200,
  );
  expect(String(body).trim().split('\n')).toEqual([
    expect.stringContaining('transaction_id'),
    expect.stringContaining(id),
  ]);
});

it('each is counted once in the figures of its own company only', async () => {
  expect(await attention()).toEqual({ overpaid: 1, underpaid: 1, disputed: 1, contradicted: 1 });
  const other = await registerDashboardCompany(api, ['gateway_1']);
  expect(await attention(other)).toEqual({ overpaid: 0, underpaid: 0, disputed: 0, contradicted: 0 });
  expect(await ids({ attention: 'disputed' }, other)).toEqual([]);
});

it('those that somebody must decide about are counted whatever the period, and overpaid ones by the period', async () => {
  const march = { from: '2026-03-01', to: '2026-03-31' };
  expect(await attention(company, march)).toEqual({
    overpaid: 0,
    underpaid: 1,
    disputed: 1,
    contradicted: 1,
  });
});

it('a payment needs no attention any more once the part is refunded, the dispute decided or the records confirmed', async () => {
  const { underpaid, contradicted } = payments;
  expectStatus(await company.byKey('refundPayment', to(underpaid, { body: {} })), 200);
  const body = { outcome: 'paid', reason: 'the records are right' };
  expectStatus(await company.byToken('resolvePayment', to(contradicted, { body })), 200);
  await api.engine.simulator.changeDispute(disputeId, { status: 'won' });
  await waitFor(async () => (await attention()).disputed === 0);
  expect(await attention()).toEqual({ overpaid: 1, underpaid: 0, disputed: 0, contradicted: 0 });
});

it('an unknown reason is refused with the field named', async () => {
  const { body } = expectStatus(
    await company.byToken('listUserPayments', { query: { attention: 'late' } }),
    422,
  );
  expect(body).toMatchObject({ code: 'validation_error', errors: { attention: expect.any(Array) } });
});
