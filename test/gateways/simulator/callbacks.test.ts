import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator, type RunningSimulator } from '../../../src/simulator/server';
import { freePort } from '../../../src/dev/ports';
import {
  startCallbackReceiver,
  type CallbackReceiver,
  type ReceivedCallback,
  verifySimulatorCallback,
} from '../../support/stack/callback-receiver';
import { SimulatorControl } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { payment, pixPayment, SECRET, VendorClient } from './vendor-client';

const WEBHOOK_SECRET = 'whsec_of_this_test';
let folder: string;
let simulator: RunningSimulator;
let control: SimulatorControl;
let vendor: VendorClient;
let receiver: CallbackReceiver;

beforeEach(async () => {
  receiver = await startCallbackReceiver();
  folder = mkdtempSync(join(tmpdir(), 'simulator-callbacks-'));
  simulator = await startSimulator({
    port: await freePort(),
    folder,
    paysAfterMs: null,
    baseUrl: receiver.url,
    webhookSecret: () => WEBHOOK_SECRET,
  });
  control = new SimulatorControl(simulator.url);
  vendor = new VendorClient(simulator.url, 'gateway_5');
});
afterEach(async () => {
  await simulator.stop();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const verify = (callback: ReceivedCallback | undefined, secret = WEBHOOK_SECRET) =>
  callback && verifySimulatorCallback(callback, [secret]);
const received = (count: number) =>
  waitFor(() => receiver.received.length === count && receiver.received, { what: `${count} callbacks` });
const kinds = async (transactionId: string) =>
  (await control.callbacks(transactionId)).map((callback) => callback.kind);

it('the query of the address for callbacks is added to each, as the mode of its data is', async () => {
  const { transactionId, body } = pixPayment();
  await control.setUpAccount(SECRET, { callback_url: `${receiver.url}?mode=test` });
  await vendor.charge(body);
  await control.pay(transactionId);
  const [callback] = await received(1);
  expect(callback?.path).toBe('/api/v1/webhooks/gateway_5?mode=test');
});

it('a paid pix causes a signed callback to the route of its gateway', async () => {
  const { transactionId, body } = pixPayment();
  await vendor.charge(body);
  expect(receiver.received).toEqual([]);
  await control.pay(transactionId);
  const [callback] = await received(1);
  expect(callback?.path).toBe('/api/v1/webhooks/gateway_5');
  expect(verify(callback)).toBe('valid');
  expect(callback?.payload).toMatchObject({
    kind: 'approved',
    reference: body.reference,
    paid_amount: 10_000,
  });
  await waitFor(async () => (await control.callbacks(transactionId))[0]?.status === 200);
});

it('every successful capture, cancel and refund causes one callback', async () => {
  const followUp = (transactionId: string, operation: string) => ({
    reference: `${transactionId}-1-${operation}`,
    amount: 10_000,
  });
  const sold = payment();
  const { id } = await vendor.sendAccepted('authorizations', sold.body);
  await vendor.sendAccepted(`charges/${id}/captures`, followUp(sold.transactionId, 'capture'));
  await received(1);
  await vendor.send(`charges/${id}/cancels`, followUp(sold.transactionId, 'cancel'));
  await vendor.sendAccepted(`charges/${id}/refunds`, followUp(sold.transactionId, 'refund'), 'refund-key');
  await received(2);
  await vendor.sendAccepted(`charges/${id}/refunds`, followUp(sold.transactionId, 'refund'), 'refund-key');
  const released = payment();
  const authorization = await vendor.sendAccepted('authorizations', released.body);
  await vendor.sendAccepted(
    `charges/${authorization.id}/cancels`,
    followUp(released.transactionId, 'cancel'),
  );
  await received(3);
  expect(await kinds(sold.transactionId)).toEqual(['approved', 'refunded']);
  expect(await kinds(released.transactionId)).toEqual(['canceled']);
});

it('a refund whose response was lost causes a callback', async () => {
  const { transactionId, body } = payment();
  const { id } = await vendor.charge(body);
  await control.script({ transaction_id: transactionId, operation: 'refund' }, { drop: 'after' });
  const refund = { reference: `${transactionId}-1-refund`, amount: 10_000 };
  await expect(vendor.sendAccepted(`charges/${id}/refunds`, refund)).rejects.toThrow();
  await received(1);
  expect(await kinds(transactionId)).toEqual(['refunded']);
});

it('the same callback is retried until it is answered with 200', async () => {
  receiver.answerNext(500, 302);
  const { transactionId, body } = pixPayment();
  await vendor.charge(body);
  await control.pay(transactionId);
  await waitFor(async () => (await control.callbacks(transactionId)).length === 3);
  const statuses = (await control.callbacks(transactionId)).map((callback) => callback.status);
  expect(statuses).toEqual([500, 302, 200]);
  expect(new Set(receiver.received.map((callback) => callback.body.toString())).size).toBe(1);
});

it('the expiry of a pix and its late payment cause callbacks', async () => {
  const { transactionId, body } = pixPayment({ expires_in: 1 });
  await vendor.charge(body);
  await received(1);
  expect(await kinds(transactionId)).toEqual(['expired']);
  expect((await control.ledger(transactionId)).entries.map((entry) => entry.kind)).toEqual([
    'pending',
    'expired',
  ]);
  expect(await control.pay(transactionId)).toMatchObject({ status: 'approved' });
  await received(2);
});

it('a callback is sent before the response if scripted', async () => {
  const { transactionId, body } = payment();
  await control.script({ transaction_id: transactionId }, { callback_first: true });
  const charging = vendor.charge(body).then(() => receiver.received.length);
  expect(await charging).toBe(1);
  expect(await kinds(transactionId)).toEqual(['approved']);
});

it('a charge scripted without callbacks gets them only on demand', async () => {
  const { transactionId, body } = pixPayment();
  await control.script({ transaction_id: transactionId }, { callback: false });
  await vendor.charge(body);
  await control.pay(transactionId);
  await control.sendCallbacks(transactionId, { times: 2 });
  const [first, second] = await received(2);
  expect([verify(first), verify(second)]).toEqual(['valid', 'valid']);
  expect(second?.payload.id).toBe(first?.payload.id);
});

it('each request for a callback creates a new event', async () => {
  const { transactionId, body } = payment();
  await vendor.charge(body);
  await control.sendCallbacks(transactionId);
  await control.sendCallbacks(transactionId, { kind: 'chargeback' });
  const callbacks = await received(2);
  expect(new Set(callbacks.map(({ payload: told }) => told.id)).size).toBe(2);
  expect((await kinds(transactionId)).sort()).toEqual(['approved', 'chargeback']);
});

it('a forged callback has an invalid signature and is not retried', async () => {
  receiver.answerNext(401);
  const { transactionId, body } = payment();
  await vendor.charge(body);
  await control.sendCallbacks(transactionId, { forge: true, delay_ms: 50 });
  const [forged] = await received(1);
  expect(verify(forged)).toBe('invalid');
  await waitFor(async () => (await control.callbacks(transactionId)).length === 1);
});

describe('an account with its own settings', () => {
  it('gets callbacks at its own URL, signed with its own secret', async () => {
    const own = await startCallbackReceiver();
    await control.setUpAccount(SECRET, { callback_url: own.url, webhook_secret: 'whsec_of_the_company' });
    const { transactionId, body } = pixPayment();
    await vendor.charge(body);
    await control.pay(transactionId);
    const [callback] = await waitFor(() => own.received.length === 1 && own.received);
    expect(verify(callback, 'whsec_of_the_company')).toBe('valid');
    expect(receiver.received).toEqual([]);
    own.close();
  });

  it('can disable signatures and callbacks', async () => {
    await control.setUpAccount(SECRET, { webhook_secret: null });
    const { transactionId, body } = pixPayment();
    await vendor.charge(body);
    await control.pay(transactionId);
    expect(verify((await received(1))[0])).toBe('unsigned');
    await control.setUpAccount(SECRET, { callback_url: null });
    await expect(control.sendCallbacks(transactionId)).rejects.toThrow('409');
  });
});

it('an unreachable receiver does not affect charges', async () => {
  receiver.close();
  const { transactionId, body } = pixPayment();
  await vendor.charge(body);
  await control.pay(transactionId);
  await waitFor(async () => (await control.callbacks(transactionId)).length >= 2);
  expect((await control.callbacks(transactionId))[0]).toMatchObject({ status: null });
  expect(await vendor.charge(payment().body)).toMatchObject({ status: 'approved' });
});
