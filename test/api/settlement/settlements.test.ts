import { randomUUID } from 'node:crypto';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { paidPix, TODAY } from '../../workflows/settlement/settlement-scenario';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser, stuckCharge } from '../support/manual-resolution';
import { found, to } from '../support/payment-scenario';
import { statementFile, upload } from './statement-file';

let simulator: OwnSimulator;
let api: EngineApi;
beforeAll(async () => {
  simulator = await startOwnSimulator();
  const settings = {
    GATEWAY_1_URL: `${simulator.url}/gateway_1`,
    GATEWAY_3_URL: `${simulator.url}/gateway_3`,
  };
  api = await startEngineApi({ ...settings, STUCK_AFTER: '2' }, { workers: 'payments' });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

const engine = () => ({ ...api.engine, simulator: simulator.control });

async function register(slugs: Parameters<typeof registerCompanyWithUser>[1] = ['gateway_1']) {
  const company = await registerCompanyWithUser(api, slugs);
  const secret = `sk_test_${company.keys['X-Client-ID']}`;
  await simulator.control.setUpAccount(secret, { callback_url: `${api.baseUrl}/api/v1` });
  const headers = { authorization: `Bearer ${company.user.registered.token}` };
  const send = (day: string, body: string, gateway = 'gateway_1') =>
    upload(api.baseUrl, headers, { gateway, day }, body);
  return { ...company, send };
}

type Company = Awaited<ReturnType<typeof register>>;

/** The settlement of an upload, once it is done. */
async function untilDone({ byToken }: Company, id = '') {
  return waitFor(async () => {
    await api.engine.sweeper.sweepOnce();
    const { data } = expectStatus(await byToken('getSettlement', { params: { id } }), 200).body;
    return data.status === 'done' && data;
  });
}

describe('POST /user/settlements/import', () => {
  it('reconciles a statement to the cent, and the same file again changes nothing', async () => {
    const company = await register();
    const payment = await paidPix(engine(), company.byKey, 10_000);
    const { data: lines } = await simulator.control.statement('gateway_1', TODAY, payment.transaction_id);
    const file = statementFile(lines);
    const first = await company.send(TODAY, file);
    expect(first).toMatchObject({ status: 202, body: { data: { lines: 3 } } });
    const audited = `SELECT action, user_id IS NOT NULL AS "byUser", request_id IS NOT NULL AS "byRequest"
                       FROM audit_log WHERE subject_id = $1`;
    expect(await api.engine.context.db.query(audited, [first.body.data?.id])).toEqual([
      { action: 'settlement.import', byUser: true, byRequest: true },
    ]);
    const done = await untilDone(company, first.body.data?.id);
    expect(done).toMatchObject({ day: TODAY, source: 'upload', open_items: 0, lines: 3 });
    expect(done.totals.map(({ kind, net }) => [kind, net])).toEqual([
      ['payout', -9_900],
      ['sale', 9_900],
      ['settled', 9_900],
    ]);
    const entries = async () =>
      expectStatus(await company.byToken('listLedgerEntries', { query: { per_page: 100 } }), 200).body.data;
    const before = await entries();
    expect(before.map(({ kind }) => kind).toSorted()).toEqual(['paid_out', 'received', 'settled']);
    expect(await company.send(TODAY, file)).toMatchObject({ status: 200, body: { data: { id: done.id } } });
    expect(await entries()).toEqual(before);
    expect((await company.send(TODAY, `${file}${file.split('\n')[1]}\n`)).status).toBe(409);
    const list = expectStatus(await company.byToken('listSettlements'), 200).body;
    expect(list).toMatchObject({ reconciled_until: TODAY, meta: { total: 1 } });
  });

  it('names the lines that are wrong, and keeps nothing of the file', async () => {
    const company = await register();
    const header = 'line_id;kind;day;amount;fee;net;currency\n';
    const wrong = await company.send(
      TODAY,
      `${header}1;sale;${TODAY};10,5;0;10;BRL\n2;gift;${TODAY};1;0;1;BRL\n`,
    );
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors?.['body']).toEqual([
      'line 2: amount must be an integer of at least 0; amounts are in cents',
      expect.stringContaining('line 3: kind must be one of sale'),
    ]);
    expect((await company.send(TODAY, 'line_id;kind\n')).body.errors).toMatchObject({
      body: ['line 1: the header lacks day, amount, fee, net, currency'],
    });
    const right = await company.send(TODAY, `${header}1;fee;${TODAY};0;50;-50;BRL\n`);
    expect(right.status).toBe(202);
    expect(await untilDone(company, right.body.data?.id)).toMatchObject({ lines: 1, open_items: 0 });
  });

  it('tells a caller that is still sending what is wrong, and forgets the upload', async () => {
    const company = await register();
    const lines = Array.from({ length: 200_000 }, (_, index) => `${index};sale;${TODAY};-1;0;10;BRL\n`);
    const refused = await company.send(TODAY, `line_id;kind;day;amount;fee;net;currency\n${lines.join('')}`);
    expect(refused.status).toBe(422);
    expect(refused.body.errors?.['body']).toHaveLength(20);
    const list = expectStatus(await company.byToken('listSettlements'), 200).body;
    expect(list).toMatchObject({ data: [], reconciled_until: null, open_items: 0 });
  });

  it('matches lines without any id by amount and time, and only if one payment is possible', async () => {
    const company = await register();
    const amounts = [10_000, 12_000, 12_000];
    const payments = [];
    for (const amount of amounts) payments.push(await paidPix(engine(), company.byKey, amount));
    const { data } = await simulator.control.statement('gateway_1', TODAY, payments[0]?.transaction_id);
    const nameless = data.map((line) => ({ ...line, reference: null, charge_id: null }));
    const sent = await company.send(TODAY, statementFile(nameless));
    await untilDone(company, sent.body.data?.id);
    const items = expectStatus(
      await company.byToken('listSettlementItems', { query: { per_page: 100 } }),
      200,
    );
    const found = items.body.data.map(({ kind, actual_amount: actual }) => [kind, actual]);
    // The sale and the settled line of both. What the records have of them is missing; what is to be settled, if banks are open today.
    const unknown = ['unknown_to_us', 12_000];
    expect(found.filter(([kind]) => kind !== 'missing_there')).toEqual([unknown, unknown, unknown, unknown]);
    expect(found.filter(([kind]) => kind === 'missing_there').length % 2).toBe(0);
  });

  it('resolves a charge without an answer at a gateway that cannot look charges up', async () => {
    const company = await register(['gateway_3']);
    const stuck = await stuckCharge({ ...api, engine: engine() }, company);
    const { data: lines } = await simulator.control.statement('gateway_3', TODAY, stuck.transaction_id);
    const sent = await company.send(TODAY, statementFile(lines), 'gateway_3');
    await untilDone(company, sent.body.data?.id);
    expect((await found(company.byKey, stuck)).status).toBe('approved');
    const items = expectStatus(await company.byToken('listSettlementItems'), 200).body;
    expect(items.data).toEqual([]);
  });
});

describe('GET /user/settlements/items', () => {
  it('shows a difference until a person settles it with a reason, which is audited', async () => {
    const company = await register();
    const { byToken, byKey } = company;
    const { transaction_id } = await paidPix(engine(), byKey, 10_000);
    await simulator.control.plantStatementErrors({ day: TODAY, kind: 'double_charge', transaction_id });
    const { data: lines } = await simulator.control.statement('gateway_1', TODAY, transaction_id);
    const sent = await company.send(TODAY, statementFile(lines));
    await untilDone(company, sent.body.data?.id);
    const items = async (query: Record<string, string>) =>
      expectStatus(await byToken('listSettlementItems', { query }), 200).body.data;
    const [item] = await items({ status: 'open' });
    expect(item).toMatchObject({
      kind: 'charged_twice',
      transaction_id,
      expected_amount: 0,
      actual_amount: 10_000,
    });
    const { evidence } = expectStatus(
      await byToken('getSettlementItem', { params: { id: item?.id ?? '' } }),
      200,
    ).body.data;
    expect(evidence).toMatchObject({
      line: { kind: 'sale', amount: 10_000, line_id: item?.line_id },
      same_lines: [],
      expected: null,
      attempts: [{ operation: 'charge', status: 'approved', amount: 10_000 }],
    });
    expect(evidence.attempts[0]?.gateway_transaction_id).not.toBe(evidence.line?.gateway_transaction_id);
    const until = async () => expectStatus(await byToken('listSettlements'), 200).body.reconciled_until;
    expect(await until()).toBeNull();
    const accounts = async (account_id: string) =>
      expectStatus(await byToken('listSettlements', { query: { account_id } }), 200).body;
    const [settlement] = expectStatus(await byToken('listSettlements'), 200).body.data;
    expect(await accounts(settlement?.account_id ?? '')).toMatchObject({ meta: { total: 1 }, open_items: 1 });
    expect(await accounts(randomUUID())).toMatchObject({ meta: { total: 0 } });
    const request = { params: { id: item?.id ?? '' }, body: { reason: 'Given back on the next day.' } };
    const settled = expectStatus(await byToken('settleSettlementItem', request), 200).body.data;
    expect(settled).toMatchObject({ status: 'settled', reason: 'Given back on the next day.' });
    expectStatus(await byToken('settleSettlementItem', request), 409);
    expect(await items({ status: 'open' })).toEqual([]);
    expect(await items({ kind: 'charged_twice', transaction_id, day: TODAY })).toHaveLength(1);
    expect(await until()).toBe(TODAY);
    const audit = expectStatus(await byToken('listAuditLog'), 200).body.data;
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['settlement_item.settle', 'settlement.import']),
    );
  });
});

