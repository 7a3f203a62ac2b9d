import { createActivityDeps, createSweeper } from '../../../src/composition/worker';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { freePort } from '../../../src/dev/ports';
import type { PaymentRecord } from '../../../src/persistence/payments/payment-repository';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../support/api-client';
import { notice, sentPayment, signed, startCallbackApi, wakesOf, type CallbackApi } from './callback-api';

const SILENT = { warn: () => undefined, error: () => undefined };

/** A process that cannot reach Temporal, and one with the same database that can. */
let cutOff: CallbackApi;
let whole: CallbackApi;
let company: AuthenticatedCompany;
let received = 0;
const closing: Array<() => Promise<void>> = [];
beforeAll(async () => {
  whole = await startCallbackApi();
  const nobody = `127.0.0.1:${await freePort()}`;
  cutOff = await startCallbackApi({ TEMPORAL_ADDRESS: nobody }, whole.config.databaseUrl);
  company = await newCompany(whole);
});
afterAll(async () => {
  const reported = () => cutOff.logText().split('still asleep').length - 1;
  await waitFor(() => reported() === received, { what: 'every wake to have failed' });
  await Promise.all(closing.map((close) => close()));
  await Promise.all([cutOff.stop(), whole.stop()]);
});

/** One sweep by a process whose clock is so many seconds ahead. */
async function sweepAfter(seconds: number): Promise<void> {
  const parts = { ...whole.parts, now: () => new Date(Date.now() + seconds * 1_000) };
  const deps = createActivityDeps(whole.config, parts, SILENT);
  closing.push(() => deps.http.close());
  await createSweeper(whole.config, parts, deps, SILENT).sweepOnce();
}

async function receive(reference: string): Promise<void> {
  received += 1;
  const body = notice(reference);
  const params = { gateway: 'gateway_1' };
  expectStatus(await cutOff.client('receiveCallback', { params, body, headers: signed(body) }), 200);
}

/** A payment with callbacks that nobody was woken for. */
async function forgotten(callbacks = 1): Promise<PaymentRecord> {
  const { payment, reference } = await sentPayment(whole, company);
  for (let count = 0; count < callbacks; count += 1) await receive(reference);
  return payment;
}

describe('a callback that comes while Temporal cannot be reached', () => {
  it('is answered 200 at once, kept, and told to the log', async () => {
    const { payment, reference } = await sentPayment(whole, company);
    const startedAt = Date.now();
    await receive(reference);
    expect(Date.now() - startedAt).toBeLessThan(3_000);
    expect(await whole.parts.callbacks.waiting(payment.transactionId)).toMatchObject([
      { kind: 'status', trusted: true },
    ]);
    await waitFor(() => cutOff.logText().includes(payment.transactionId));
  });

  it('wakes its payment by a sweeper, once for all it has', async () => {
    const payment = await forgotten(3);
    await sweepAfter(6);
    expect(await wakesOf(whole, payment)).toBe(1);
    await sweepAfter(6);
    expect(await wakesOf(whole, payment)).toBe(1);
  });

  it('is left to its own process at first', async () => {
    const payment = await forgotten();
    await sweepAfter(0);
    expect(await wakesOf(whole, payment)).toBe(0);
  });

  it('is taken by one of two sweepers', async () => {
    const payment = await forgotten();
    await Promise.all([sweepAfter(6), sweepAfter(6)]);
    expect(await wakesOf(whole, payment)).toBe(1);
  });
});

describe('a callback that was not looked at', () => {
  it('wakes its payment again, ever more rarely', async () => {
    const payment = await forgotten();
    const wakes: number[] = [];
    for (const seconds of [6, 18, 24, 40, 52, 90, 110]) {
      await sweepAfter(seconds);
      wakes.push(await wakesOf(whole, payment));
    }
    expect(wakes).toEqual([1, 1, 2, 2, 3, 3, 4]);
  });

  it('wakes nobody once it was', async () => {
    const { callbacks } = whole.parts;
    const payment = await forgotten(2);
    const [first, second] = await callbacks.waiting(payment.transactionId);
    const mark = (ids: number[]) => callbacks.markProcessed(ids, new Date());
    await mark([first?.id ?? 0]);
    expect(await callbacks.waiting(payment.transactionId)).toEqual([second]);
    await mark([second?.id ?? 0]);
    await mark([]);
    expect(await callbacks.waiting(payment.transactionId)).toEqual([]);
    await sweepAfter(3_600);
    expect(await wakesOf(whole, payment)).toBe(0);
  });
});
