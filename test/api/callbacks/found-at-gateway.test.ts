import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { ledgerOf, uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser, untilStuck, type CompanyWithUser } from '../support/manual-resolution';
import { authorization, found, pendingPix, sale, to, untilStatus } from '../support/payment-scenario';

/* Operations that are made on the gateway's own pages, and reports of the gateway that the records do not explain. */

let api: EngineApi;
let secret: string;
let company: CompanyWithUser;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  company = await companyAtGateway(`${api.baseUrl}/api/v1`);
});
afterAll(() => api.stop());

/** `callbackUrl` null: the gateway sends no callbacks. */
async function companyAtGateway(callbackUrl: string | null): Promise<CompanyWithUser> {
  const office = await registerCompanyWithUser(api, []);
  secret = `sk_test_${randomUUID()}`;
  await api.engine.simulator.setUpAccount(secret, { callback_url: callbackUrl });
  const body = { gateways: [{ gateway_slug: 'gateway_1', secret_key: secret }] };
  expectStatus(await office.byKey('saveGateways', { body }), 200);
  return office;
}

async function detailOf(payment: PaymentBody, { byToken } = company) {
  return expectStatus(await byToken('getUserPayment', to(payment)), 200).body.data;
}

/** `[operation, status, amount, purpose]` of what an inquiry found. */
async function foundRows(payment: PaymentBody) {
  const { attempts } = await detailOf(payment);
  return attempts
    .filter(({ purpose }) => purpose === 'external')
    .map(({ operation, status, amount }) => [operation, status, amount]);
}

const confirm = (payment: PaymentBody, outcome = 'paid', office = company) =>
  office.byToken('resolvePayment', to(payment, { body: { outcome, reason: 'made by a colleague' } }));

const isStuck = async ({ transaction_id: id }: PaymentBody) =>
  (await api.engine.context.payments.get(id)).stuckAt !== null;

/** A capture or void that the merchant makes on the gateway's own pages. */
async function operateAtGateway({ transaction_id, transactions }: PaymentBody, path: string, amount: number) {
  const id = transactions[0]?.gateway_transaction_id ?? '';
  const url = `${api.engine.simulator.url}/gateway_1/charges/${id}/${path}`;
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ reference: `${transaction_id}-dashboard`, amount });
  const response = await fetch(url, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
}

describe('a refund made on the gateway’s own pages', () => {
  it('corrects the amounts, is shown and told, and waits until a person confirms it', async () => {
    const payment = await sale(company.byKey, { amount: uniqueAmount() });
    await api.engine.simulator.refund(payment.transaction_id, 400);
    await untilStuck(api.engine, payment);
    const { payment: shown, desk, events, timeline } = await detailOf(payment);
    expect(shown).toMatchObject({ status: 'approved', message: 'partially refunded', refunded_amount: 400 });
    expect(shown.transactions.at(-1)).toMatchObject({ operation: 'refund', status: 'refunded', amount: 400 });
    expect(events.at(-1)?.event).toBe('transaction.refunded');
    expect(timeline.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['made_at_gateway', 'payment_refunded', 'desk_entered']),
    );
    expect(desk).toMatchObject({
      operation: 'refund',
      question: expect.stringContaining('not requested here'),
    });
    expectStatus(await confirm(payment, 'absent'), 422);
    expectStatus(await confirm(payment), 200);
    expect((await detailOf(payment)).desk).toBeNull();
    expect(await isStuck(payment)).toBe(false);
  });

  it('leaves the rest to be refunded here, and both add up to the ledger of the gateway', async () => {
    const payment = await sale(company.byKey, { amount: uniqueAmount() });
    await api.engine.simulator.refund(payment.transaction_id, 400);
    await untilStuck(api.engine, payment);
    const { body } = expectStatus(await company.byKey('refundPayment', to(payment, { body: {} })), 200);
    expect(body).toMatchObject({ status: 'refunded', refunded_amount: payment.amount });
    expect(await ledgerOf(api.engine, payment)).toMatchObject({ refunded: payment.amount });
    expect(await foundRows(payment)).toEqual([['refund', 'refunded', 400]]);
    expect(await isStuck(payment)).toBe(true);
    expectStatus(await confirm(payment), 200);
  });

  it('is recorded once, however often the gateway tells it', async () => {
    const payment = await sale(company.byKey, { amount: uniqueAmount() });
    await api.engine.simulator.refund(payment.transaction_id);
    await untilStatus(company.byKey, payment, 'refunded');
    expectStatus(await confirm(payment), 200);
    await api.engine.simulator.sendCallbacks(payment.transaction_id, { times: 3 });
    await untilCallbacksProcessed(payment);
    expect(await foundRows(payment)).toEqual([['refund', 'refunded', payment.amount]]);
    expect(await isStuck(payment)).toBe(false);
  });

  it('is found after a refund here was refused, if the gateway sends no callbacks', async () => {
    const silent = await companyAtGateway(null);
    const payment = await sale(silent.byKey, { amount: uniqueAmount() });
    await api.engine.simulator.refund(payment.transaction_id);
    const { body } = expectStatus(await silent.byKey('refundPayment', to(payment, { body: {} })), 422);
    expect(body.code).toBe('gateway_refused');
    expect(await untilStatus(silent.byKey, payment, 'refunded')).toMatchObject({
      refunded_amount: payment.amount,
    });
    expectStatus(await confirm(payment, 'paid', silent), 200);
  });

  it('that overlaps with a refund here of unknown outcome is told apart from it', async () => {
    const payment = await sale(company.byKey, { amount: uniqueAmount() });
    const { transaction_id } = payment;
    await api.engine.simulator.script({ transaction_id, operation: 'refund' }, { hang: 'after' });
    const refunding = company.byKey('refundPayment', to(payment, { body: { amount: 300 } }));
    await waitFor(async () => (await api.engine.simulator.ledger(transaction_id)).totals.refunded === 300);
    await api.engine.simulator.refund(transaction_id, 400);
    await refunding;
    await untilCallbacksProcessed(payment);
    expect(await found(company.byKey, payment)).toMatchObject({ refunded_amount: 700 });
    expect(await foundRows(payment)).toEqual([['refund', 'refunded', 400]]);
  });

  it('of what a pix was paid too much changes no amount and asks nobody', async () => {
    const payment = await pendingPix(company.byKey, { amount: uniqueAmount() });
    await api.engine.simulator.pay(payment.transaction_id, payment.amount + 500);
    await untilStatus(company.byKey, payment, 'approved');
    await api.engine.simulator.refund(payment.transaction_id, 500);
    await waitFor(async () => (await foundRows(payment)).length === 1);
    expect(await foundRows(payment)).toEqual([['refund', 'refunded', 500]]);
    expect(await found(company.byKey, payment)).toMatchObject({ status: 'approved', refunded_amount: 0 });
    expect(await isStuck(payment)).toBe(false);
    expectStatus(await company.byKey('refundPayment', to(payment, { body: {} })), 200);
    expect(await ledgerOf(api.engine, payment)).toMatchObject({ refunded: payment.amount + 500 });
  });
});

