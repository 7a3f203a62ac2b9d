import { DateTime } from 'luxon';
import { addDueSettlements } from '../../../src/composition/settlements/due-settlements';
import { BRASILIA } from '../../../src/domain/time/timezone';
import { Readable } from 'node:stream';
import type { SettlementToStart } from '../../../src/domain/settlement/settlement';
import { insertCompany } from '../../support/fixtures/companies';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { expectStatus } from '../../api/support/api-client';
import { authorization, found, to } from '../../api/support/payment-scenario';
import type { StatementError } from '../../../src/simulator/statements/statement-errors';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { reconcile, uploadStatement } from './at-size';
import { runKilled } from './kill/run-import';
import { balancesOf, FOUND_AS, itemsOf, NEXT_DAY, paidPix, settle, TODAY } from './settlement-scenario';

let simulator: OwnSimulator;
let api: EngineApi;
beforeAll(async () => {
  simulator = await startOwnSimulator();
  const settings = {
    GATEWAY_1_URL: `${simulator.url}/gateway_1`,
    GATEWAY_2_URL: `${simulator.url}/gateway_2`,
  };
  api = await startEngineApi(settings, { workers: 'payments' });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

/** The engine, with the control routes of the simulator that its gateways are at. */
const engine = () => ({ ...api.engine, simulator: simulator.control });

/** A company whose account at the simulator sends callbacks to this API. */
async function registerWithCallbacks(callbackUrl: string | null = `${api.baseUrl}/api/v1`) {
  const company = await registerCompanyWithUser(api);
  const secret = `sk_test_${company.keys['X-Client-ID']}`;
  await simulator.control.setUpAccount(secret, { callback_url: callbackUrl });
  return company;
}

describe('the settlement of a day', () => {
  it('begins at six on the next day, once, for each account that has charged, and for at most seven days that lack one', async () => {
    const { context } = api.engine;
    const { byKey, companyId } = await registerWithCallbacks();
    const { companyId: idle } = await registerWithCallbacks();
    await paidPix(engine(), byKey, 10_000);
    const daysAt = async (days: number, hour: number) => {
      const now = DateTime.fromISO(TODAY, { zone: BRASILIA }).plus({ days }).set({ hour }).toJSDate();
      while ((await addDueSettlements({ ...context, now: () => now }, 50)) > 0);
      const rows = await context.db.query<{ after: number }>(
        'SELECT day - $2::date AS after FROM settlements WHERE company_id = ANY ($1) ORDER BY day',
        [[companyId, idle], TODAY],
      );
      return rows.map(({ after }) => after);
    };
    expect(await daysAt(1, 5)).toEqual([]);
    expect(await daysAt(1, 6)).toEqual([0]);
    expect(await daysAt(1, 7)).toEqual([0]);
    expect(await daysAt(3, 6)).toEqual([0, 1, 2]);
    expect(await daysAt(13, 6)).toEqual([0, 1, 2, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('is begun and ended by the sweeper alone', async () => {
    const { db } = api.engine.context;
    const { byKey, companyId } = await registerWithCallbacks();
    await paidPix(engine(), byKey, 10_000);
    await db.query(
      `UPDATE gateway_accounts SET created_at = now() - interval '30 days' WHERE company_id = $1`,
      [companyId],
    );
    await api.engine.sweeper.sweepOnce();
    const settlements = await waitFor(async () => {
      const rows = await db.query<{ status: string; source: string }>(
        'SELECT status, source FROM settlements WHERE company_id = $1',
        [companyId],
      );
      return rows.every(({ status }) => status === 'done') && rows;
    });
    expect(settlements).toEqual(Array(7).fill({ status: 'done', source: 'gateway' }));
  });

  it('explains every cent of a statement without errors, and posts what the gateway has settled and paid out', async () => {
    const { byKey, companyId } = await registerWithCallbacks();
    await paidPix(engine(), byKey, 10_000);
    const refunded = await paidPix(engine(), byKey, 20_000);
    expectStatus(await byKey('refundPayment', to(refunded, { body: { amount: 5_000 } })), 200);
    await settle(engine(), companyId, TODAY);
    expect(await itemsOf(engine(), companyId)).toEqual([]);
    expect(await balancesOf(engine(), companyId)).toEqual({
      ...{ gateway_receivable: -5_000, gateway_balance: 0, fees: 300, bank: 29_700 },
      ...{ sales: -30_000, refunds: 5_000 },
    });
    await settle(engine(), companyId, NEXT_DAY);
    expect(await itemsOf(engine(), companyId)).toEqual([]);
    expect(await balancesOf(engine(), companyId)).toMatchObject({
      gateway_receivable: 0,
      gateway_balance: -5_000,
    });
  });

  it('finds each kind of error as what it is, and invents none', async () => {
    const { byKey, companyId } = await registerWithCallbacks();
    const kinds = Object.keys(FOUND_AS) as StatementError[];
    const payments = [];
    for (const [index, kind] of kinds.entries()) {
      const payment = await paidPix(engine(), byKey, 10_000 + index);
      payments.push({ kind, id: payment.transaction_id });
      if (kind === 'missing_refund')
        expectStatus(await byKey('refundPayment', to(payment, { body: { amount: 1_000 } })), 200);
      const day = kind === 'missing_refund' ? NEXT_DAY : TODAY;
      await simulator.control.plantStatementErrors({ day, kind, transaction_id: payment.transaction_id });
    }
    await settle(engine(), companyId, TODAY);
    await settle(engine(), companyId, NEXT_DAY);
    const items = (await itemsOf(engine(), companyId)).map(({ kind, transactionId }) => [
      kind,
      transactionId,
    ]);
    const planted = payments.map(({ kind, id }) => [FOUND_AS[kind], kind === 'unknown' ? null : id]);
    expect(items.map(String).toSorted()).toEqual(planted.map(String).toSorted());
  });

  it('reports a second charge of the gateway as an item, and the workflow of the payment processes its finding', async () => {
    const { byKey, companyId } = await registerWithCallbacks();
    const payment = await paidPix(engine(), byKey, 10_000);
    const { transaction_id } = payment;
    await simulator.control.plantStatementErrors({ day: TODAY, kind: 'double_charge', transaction_id });
    await settle(engine(), companyId, TODAY);
    expect(await itemsOf(engine(), companyId)).toMatchObject([{ kind: 'charged_twice', expectedCents: 0 }]);
    const finding = await waitFor(async () => {
      await api.engine.sweeper.sweepOnce();
      return api.engine.context.db.queryOne<{ event: string; done: boolean }>(
        `SELECT event_id AS event, processed_at IS NOT NULL AS done FROM gateway_callbacks
          WHERE company_id = $1 AND event_id LIKE 'statement-%' AND processed_at IS NOT NULL`,
        [companyId],
      );
    });
    expect(finding).toMatchObject({ done: true });
  });

  it('finds a second charge that names our reference of a capture', async () => {
    const { byKey, companyId } = await registerWithCallbacks();
    const payment = await authorization(byKey, { amount: 10_000 });
    expectStatus(await byKey('capturePayment', to(payment, { body: { amount: 6_000 } })), 200);
    const { transaction_id } = payment;
    await simulator.control.plantStatementErrors({ day: TODAY, kind: 'double_charge', transaction_id });
    await settle(engine(), companyId, TODAY);
    const item = { kind: 'charged_twice', transactionId: transaction_id, actualCents: 6_000 };
    expect(await itemsOf(engine(), companyId)).toMatchObject([item]);
  });

  it('goes on after kill -9 behind a page of a fetched statement, and posts each line once', async () => {
    const { byKey, companyId } = await registerWithCallbacks();
    await paidPix(engine(), byKey, 10_000);
    const { settlements } = api.engine.context;
    const [accountId = null] = await settlements.listAccounts(companyId, 'gateway_1');
    const account = { companyId, gateway: 'gateway_1', accountId } as const;
    const settlementId = await settlements.insertToFetch(account, TODAY, new Date());
    if (settlementId === null) throw new Error('there is a settlement of this day already');
    const settlement = { settlementId, ...account, day: TODAY };
    const settings = { GATEWAY_1_URL: `${simulator.url}/gateway_1` };
    const kill = { at: 'statement-page-committed', nth: 1 } as const;
    expect(await runKilled(api.engine, { kind: 'reconcile', settlement }, kill, settings)).toBe(true);
    expect(await settlements.find(settlementId)).toMatchObject({ status: 'matching', lineCount: 3 });
    await reconcile(api.engine, settlement);
    expect(await itemsOf(engine(), companyId)).toEqual([]);
    expect(await balancesOf(engine(), companyId)).toEqual({
      ...{ gateway_receivable: 0, gateway_balance: 0, fees: 100, bank: 9_900, sales: -10_000 },
    });
  }, 120_000);

  it('reveals a second charge that the gateway has made, and changes nothing of the payment until a person decides', async () => {
    const { byKey, companyId } = await registerWithCallbacks();
    const payment = await paidPix(engine(), byKey, 10_000);
    const second = await simulator.control.chargeAgain(payment.transaction_id);
    await settle(engine(), companyId, TODAY);
    const item = { kind: 'charged_twice', transactionId: payment.transaction_id, actualCents: 10_000 };
    // The sale and what is settled of it.
    expect(await itemsOf(engine(), companyId)).toMatchObject([item, item]);
    const { db } = api.engine.context;
    const findings = await waitFor(async () => {
      await api.engine.sweeper.sweepOnce();
      const rows = await db.query<{ charge: string; done: boolean }>(
        `SELECT gateway_transaction_id AS charge, processed_at IS NOT NULL AS done FROM gateway_callbacks
          WHERE company_id = $1 AND event_id LIKE 'statement-%'`,
        [companyId],
      );
      return rows.every(({ done }) => done) && rows;
    });
    expect(findings.map(({ charge }) => charge)).toEqual([second.charge_id, second.charge_id]);
    expect(await found(byKey, payment)).toMatchObject({ status: 'approved', refunded_amount: 0 });
    expect(await balancesOf(engine(), companyId)).toMatchObject({ sales: -10_000, gateway_receivable: 0 });
    const { totals } = await simulator.control.ledger(payment.transaction_id);
    expect(totals).toMatchObject({ captured: 20_000, refunded: 0 });
  });

  it('has a payment whose callback was lost resolved by the gateway, and then counts its line', async () => {
    const { byKey, companyId } = await registerWithCallbacks(null);
    const { body } = expectStatus(
      await byKey('createPixPayment', {
        body: {
          ...{ merchant_order_id: 'order-1', amount: 7_000, currency: 'BRL' },
          customer: { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
        },
      }),
      200,
    );
    await simulator.control.pay(body.transaction_id);
    const settled = settle(engine(), companyId, TODAY);
    await waitFor(async () => {
      await api.engine.sweeper.sweepOnce();
      return (await found(byKey, body)).status === 'approved';
    });
    await settled;
    expect(await itemsOf(engine(), companyId)).toEqual([]);
    expect(await balancesOf(engine(), companyId)).toMatchObject({ gateway_receivable: 0, bank: 6_930 });
  });

  it.each([
    { first: TODAY, second: NEXT_DAY },
    { first: NEXT_DAY, second: TODAY },
  ])(
    'counts a line once that the statements of two days have, when that of $first is reconciled first',
    async ({ first, second }) => {
      const companyId = await insertCompany(api.engine.context);
      const statements = new Map<string, SettlementToStart>();
      for (const day of [TODAY, NEXT_DAY]) {
        const fee = `line_id,kind,day,amount,fee,net,currency\nmonthly-fee,fee,${day},0,990,-990,BRL\n`;
        const chunks = Readable.from([Buffer.from(fee)]);
        statements.set(day, (await uploadStatement(api.engine, companyId, day, chunks)).settlement);
      }
      for (const day of [first, second]) {
        const statement = statements.get(day);
        if (statement === undefined) throw new Error('both days have statements');
        await reconcile(api.engine, statement);
      }
      expect(await itemsOf(engine(), companyId)).toMatchObject([{ kind: 'twice', actualCents: 0 }]);
      expect(await balancesOf(engine(), companyId)).toEqual({ fees: 990, gateway_balance: -990 });
    },
  );
});
