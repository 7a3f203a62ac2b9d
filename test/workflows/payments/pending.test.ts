import { DateTime } from 'luxon';
import type { Resolution } from '../../../workflows/messages';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { Behavior, ScriptedOperation } from '../../../src/simulator/scripts';
import { VendorClient } from '../../gateways/simulator/vendor-client';
import { startEngine, type Engine } from '../../support/stack/engine';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  ask,
  askUntilKnown,
  becomes,
  clockReaches,
  now,
  operationsOf,
  purchase,
  requestsOf,
  timePasses,
  type Purchase,
} from '../../support/scenarios/purchase';
import { waitFor } from '../../support/stack/wait-for';
import { resolve as sayOf } from '../../support/scenarios/resolve';

/** No gateway here has an address to call back to: what is learned is learned by asking. */
let engine: Engine;
let company: AuthenticatedCompany;
beforeAll(async () => {
  engine = await startEngine();
  company = await newCompany(engine);
});
afterAll(() => engine.stop());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const HOUR_LONG = { pix_expires_in: 3_600 };

const pays = ({ body }: Purchase, amount?: number) => engine.simulator.pay(body.transaction_id, amount);

function script({ body }: Purchase, operation: ScriptedOperation, behavior: Behavior, times = 1) {
  return engine.simulator.script({ transaction_id: body.transaction_id, operation }, behavior, times);
}

/** How often the gateway has been asked how the payment stands. */
const questions = async (subject: Purchase) => (await requestsOf(engine, subject, 'inquiry')).length;

const expiresAt = ({ body }: Purchase): number => Date.parse(body.transactions[0]?.pix?.expires_at ?? '');

describe('a pix of which no callback comes', () => {
  it('is asked about after 1, 5, 15 and 60 minutes, then hourly', async () => {
    const subject = await purchase(engine, company, 'pix');
    const asked: number[] = [];
    for (const minutes of [0.5, 1.5, 6, 16, 61, 121, 181]) {
      await clockReaches(engine, subject, Date.parse(subject.body.created_at ?? '') + minutes * MINUTE_MS);
      asked.push(await questions(subject));
    }
    // Where the clock stops it looks too, at the time it was sent to; nothing is due there, so nobody is asked.
    expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await now(engine, subject)).toMatchObject({ status: 'pending' });
  });

  it('is seen to be paid at the next of them', async () => {
    const subject = await purchase(engine, company, 'pix');
    await pays(subject);
    const { amount } = subject.body;
    expect(await timePasses(engine, subject, 70_000)).toMatchObject({
      status: 'approved',
      paid_amount: amount,
      captured_amount: amount,
    });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: amount });
  });
});

describe('a billet of which no callback comes', () => {
  it('is asked about each morning from the day after, and seen to be paid', async () => {
    const subject = await purchase(engine, company, 'billet');
    const morning = (days: number): number =>
      DateTime.now().setZone('America/Sao_Paulo').startOf('day').plus({ days }).set({ hour: 8 }).toMillis();
    await clockReaches(engine, subject, morning(1) + MINUTE_MS);
    expect(await questions(subject)).toBe(1);
    await clockReaches(engine, subject, morning(2) - MINUTE_MS);
    expect(await questions(subject)).toBe(1);
    await pays(subject);
    await clockReaches(engine, subject, morning(2) + MINUTE_MS);
    expect(await now(engine, subject)).toMatchObject({
      status: 'approved',
      paid_amount: subject.body.amount,
    });
  });
});

describe('a pix whose time is over', () => {
  it('fails five minutes later, and not before', async () => {
    const subject = await purchase(engine, company, 'pix', HOUR_LONG);
    await clockReaches(engine, subject, expiresAt(subject) + 4 * MINUTE_MS);
    expect(await now(engine, subject)).toMatchObject({ status: 'pending' });
    await clockReaches(engine, subject, expiresAt(subject) + 6 * MINUTE_MS);
    expect(await now(engine, subject)).toMatchObject({
      status: 'failed',
      code: 'expired',
      message: 'expired',
    });
  });

  it('is approved when it was paid in the five minutes after', async () => {
    const subject = await purchase(engine, company, 'pix', HOUR_LONG);
    await clockReaches(engine, subject, expiresAt(subject) + 4 * MINUTE_MS);
    await pays(subject);
    await clockReaches(engine, subject, expiresAt(subject) + 6 * MINUTE_MS);
    expect(await now(engine, subject)).toMatchObject({ status: 'approved' });
  });

  it.each([
    ['fails', false],
    ['is approved', true],
  ])('%s later when the gateway was silent just then', async (_, paid) => {
    const subject = await purchase(engine, company, 'pix', HOUR_LONG);
    // After 1, 5, 15 and 60 minutes, at its expiry a moment later, and when that is decided.
    await script(subject, 'inquiry', { status: 503 }, 6);
    await clockReaches(engine, subject, expiresAt(subject) + 6 * MINUTE_MS);
    expect(await questions(subject)).toBe(6);
    expect(await now(engine, subject)).toMatchObject({ status: 'pending' });
    if (paid) await pays(subject);
    await clockReaches(engine, subject, expiresAt(subject) + 11 * MINUTE_MS);
    expect(await now(engine, subject)).toMatchObject(
      paid ? { status: 'approved' } : { status: 'failed', code: 'expired' },
    );
  });
});

