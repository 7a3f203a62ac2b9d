import { createActivityDeps, createSweeper } from '../../../src/composition/worker';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { freePort } from '../../../src/dev/ports';
import type { PaymentRecord } from '../../../src/persistence/payments/payment-repository';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../support/api-client';
import {
  callbackBody,
  sentPayment,
  signed,
  startCallbackApi,
  wakesOf,
  type CallbackApi,
} from './callback-api';

const SILENT = { warn: () => undefined, error: () => undefined };

/** An API process that cannot reach Temporal, and another one on the same database that can. */
let cutOff: CallbackApi;
let whole: CallbackApi;
let company: AuthenticatedCompany;
let received = 0;
const closing: Array<() => Promise<void>> = [];
beforeAll(async () => {
  // Manual review of payments without progress would send signals of its own.
  whole = await startCallbackApi({ STUCK_AFTER: '600' });
  const unusedAddress = `127.0.0.1:${await freePort()}`;
  cutOff = await startCallbackApi({ TEMPORAL_ADDRESS: unusedAddress }, whole.config.databaseUrl);
  company = await newCompany(whole);
});
afterAll(async () => {
  const reported = () => cutOff.logText().split('sweeper will retry').length - 1;
  await waitFor(() => reported() === received, { what: 'every wake to have failed' });
  await Promise.all(closing.map((close) => close()));
  await Promise.all([cutOff.stop(), whole.stop()]);
});

/** One sweep by a process whose clock is this many seconds ahead. */
async function sweepAfter(seconds: number): Promise<void> {
  const context = { ...whole.context, now: () => new Date(Date.now() + seconds * 1_000) };
  const deps = createActivityDeps(whole.config, context, SILENT);
  closing.push(() => deps.http.close());
  await createSweeper(whole.config, context, deps, SILENT).sweepOnce();
}

async function receive(reference: string): Promise<void> {
  received += 1;
  const body = callbackBody(reference);
  const params = { gateway: 'gateway_1' };
  expectStatus(await cutOff.client('receiveCallback', { params, body, headers: signed(body) }), 200);
}

/** A payment with stored callbacks for which its workflow was not signalled. */
async function forgotten(callbacks = 1): Promise<PaymentRecord> {
  const { payment, reference } = await sentPayment(whole, company);
  for (let count = 0; count < callbacks; count += 1) await receive(reference);
  return payment;
}

describe('a callback that arrives while Temporal is unreachable', () => {
  it('is answered with 200 immediately, stored, and logged', async () => {
    const { payment, reference } = await sentPayment(whole, company);
    const startedAt = Date.now();
    await receive(reference);
    expect(Date.now() - startedAt).toBeLessThan(3_000);
    expect(await whole.context.callbacks.listUnprocessed(payment.transactionId)).toMatchObject([
      { kind: 'status', trusted: true },
    ]);
    await waitFor(() => cutOff.logText().includes(payment.transactionId));
  });

  it('makes a sweeper signal its payment’s workflow, once for all its callbacks', async () => {
    const payment = await forgotten(3);
    await sweepAfter(6);
    expect(await wakesOf(whole, payment)).toBe(1);
    await sweepAfter(6);
    expect(await wakesOf(whole, payment)).toBe(1);
  });

  it('is not swept before its recovery delay', async () => {
    const payment = await forgotten();
    await sweepAfter(0);
    expect(await wakesOf(whole, payment)).toBe(0);
  });

  it('is claimed by only one of two sweepers', async () => {
    const payment = await forgotten();
    await Promise.all([sweepAfter(6), sweepAfter(6)]);
    expect(await wakesOf(whole, payment)).toBe(1);
  });
});

describe('an unprocessed callback', () => {
  it('makes the sweeper signal the workflow again at growing intervals', async () => {
    const payment = await forgotten();
    const wakes: number[] = [];
    for (const seconds of [6, 18, 24, 40, 52, 90, 110]) {
      await sweepAfter(seconds);
      wakes.push(await wakesOf(whole, payment));
    }
    expect(wakes).toEqual([1, 1, 2, 2, 3, 3, 4]);
  });

  it('is not swept any more after it is processed', async () => {
    const { callbacks } = whole.context;
    const payment = await forgotten(2);
    const [first, second] = await callbacks.listUnprocessed(payment.transactionId);
    const mark = (ids: number[]) => callbacks.markProcessed(ids, new Date());
    await mark([first?.id ?? 0]);
    expect(await callbacks.listUnprocessed(payment.transactionId)).toEqual([second]);
    await mark([second?.id ?? 0]);
    await mark([]);
    expect(await callbacks.listUnprocessed(payment.transactionId)).toEqual([]);
    await sweepAfter(3_600);
    expect(await wakesOf(whole, payment)).toBe(0);
  });
});