describe('GET /user/reports/monthly', () => {
  it('has what a company received, refunded and paid in fees, and nothing of other companies', async () => {
    const company = await register();
    const payment = await paidPix(engine(), company.byKey, 10_000);
    expectStatus(await company.byKey('refundPayment', to(payment, { body: { amount: 1_000 } })), 200);
    const { data: lines } = await simulator.control.statement('gateway_1', TODAY, payment.transaction_id);
    const sent = await company.send(TODAY, statementFile(lines));
    await untilDone(company, sent.body.data?.id);
    const month = TODAY.slice(0, 7);
    const report = expectStatus(await company.byToken('getMonthlyReport', { query: { month } }), 200).body;
    const row = {
      gateway: 'gateway_1',
      currency: 'BRL',
      gross: 10_000,
      refunds: 1_000,
      disputes: 0,
      fees: 100,
    };
    expect(report).toMatchObject({
      data: {
        month,
        reconciled_until: TODAY,
        gateways: [{ ...row, net: 8_900, settled: 10_000, paid_out: 9_900 }],
      },
    });
    const csv = expectStatus(await company.byToken('downloadMonthlyReport', { query: { month } }), 200).body;
    expect(csv).toContain(`${month},gateway_1,,BRL,10000,1000,0,100,8900,10000,9900`);
    const other = await register();
    const nothing = expectStatus(await other.byToken('getMonthlyReport', { query: { month } }), 200).body;
    expect(nothing).toMatchObject({ data: { gateways: [], recipients: [], reconciled_until: null } });
  });
});