describe('a pix paid otherwise than asked', () => {
  const resolve = ({ body }: Purchase, outcome: Resolution['outcome']) =>
    sayOf(engine, body.transaction_id, outcome);

  it('too much is approved, and shows what was paid', async () => {
    const subject = await purchase(engine, company, 'pix');
    const { amount } = subject.body;
    await pays(subject, amount + 500);
    expect(await timePasses(engine, subject, 70_000)).toMatchObject({
      status: 'approved',
      captured_amount: amount,
      paid_amount: amount + 500,
    });
  });

  it('in two parts is approved with the second', async () => {
    const subject = await purchase(engine, company, 'pix');
    const { amount } = subject.body;
    await pays(subject, 500);
    expect(await timePasses(engine, subject, 70_000)).toMatchObject({
      status: 'pending',
      message: 'underpaid',
      paid_amount: 500,
    });
    await pays(subject, amount - 500);
    expect(await timePasses(engine, subject, 5 * MINUTE_MS)).toMatchObject({
      status: 'approved',
      paid_amount: amount,
    });
  });

  it('too little cannot be canceled, does not fail at its expiry, and waits for a person', async () => {
    const subject = await purchase(engine, company, 'pix', HOUR_LONG);
    await pays(subject, 500);
    await timePasses(engine, subject, 70_000);
    expect(await ask(engine, subject, 'cancel')).toMatchObject({ status: 409 });
    const over = await clockReaches(engine, subject, expiresAt(subject) + 10 * MINUTE_MS);
    expect(over).toMatchObject({ status: 'pending', message: 'underpaid', paid_amount: 500 });
    await resolve(subject, 'absent');
    expect(await now(engine, subject)).toMatchObject({ status: 'pending' });
    expect(await resolve(subject, 'paid')).toEqual({ status: 'approved' });
    expect(await now(engine, subject)).toMatchObject({ status: 'approved' });
  });

  it('twice shows the second payment, at the latest by the next operation’s question', async () => {
    const subject = await purchase(engine, company, 'pix');
    const { amount } = subject.body;
    await pays(subject);
    await pays(subject, amount);
    expect(await timePasses(engine, subject, 70_000)).toMatchObject({
      status: 'approved',
      captured_amount: amount,
      paid_amount: 2 * amount,
    });
    expect(await ask(engine, subject, 'refund')).toMatchObject({ status: 200 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: 2 * amount, refunded: amount });
  });
});

describe('an authorization that nobody captures', () => {
  it('is released at the gateway when its window ends, and not before', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const end = Date.parse(subject.body.capture_before ?? '');
    expect(await clockReaches(engine, subject, end - MINUTE_MS)).toMatchObject({ status: 'authorized' });
    await clockReaches(engine, subject, end + MINUTE_MS);
    await becomes(engine, subject, { status: 'canceled', captured_amount: 0 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ held: 0, captured: 0 });
    expect(await requestsOf(engine, subject, 'cancel')).toHaveLength(1);
  });

  it.each([
    ['calls the request invalid', { status: 422 }],
    ['takes no more requests', { status: 429 }],
    ['is silent', { hang: 'before' }],
    ['answers and is not heard', { hang: 'after' }],
  ] as ReadonlyArray<readonly [string, Behavior]>)(
    'is released when the gateway first %s',
    async (_, trouble) => {
      const subject = await purchase(engine, company, 'authorization');
      await script(subject, 'cancel', trouble);
      await timePasses(engine, subject, 8 * DAY_MS);
      await becomes(engine, subject, { status: 'canceled' });
      expect(await ledgerOf(engine, subject.body)).toMatchObject({ held: 0, captured: 0 });
      expect(operationsOf(await now(engine, subject), 'cancel')).toEqual([['canceled', subject.body.amount]]);
    },
  );

  it('is canceled when the gateway has released it by itself', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const { transaction_id, transactions } = subject.body;
    const vendor = new VendorClient(engine.simulator.url, 'gateway_1');
    const path = `charges/${transactions[0]?.gateway_transaction_id}/cancels`;
    await vendor.done(path, { reference: `${transaction_id}-lapsed`, amount: subject.body.amount });
    await timePasses(engine, subject, 8 * DAY_MS);
    await becomes(engine, subject, { status: 'canceled', captured_amount: 0 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ held: 0, captured: 0 });
    expect(operationsOf(await now(engine, subject), 'cancel')).toEqual([['canceled', subject.body.amount]]);
  });

  it('waits for a person when the gateway refuses to release it', async () => {
    const subject = await purchase(engine, company, 'authorization');
    await script(subject, 'cancel', { decline: '57' });
    await timePasses(engine, subject, 8 * DAY_MS);
    await waitFor(
      async () => (await engine.parts.payments.find(company.id, subject.body.transaction_id))?.stuckAt,
    );
    expect(await now(engine, subject)).toMatchObject({ status: 'authorized' });
  });

  it('is not released while it is being captured', async () => {
    const subject = await purchase(engine, company, 'authorization');
    await script(subject, 'capture', { hang: 'after' });
    const capture = askUntilKnown(engine, subject, 'capture');
    await waitFor(async () => (await requestsOf(engine, subject, 'capture')).length === 1);
    await timePasses(engine, subject, 8 * DAY_MS);
    expect(await capture).toMatchObject({ status: 200, body: { status: 'approved' } });
    expect(await requestsOf(engine, subject, 'cancel')).toEqual([]);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });
});
