import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator, type RunningSimulator } from '../../../src/gateways/simulator/server';
import { freePort } from '../../../src/local/ports';
import { SimulatorControl } from '../../support/simulator';
import { waitFor } from '../../support/wait-for';
import { payment, pixPayment, VendorClient } from './vendor-client';

interface ReceivedCallback {
  readonly path: string;
  readonly signature: string;
  readonly body: string;
}

const WEBHOOK_SECRET = 'whsec_of_this_test';
let folder: string;
let simulator: RunningSimulator;
let control: SimulatorControl;
let vendor: VendorClient;
let receiver: Server;
let received: ReceivedCallback[];
/** How the engine answers, one by one; 200 once they are used up. */
let answers: number[];

beforeEach(async () => {
  received = [];
  answers = [];
  const receiverPort = await freePort();
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { url = '', headers } = request;
      received.push({ path: url, signature: String(headers['gateway-signature']), body });
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  receiver.listen(receiverPort, '127.0.0.1');
  await once(receiver, 'listening');
  folder = mkdtempSync(join(tmpdir(), 'simulator-callbacks-'));
  simulator = await startSimulator({
    port: await freePort(),
    folder,
    baseUrl: `http://127.0.0.1:${receiverPort}/api/v1`,
    webhookSecret: () => WEBHOOK_SECRET,
  });
  control = new SimulatorControl(simulator.url);
  vendor = new VendorClient(simulator.url, 'gateway_5');
});
afterEach(async () => {
  await simulator.stop();
  receiver.closeAllConnections();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const isSigned = ({ signature, body }: ReceivedCallback): boolean => {
  const [, timestamp, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  return digest === createHmac('sha256', WEBHOOK_SECRET).update(`${timestamp}.${body}`).digest('hex');
};

it('tells of a paid pix at the route of its gateway, signed over timestamp and body', async () => {
  const { transactionId, body } = pixPayment();
  await vendor.charge(body);
  expect(received).toEqual([]);
  await control.pay(transactionId);
  const [callback] = await waitFor(() => received.length === 1 && received);
  expect(callback?.path).toBe('/api/v1/webhooks/gateway_5');
  expect(callback && isSigned(callback)).toBe(true);
  expect(JSON.parse(callback?.body ?? '')).toMatchObject({ kind: 'approved', reference: body.reference });
  expect(await control.callbacks(transactionId)).toMatchObject([{ kind: 'approved', status: 200 }]);
});

it('is sent again, the same one, until it is answered 200', async () => {
  answers = [500, 302];
  const { transactionId, body } = pixPayment();
  await vendor.charge(body);
  await control.pay(transactionId);
  await waitFor(async () => (await control.callbacks(transactionId)).length === 3);
  const statuses = (await control.callbacks(transactionId)).map((callback) => callback.status);
  expect(statuses).toEqual([500, 302, 200]);
  expect(new Set(received.map((callback) => callback.body)).size).toBe(1);
});

it('tells of an expired pix without being asked, and of its late payment', async () => {
  const { transactionId, body } = pixPayment({ expires_in: 1 });
  await vendor.charge(body);
  await waitFor(() => received.length === 1);
  expect(await control.callbacks(transactionId)).toMatchObject([{ kind: 'expired', status: 200 }]);
  expect((await control.ledger(transactionId)).entries.map((entry) => entry.kind)).toEqual([
    'pending',
    'expired',
  ]);
  expect(await control.pay(transactionId)).toMatchObject({ status: 'approved' });
  await waitFor(() => received.length === 2);
});

it('goes out before the answer when scripted', async () => {
  const { transactionId, body } = payment();
  await control.script({ transaction_id: transactionId }, { callback_first: true });
  const charging = vendor.charge(body).then(() => received.length);
  expect(await charging).toBe(1);
  expect(await control.callbacks(transactionId)).toMatchObject([{ kind: 'approved' }]);
});

it('is never sent for a charge that is scripted so, but still on demand', async () => {
  const { transactionId, body } = pixPayment();
  await control.script({ transaction_id: transactionId }, { callback: false });
  await vendor.charge(body);
  await control.pay(transactionId);
  await control.sendCallbacks(transactionId, { times: 2 });
  await waitFor(() => received.length === 2);
  expect(received.every(isSigned)).toBe(true);
});

it('is signed wrongly on demand, and then not repeated', async () => {
  answers = [401];
  const { transactionId, body } = payment();
  await vendor.charge(body);
  await control.sendCallbacks(transactionId, { forge: true, delay_ms: 50 });
  const [forged] = await waitFor(() => received.length === 1 && received);
  expect(forged && isSigned(forged)).toBe(false);
  await waitFor(async () => (await control.callbacks(transactionId)).length === 1);
});

it('does not hold up or break anything when nobody listens', async () => {
  receiver.closeAllConnections();
  receiver.close();
  const { transactionId, body } = pixPayment();
  await vendor.charge(body);
  await control.pay(transactionId);
  await waitFor(async () => (await control.callbacks(transactionId)).length >= 2);
  expect((await control.callbacks(transactionId))[0]).toMatchObject({ status: null });
  expect(await vendor.charge(payment().body)).toMatchObject({ status: 'approved' });
});
