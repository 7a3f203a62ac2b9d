import { DateTime } from 'luxon';
import type { ResolutionOutcome } from '../../../src/domain/payments/manual-resolution';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { Behavior, ScriptedOperation } from '../../../src/simulator/scripts';
import { VendorClient } from '../../gateways/simulator/vendor-client';
import { startEngine, type Engine } from '../../support/stack/engine';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  requestOperation,
  requestUntilSettled,
  waitForPayment,
  advanceClockTo,
  reloadPurchase,
  operationsOf,
  purchase,
  requestsOf,
  advanceClockBy,
  type Purchase,
} from '../../support/scenarios/purchase';
import { waitFor } from '../../support/stack/wait-for';
import { resolve as sendResolution } from '../../support/scenarios/resolve';

/** The gateways have no callback address: results are found only by polling. */
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

const payAtGateway = ({ body }: Purchase, amount?: number) =>
  engine.simulator.pay(body.transaction_id, amount);

function script({ body }: Purchase, operation: ScriptedOperation, behavior: Behavior, times = 1) {
  return engine.simulator.script({ transaction_id: body.transaction_id, operation }, behavior, times);
}

/** How often the gateway was polled. */
const countInquiries = async (subject: Purchase) => (await requestsOf(engine, subject, 'inquiry')).length;

const expiresAt = ({ body }: Purchase): number => Date.parse(body.transactions[0]?.pix?.expires_at ?? '');

describe('a pix without callbacks', () => {
  it('it is polled after 1, 5, 15 and 60 minutes, then hourly', async () => {
    const subject = await purchase(engine, company, 'pix');
    const counts: number[] = [];
    for (const minutes of [0.5, 1.5, 6, 16, 61, 121, 181]) {
      await advanceClockTo(engine, subject, Date.parse(subject.body.created_at ?? '') + minutes * MINUTE_MS);
      counts.push(await countInquiries(subject));
    }
    // The workflow also polls where the clock stops, but no inquiry is due there.
    expect(counts).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'pending' });
  });

  it('its payment is found at the next poll', async () => {
    const subject = await purchase(engine, company, 'pix');
    await payAtGateway(subject);
    const { amount } = subject.body;
    expect(await advanceClockBy(engine, subject, 70_000)).toMatchObject({
      status: 'approved',
      paid_amount: amount,
      captured_amount: amount,
    });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: amount });
  });
});

describe('a boleto without callbacks', () => {
  it('it is polled each morning from the next day, and its payment is found', async () => {
    const subject = await purchase(engine, company, 'billet');
    const morning = (days: number): number =>
      DateTime.now().setZone('America/Sao_Paulo').startOf('day').plus({ days }).set({ hour: 8 }).toMillis();
    await advanceClockTo(engine, subject, morning(1) + MINUTE_MS);
    expect(await countInquiries(subject)).toBe(1);
    await advanceClockTo(engine, subject, morning(2) - MINUTE_MS);
    expect(await countInquiries(subject)).toBe(1);
    await payAtGateway(subject);
    await advanceClockTo(engine, subject, morning(2) + MINUTE_MS);
    expect(await reloadPurchase(engine, subject)).toMatchObject({
      status: 'approved',
      paid_amount: subject.body.amount,
    });
  });
});

describe('an expired pix', () => {
  it('it fails five minutes after expiry, not before', async () => {
    const subject = await purchase(engine, company, 'pix', HOUR_LONG);
    await advanceClockTo(engine, subject, expiresAt(subject) + 4 * MINUTE_MS);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'pending' });
    await advanceClockTo(engine, subject, expiresAt(subject) + 6 * MINUTE_MS);
    expect(await reloadPurchase(engine, subject)).toMatchObject({
      status: 'failed',
      code: 'expired',
      message: 'expired',
    });
  });

  it('it is approved when it is paid within the grace period', async () => {
    const subject = await purchase(engine, company, 'pix', HOUR_LONG);
    await advanceClockTo(engine, subject, expiresAt(subject) + 4 * MINUTE_MS);
    await payAtGateway(subject);
    await advanceClockTo(engine, subject, expiresAt(subject) + 6 * MINUTE_MS);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'approved' });
  });

  it.each([
    ['fails', false],
    ['is approved', true],
  ])('it %s later if inquiries were inconclusive at the end of the grace period', async (_, paid) => {
    const subject = await purchase(engine, company, 'pix', HOUR_LONG);
    // Polls after 1, 5, 15 and 60 minutes, at expiry and at the end of the grace period.
    await script(subject, 'inquiry', { status: 503 }, 6);
    await advanceClockTo(engine, subject, expiresAt(subject) + 6 * MINUTE_MS);
    expect(await countInquiries(subject)).toBe(6);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'pending' });
    if (paid) await payAtGateway(subject);
    await advanceClockTo(engine, subject, expiresAt(subject) + 11 * MINUTE_MS);
    expect(await reloadPurchase(engine, subject)).toMatchObject(
      paid ? { status: 'approved' } : { status: 'failed', code: 'expired' },
    );
  });
});

