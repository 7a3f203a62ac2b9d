import { randomUUID } from 'node:crypto';
import { addEndpoint } from '../../support/fixtures/webhooks';
import { BANK_ACCOUNT } from '../../support/fixtures/payments';
import type { PaymentBody } from '../../../src/presenters/payment';
import { waitFor } from '../../support/stack/wait-for';
import { waitingForLocks } from '../../support/stack/waiting-for-locks';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { callbackBody, signed } from '../callbacks/callback-api';
import { CustomerErasureRepository } from '../../../src/persistence/customers/customer-erasure-repository';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { findInDatabase } from '../support/find-in-database';
import { advanceClockByHours, pendingBillet, sale, to } from '../support/payment-scenario';

/* What others tell about a customer: nothing of it may be readable after the erasure, whenever it arrives. */

let api: EngineApi;
let client: ApiClient;
let receiver: WebhookReceiver;
let companyId: number;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startEngineApi(), startWebhookReceiver()]);
  client = await registerWithGateways(api);
  const row = await api.engine.context.db.queryOne<{ id: number }>('SELECT max(id) AS id FROM companies');
  companyId = row?.id ?? 0;
});
afterAll(async () => {
  receiver.close();
  await api.stop();
});

async function newCustomer(mark: string): Promise<string> {
  const document = String(10_000_000_000 + Math.floor(Math.random() * 89_999_999_999));
  const body = { name: `Joana ${mark}`, email: `${mark}@example.com`, document };
  return expectStatus(await client('createCustomer', { body }), 201).body.data.token;
}

const erase = async (token: string) =>
  expectStatus(await client('eraseCustomer', { params: { token } }), 204);

/** Starts this before the erasure commits; it must wait for the erasure. */
async function whileErasing(token: string, start: () => Promise<unknown>): Promise<void> {
  const { db } = api.engine.context;
  const erasure = new CustomerErasureRepository(db);
  const { started } = await db.inTransaction(async (tx) => {
    const id = await erasure.lock(tx, companyId, token, []);
    await erasure.erase(tx, id ?? 0, [], new Date());
    const begun = start();
    const waits = waitFor(async () => (await waitingForLocks(db)) > 0, {
      what: 'something to wait for the erasure',
    });
    await Promise.race([begun, waits]);
    return { started: begun };
  });
  await started;
}

/** A signed callback of the gateway about the payment’s charge, in which the payer is named. */
async function callBack({ transaction_id: id }: { transaction_id: string }, payer: string): Promise<void> {
  const [charge] = await api.engine.context.attempts.listByTransaction(id);
  const body = callbackBody(charge?.reference ?? '', { payer });
  const headers = { 'Content-Type': 'application/json', ...signed(body) };
  const url = `${api.baseUrl}/api/v1/webhooks/gateway_1`;
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(status).toBe(200);
}

it('a signed callback that names the payer is kept without its body', async () => {
  const mark = randomUUID();
  const token = await newCustomer(mark);
  const payment = await sale(client, { customer: { token } });
  await callBack(payment, mark);
  expect(await findInDatabase(api.engine, mark)).toEqual(['gateway_callbacks.raw_body']);
  await erase(token);
  expect(await findInDatabase(api.engine, mark)).toEqual([]);
  await callBack(payment, mark);
  expect(await findInDatabase(api.engine, mark)).toEqual([]);
  const { db } = api.engine.context;
  const stored = await db.query(
    'SELECT 1 FROM gateway_callbacks WHERE payment_id = (SELECT max(id) FROM payments)',
  );
  expect(stored).toHaveLength(2);
});

it('a signed callback that arrives while the payer is erased is kept without its body', async () => {
  const mark = randomUUID();
  const token = await newCustomer(mark);
  const payment = await sale(client, { customer: { token } });
  await whileErasing(token, () => callBack(payment, mark));
  expect(await findInDatabase(api.engine, mark)).toEqual([]);
});

it('what a receiver answers to a webhook while the customer is erased is not kept', async () => {
  const mark = randomUUID();
  const token = await newCustomer(mark);
  await addEndpoint(api.engine, { id: companyId }, receiver.url);
  let answer = (): void => undefined;
  receiver.behave((response, { body }) => {
    answer = () => response.writeHead(200).end((JSON.parse(body) as PaymentBody).customer?.email);
  });
  const { transaction_id: id } = await sale(client, { customer: { token } });
  await waitFor(() => receiver.received.length === 1, { what: 'the webhook' });
  expect(receiver.received[0]?.body).toContain(mark);
  const { deliveries } = api.engine.context;
  const delivered = async () => {
    const listed = await deliveries.listBySubject(id);
    return listed[0]?.status === 'delivered' && listed;
  };
  await whileErasing(token, () => {
    answer();
    return waitFor(delivered);
  });
  expect(await findInDatabase(api.engine, mark)).toEqual([]);
});

it('what a receiver answered to a webhook before is deleted', async () => {
  const mark = randomUUID();
  const token = await newCustomer(mark);
  receiver.behave((response) => response.writeHead(200).end(mark));
  await sale(client, { customer: { token } });
  const found = await waitFor(async () => {
    const places = await findInDatabase(api.engine, mark);
    return places.length > 0 && places;
  });
  expect(found).toEqual(['webhook_attempts.response_excerpt']);
  await erase(token);
  expect(await findInDatabase(api.engine, mark)).toEqual([]);
});

it('the bank account that a boleto is refunded to is deleted with the result of the refund', async () => {
  const token = await newCustomer(randomUUID());
  const pending = await pendingBillet(client, { customer: { token } });
  await api.engine.simulator.pay(pending.transaction_id);
  const payment = await advanceClockByHours(client, pending, 48);
  expect(payment.status).toBe('approved');
  await erase(token);
  const { attempts } = api.engine.context;
  const [claim, during] = [attempts.claimRequested.bind(attempts), [] as unknown[]];
  const spy = jest.spyOn(attempts, 'claimRequested').mockImplementation(async (tx, id, now) => {
    during.push((await attempts.find(id))?.sealedBankAccount);
    return claim(tx, id, now);
  });
  const body = { bank_account: BANK_ACCOUNT };
  expect(expectStatus(await client('refundPayment', to(payment, { body })), 200).body.status).toBe(
    'refunded',
  );
  spy.mockRestore();
  expect(during).toEqual([expect.objectContaining({ ciphertext: expect.any(String) })]);
  const all = await attempts.listByTransaction(payment.transaction_id);
  expect(all.map(({ sealedBankAccount }) => sealedBankAccount)).toEqual(all.map(() => null));
});