describe('a capture or void made on the gateway’s own pages', () => {
  it.each([
    ['capture', 'captures', 700, 'approved', { captured_amount: 700 }],
    ['cancel', 'cancels', 1, 'canceled', { captured_amount: 0 }],
  ] as const)(
    'a %s is recorded as such and waits for a review',
    async (operation, path, amount, status, change) => {
      const payment = await authorization(company.byKey, { amount: uniqueAmount() });
      await operateAtGateway(payment, path, amount);
      expect(await untilStatus(company.byKey, payment, status)).toMatchObject(change);
      expect((await foundRows(payment)).map(([name]) => name)).toEqual([operation]);
      const { desk, events } = await detailOf(payment);
      expect(desk).toMatchObject({ operation });
      expect(events.at(-1)?.event).toBe(`transaction.${status}`);
      expectStatus(await confirm(payment), 200);
    },
  );
});

describe('a report of the gateway that the records do not explain', () => {
  /** The records say that less was captured than the gateway says. */
  async function contradicted(): Promise<PaymentBody> {
    const payment = await sale(company.byKey, { amount: uniqueAmount() });
    await setCaptured(payment, payment.amount - 1);
    await api.engine.simulator.sendCallbacks(payment.transaction_id);
    await untilStuck(api.engine, payment);
    return payment;
  }

  const setCaptured = ({ transaction_id }: PaymentBody, cents: number) =>
    api.engine.context.db.execute(
      'UPDATE payments SET captured_amount_cents = $2 WHERE transaction_id = $1',
      [transaction_id, cents],
    );

  /** Sends a callback, and waits until the gateway was asked because of it. */
  async function askAgain(payment: PaymentBody): Promise<void> {
    const { simulator } = api.engine;
    const sent = async () => (await simulator.callbacks(payment.transaction_id)).length;
    const before = await sent();
    await simulator.sendCallbacks(payment.transaction_id);
    await waitFor(async () => (await sent()) > before);
    await untilCallbacksProcessed(payment);
  }

  /** The records say that the charge was declined; the gateway has captured it. */
  async function recordAsDeclined({ transaction_id: id }: PaymentBody): Promise<void> {
    const { db } = api.engine.context;
    await db.execute(
      `UPDATE payments SET status = 'failed', code = 'declined', captured_amount_cents = 0 WHERE transaction_id = $1`,
      [id],
    );
    await db.execute(
      `UPDATE gateway_attempts SET status = 'declined'
        WHERE payment_id = (SELECT id FROM payments WHERE transaction_id = $1)`,
      [id],
    );
  }

  it('changes nothing, is shown, and is not asked about again after a person has looked', async () => {
    const payment = await contradicted();
    const { payment: shown, desk, timeline } = await detailOf(payment);
    expect(shown).toMatchObject({ status: 'approved', captured_amount: payment.amount - 1 });
    expect(desk).toMatchObject({
      operation: 'charge',
      question: expect.stringContaining('contradicts the records'),
    });
    expect(timeline.map(({ kind }) => kind)).toContain('contradicted');
    expectStatus(await confirm(payment), 200);
    await api.engine.simulator.sendCallbacks(payment.transaction_id);
    await untilCallbacksProcessed(payment);
    expect(await isStuck(payment)).toBe(false);
    expect(await foundRows(payment)).toHaveLength(1);
  });

  it('is no question any more once the gateway agrees with the records', async () => {
    const payment = await contradicted();
    await setCaptured(payment, payment.amount);
    expectStatus(await confirm(payment, 'retry'), 202);
    await waitFor(async () => !(await isStuck(payment)));
    expect((await detailOf(payment)).desk).toBeNull();
  });

  it('is a question again if the gateway repeats it after it had agreed', async () => {
    const payment = await contradicted();
    expectStatus(await confirm(payment), 200);
    await setCaptured(payment, payment.amount);
    await askAgain(payment);
    await setCaptured(payment, payment.amount - 1);
    await askAgain(payment);
    await untilStuck(api.engine, payment);
    expect(await foundRows(payment)).toHaveLength(2);
  });

  /** A signed callback about a charge that is inquired in vain for a week. */
  async function leaveUnconfirmed({ transaction_id }: PaymentBody, callback: () => Promise<unknown>) {
    const { context, simulator, sweeper } = api.engine;
    await simulator.script({ transaction_id, operation: 'inquiry' }, { status: 500 }, 0);
    await callback();
    await waitFor(async () =>
      (await simulator.callbacks(transaction_id)).some(({ status }) => status === 200),
    );
    await context.db.execute(
      `UPDATE gateway_callbacks SET received_at = now() - interval '8 days', recover_after = now()
        WHERE payment_id = (SELECT id FROM payments WHERE transaction_id = $1) AND recover_after IS NOT NULL`,
      [transaction_id],
    );
    await sweeper.sweepOnce();
  }

  it('that the gateway could not confirm for a week becomes a question instead of being dropped', async () => {
    const payment = await sale(company.byKey, { amount: uniqueAmount() });
    await leaveUnconfirmed(payment, () => api.engine.simulator.refund(payment.transaction_id, 400));
    await untilStuck(api.engine, payment);
    const { desk, payment: shown } = await detailOf(payment);
    expect(desk?.question).toContain('contradicts the records');
    expect(shown.refunded_amount).toBe(0);
  });

  it('that the gateway could not confirm for a week becomes a question also about a charge recorded as declined', async () => {
    const payment = await sale(company.byKey, { amount: uniqueAmount() });
    await recordAsDeclined(payment);
    const { transaction_id: id } = payment;
    await leaveUnconfirmed(payment, () => api.engine.simulator.sendCallbacks(id));
    await untilStuck(api.engine, payment);
    const { desk, payment: shown } = await detailOf(payment);
    expect(desk?.question).toMatch(/contradicts the records.*Records: declined/);
    expect(shown.status).toBe('failed');
  });

  it('that a charge recorded as declined was captured returns its money', async () => {
    const payment = await sale(company.byKey, { amount: uniqueAmount() });
    await recordAsDeclined(payment);
    const { transaction_id: id } = payment;
    await api.engine.simulator.sendCallbacks(id);
    await waitFor(async () => (await api.engine.simulator.ledger(id)).totals.refunded === payment.amount);
    const { attempts } = await detailOf(payment);
    expect(attempts.map(({ purpose }) => purpose)).toEqual(['charge', 'reversal']);
  });
});

/** Sweeps meanwhile: a callback that an operation under way may explain is looked at again later. */
async function untilCallbacksProcessed({ transaction_id: id }: PaymentBody): Promise<void> {
  const { context, simulator, sweeper } = api.engine;
  const ofPayment = `payment_id = (SELECT id FROM payments WHERE transaction_id = $1)`;
  await waitFor(async () => {
    await context.db.execute(
      `UPDATE gateway_callbacks SET recover_after = now() WHERE ${ofPayment} AND recover_after IS NOT NULL`,
      [id],
    );
    await sweeper.sweepOnce();
    const rows = await context.db.query<{ waiting: boolean }>(
      `SELECT processed_at IS NULL AS waiting FROM gateway_callbacks WHERE ${ofPayment}`,
      [id],
    );
    const sent = await simulator.callbacks(id);
    return (
      rows.length > 0 && sent.every(({ status }) => status === 200) && !rows.some(({ waiting }) => waiting)
    );
  });
}