describe('a pix paid with another amount', () => {
  const resolve = ({ body }: Purchase, outcome: ResolutionOutcome) =>
    sendResolution(engine, body.transaction_id, outcome);

  it('an overpayment is approved with its paid amount', async () => {
    const subject = await purchase(engine, company, 'pix');
    const { amount } = subject.body;
    await payAtGateway(subject, amount + 500);
    expect(await advanceClockBy(engine, subject, 70_000)).toMatchObject({
      status: 'approved',
      captured_amount: amount,
      paid_amount: amount + 500,
    });
  });

  it('a payment in two context is approved with the second', async () => {
    const subject = await purchase(engine, company, 'pix');
    const { amount } = subject.body;
    await payAtGateway(subject, 500);
    expect(await advanceClockBy(engine, subject, 70_000)).toMatchObject({
      status: 'pending',
      message: 'underpaid',
      paid_amount: 500,
    });
    await payAtGateway(subject, amount - 500);
    expect(await advanceClockBy(engine, subject, 5 * MINUTE_MS)).toMatchObject({
      status: 'approved',
      paid_amount: amount,
    });
  });

  it('an underpayment cannot be canceled, does not expire and waits for an operator', async () => {
    const subject = await purchase(engine, company, 'pix', HOUR_LONG);
    await payAtGateway(subject, 500);
    await advanceClockBy(engine, subject, 70_000);
    expect(await requestOperation(engine, subject, 'cancel')).toMatchObject({ status: 409 });
    const expired = await advanceClockTo(engine, subject, expiresAt(subject) + 10 * MINUTE_MS);
    expect(expired).toMatchObject({ status: 'pending', message: 'underpaid', paid_amount: 500 });
    await resolve(subject, 'absent');
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'pending' });
    expect(await resolve(subject, 'paid')).toEqual({ status: 'approved' });
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'approved' });
  });

  it('a second payment is recorded in the paid amount', async () => {
    const subject = await purchase(engine, company, 'pix');
    const { amount } = subject.body;
    await payAtGateway(subject);
    await payAtGateway(subject, amount);
    expect(await advanceClockBy(engine, subject, 70_000)).toMatchObject({
      status: 'approved',
      captured_amount: amount,
      paid_amount: 2 * amount,
    });
    expect(await requestOperation(engine, subject, 'refund')).toMatchObject({ status: 200 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: 2 * amount, refunded: amount });
  });
});

describe('an authorization that is not captured', () => {
  it('it is voided at the gateway when its capture window ends, not before', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const end = Date.parse(subject.body.capture_before ?? '');
    expect(await advanceClockTo(engine, subject, end - MINUTE_MS)).toMatchObject({ status: 'authorized' });
    await advanceClockTo(engine, subject, end + MINUTE_MS);
    await waitForPayment(engine, subject, { status: 'canceled', captured_amount: 0 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ held: 0, captured: 0 });
    expect(await requestsOf(engine, subject, 'cancel')).toHaveLength(1);
  });

  it.each([
    ['rejects the request as invalid', { status: 422 }],
    ['limits the rate', { status: 429 }],
    ['does not answer or process it', { hang: 'before' }],
    ['processes it without an answer', { hang: 'after' }],
  ] as ReadonlyArray<readonly [string, Behavior]>)(
    'it is voided even if the gateway first %s',
    async (_, fault) => {
      const subject = await purchase(engine, company, 'authorization');
      await script(subject, 'cancel', fault);
      await advanceClockBy(engine, subject, 8 * DAY_MS);
      await waitForPayment(engine, subject, { status: 'canceled' });
      expect(await ledgerOf(engine, subject.body)).toMatchObject({ held: 0, captured: 0 });
      expect(operationsOf(await reloadPurchase(engine, subject), 'cancel')).toEqual([
        ['canceled', subject.body.amount],
      ]);
    },
  );

  it('it is canceled if the gateway voided it by itself', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const { transaction_id, transactions } = subject.body;
    const vendor = new VendorClient(engine.simulator.url, 'gateway_1');
    const path = `charges/${transactions[0]?.gateway_transaction_id}/cancels`;
    await vendor.sendAccepted(path, { reference: `${transaction_id}-expired`, amount: subject.body.amount });
    await advanceClockBy(engine, subject, 8 * DAY_MS);
    await waitForPayment(engine, subject, { status: 'canceled', captured_amount: 0 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ held: 0, captured: 0 });
    expect(operationsOf(await reloadPurchase(engine, subject), 'cancel')).toEqual([
      ['canceled', subject.body.amount],
    ]);
  });

  it('it waits for an operator if the gateway declines the void', async () => {
    const subject = await purchase(engine, company, 'authorization');
    await script(subject, 'cancel', { decline: '57' });
    await advanceClockBy(engine, subject, 8 * DAY_MS);
    await waitFor(
      async () => (await engine.context.payments.find(company.id, subject.body.transaction_id))?.stuckAt,
    );
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'authorized' });
  });

  it('it is not voided while a capture is unfinished', async () => {
    const subject = await purchase(engine, company, 'authorization');
    await script(subject, 'capture', { hang: 'after' });
    const capture = requestUntilSettled(engine, subject, 'capture');
    await waitFor(async () => (await requestsOf(engine, subject, 'capture')).length === 1);
    await advanceClockBy(engine, subject, 8 * DAY_MS);
    expect(await capture).toMatchObject({ status: 200, body: { status: 'approved' } });
    expect(await requestsOf(engine, subject, 'cancel')).toEqual([]);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });
});
