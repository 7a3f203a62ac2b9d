import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentBody } from '../../../src/presenters/payment';
import { ledgerOf, uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import {
  found,
  advanceClockByHours,
  pendingPix,
  pendingRequest,
  sale,
  untilStatus,
} from '../support/payment-scenario';
import { callbackBody, signed } from './callback-api';

/** More than the number of pauses that fit between the callbacks. */
const HINTS = 20;

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startEngineApi();
  client = await companyWithCallbacks();
});
afterAll(() => api.stop());

/** A company whose gateway sends callbacks to this service; `webhookSecret` null means unsigned. */
async function companyWithCallbacks(
  webhookSecret?: null,
  slug: GatewaySlug = 'gateway_1',
): Promise<ApiClient> {
  const company = await registerWithGateways(api, []);
  const secret = `sk_test_${randomUUID()}`;
  await api.engine.simulator.setUpAccount(secret, {
    callback_url: `${api.baseUrl}/api/v1`,
    ...(webhookSecret === null && { webhook_secret: null }),
  });
  const body = { gateways: [{ gateway_slug: slug, secret_key: secret }] };
  expectStatus(await company('saveGateways', { body }), 200);
  return company;
}

interface CallbackCounts {
  readonly stored: number;
  readonly waiting: number;
}

async function callbacksOf({ transaction_id: id }: PaymentBody): Promise<CallbackCounts> {
  const counts = await api.engine.context.db.queryOne<CallbackCounts>(
    `SELECT count(*) AS stored, count(*) FILTER (WHERE c.processed_at IS NULL) AS waiting
     FROM gateway_callbacks c JOIN payments p ON p.id = c.payment_id WHERE p.transaction_id = $1`,
    [id],
  );
  return counts ?? { stored: 0, waiting: 0 };
}

/** Waits until this many callbacks were received and all are processed. */
const untilProcessed = (payment: PaymentBody, stored: number) =>
  waitFor(async () => {
    const counts = await callbacksOf(payment);
    expect(counts).toEqual({ stored, waiting: 0 });
    return true;
  });

async function inquiriesOf({ transaction_id: id }: PaymentBody): Promise<Date[]> {
  const requests = await api.engine.simulator.requests(id);
  return requests.filter(({ operation }) => operation === 'inquiry').map(({ time }) => new Date(time));
}

const answersOf = async ({ transaction_id: id }: PaymentBody) =>
  (await api.engine.simulator.callbacks(id)).map(({ status }) => status);

describe('a pix paid at its gateway', () => {
  it.concurrent('is approved after its callback and one inquiry', async () => {
    const payment = await pendingPix(client, { amount: uniqueAmount() });
    await api.engine.simulator.pay(payment.transaction_id);
    const approved = await untilStatus(client, payment, 'approved');
    expect(approved).toMatchObject({ paid_amount: payment.amount, captured_amount: payment.amount });
    await untilProcessed(payment, 1);
    expect(await inquiriesOf(payment)).toHaveLength(1);
    expect(await answersOf(payment)).toEqual([200]);
    expect(await ledgerOf(api.engine, payment)).toMatchObject({ captured: payment.amount });
  });

  it.concurrent('is also approved after an unsigned callback, because the gateway is queried', async () => {
    const unsigned = await companyWithCallbacks(null);
    const payment = await pendingPix(unsigned, { amount: uniqueAmount() });
    await api.engine.simulator.pay(payment.transaction_id);
    await untilStatus(unsigned, payment, 'approved');
    await untilProcessed(payment, 1);
    expect(await inquiriesOf(payment)).toHaveLength(1);
  });

  it.concurrent('is approved once if the same callback arrives five times', async () => {
    const payment = await pendingPix(client, { amount: uniqueAmount() });
    await api.engine.simulator.pay(payment.transaction_id);
    await api.engine.simulator.sendCallbacks(payment.transaction_id, { times: 5 });
    await untilStatus(client, payment, 'approved');
    await untilProcessed(payment, 2);
    await waitFor(async () => (await answersOf(payment)).length === 6);
    expect(await answersOf(payment)).toEqual([200, 200, 200, 200, 200, 200]);
    const { transactions } = await found(client, payment);
    expect(transactions.map(({ status }) => status)).toEqual(['approved', 'approved']);
  });

  it.concurrent('is approved even if it had failed by expiry', async () => {
    const payment = await pendingPix(client, { amount: uniqueAmount() });
    await advanceClockByHours(client, payment, 25);
    expect(await untilStatus(client, payment, 'failed')).toMatchObject({ code: 'expired' });
    await api.engine.simulator.pay(payment.transaction_id);
    expect(await untilStatus(client, payment, 'approved')).toMatchObject({ paid_amount: payment.amount });
    await untilProcessed(payment, 1);
  });
});

describe('a callback about a charge without an answer, at a gateway that cannot look up charges', () => {
  const lostPix = async (client: ApiClient): Promise<PaymentBody> => {
    const amount = uniqueAmount();
    await api.engine.simulator.script({ amount, operation: 'charge' }, { drop: 'after' });
    const creating = await client('createPixPayment', { body: pendingRequest({ amount }) });
    return expectStatus(creating, 202).body;
  };

  it.concurrent.each([
    ['signed', undefined],
    ['unsigned', null],
  ] as const)('provides the id for the inquiry, %s, so no operator is needed', async (_, webhookSecret) => {
    const client = await companyWithCallbacks(webhookSecret, 'gateway_3');
    const payment = await lostPix(client);
    await api.engine.simulator.pay(payment.transaction_id);
    const approved = await untilStatus(client, payment, 'approved');
    expect(approved).toMatchObject({ attempts: 1, paid_amount: payment.amount });
    expect(approved.transactions[0]).toMatchObject({ status: 'approved', gateway: 'gateway_3' });
    expect(approved.transactions[0]?.gateway_transaction_id).not.toBeNull();
    await untilProcessed(payment, 1);
  });

  it.concurrent('proves nothing if the gateway knows another charge by that id', async () => {
    const client = await companyWithCallbacks(null, 'gateway_3');
    const other = await pendingPix(client, { amount: uniqueAmount() });
    const payment = await lostPix(client);
    const falseBody = callbackBody(`${payment.transaction_id}-1`, {
      charge_id: other.transactions[0]?.gateway_transaction_id ?? '',
    });
    await fetch(`${api.baseUrl}/api/v1/webhooks/gateway_3`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(falseBody),
    });
    await waitFor(async () => (await inquiriesOf(other)).length > 0, { what: 'an inquiry' });
    expect(await found(client, payment)).toMatchObject({ status: 'processing', attempts: 1 });
  });
});

describe('a callback that arrives before the answer to the charge', () => {
  it.concurrent('is processed after the answer, and the payment continues normally', async () => {
    const amount = uniqueAmount();
    await api.engine.simulator.script({ amount, operation: 'charge' }, { callback_first: true });
    const payment = await pendingPix(client, { amount });
    await untilProcessed(payment, 1);
    expect(await found(client, payment)).toMatchObject({ status: 'pending', attempts: 1 });
    await api.engine.simulator.pay(payment.transaction_id);
    await untilStatus(client, payment, 'approved');
  });

  it.concurrent('provides the result of a charge whose answer was lost', async () => {
    const amount = uniqueAmount();
    await api.engine.simulator.script({ amount, operation: 'charge' }, { hang: 'after' });
    await api.engine.simulator.script({ amount, operation: 'inquiry' }, { status: 503 }, 1);
    const creating = client('createPixPayment', { body: pendingRequest({ amount }) });
    const { transaction_id: id } = await waitFor(async () => {
      const { body } = expectStatus(
        await client('listPayments', { query: { amount_from: amount, amount_to: amount } }),
        200,
      );
      const [listed] = body.data;
      if (listed === undefined) return false;
      return (await api.engine.simulator.ledger(listed.transaction_id)).entries.length > 0 && listed;
    });
    await api.engine.simulator.pay(id);
    const { body } = expectStatus(await creating, 200);
    expect(body).toMatchObject({ transaction_id: id, attempts: 1 });
    const payment = await untilStatus(client, body, 'approved');
    await untilProcessed(payment, 1);
    expect(await ledgerOf(api.engine, payment)).toMatchObject({ captured: amount });
  });
});

describe('a callback about a payment whose workflow has completed', () => {
  it.concurrent('starts the workflow again, which queries the gateway, changes nothing and completes', async () => {
    const unsigned = await companyWithCallbacks(null);
    const payment = await sale(unsigned, { amount: uniqueAmount() });
    const handle = api.engine.context.temporal.workflow.getHandle(`payment/${payment.transaction_id}`);
    await handle.result();
    await api.engine.simulator.sendCallbacks(payment.transaction_id);
    await untilProcessed(payment, 1);
    await waitFor(async () => (await handle.describe()).status.name === 'COMPLETED');
    expect(await inquiriesOf(payment)).toHaveLength(1);
    expect(await found(unsigned, payment)).toEqual(payment);
  });

  it.concurrent('about a chargeback changes nothing', async () => {
    const payment = await sale(client, { amount: uniqueAmount() });
    await api.engine.simulator.sendCallbacks(payment.transaction_id, { kind: 'chargeback' });
    await untilProcessed(payment, 1);
    expect(await found(client, payment)).toEqual(payment);
  });
});

describe('a callback that reports a false state', () => {
  it.concurrent('changes nothing if the gateway reports otherwise', async () => {
    const payment = await pendingPix(client, { amount: uniqueAmount() });
    const reference = `${payment.transaction_id}-1`;
    const body = callbackBody(reference, { kind: 'approved', paid_amount: payment.amount });
    expectStatus(
      await client('receiveCallback', { params: { gateway: 'gateway_1' }, body, headers: signed(body) }),
      200,
    );
    await untilProcessed(payment, 1);
    expect(await found(client, payment)).toMatchObject({ status: 'pending', paid_amount: null });
  });

  it.concurrent('is rejected and not processed if its signature is forged', async () => {
    const payment = await pendingPix(client, { amount: uniqueAmount() });
    await api.engine.simulator.sendCallbacks(payment.transaction_id, { forge: true, times: 3 });
    await waitFor(async () => (await answersOf(payment)).length === 3);
    expect(await answersOf(payment)).toEqual([401, 401, 401]);
    expect(await callbacksOf(payment)).toEqual({ stored: 0, waiting: 0 });
    expect(await inquiriesOf(payment)).toEqual([]);
  });

  it.concurrent('without a signature causes one inquiry per pause, however many arrive', async () => {
    const payment = await pendingPix(client, { amount: uniqueAmount() });
    const hint = () =>
      client('receiveCallback', {
        params: { gateway: 'gateway_1' },
        body: callbackBody(`${payment.transaction_id}-1`),
      });
    await hint();
    await untilProcessed(payment, 1);
    await Promise.all(Array.from({ length: HINTS }, hint));
    await waitFor(async () => (await callbacksOf(payment)).waiting === 0);
    const { hintPauseMs } = api.engine.config.payments;
    const inquiredAt = (await inquiriesOf(payment)).map(Number);
    const gaps = inquiredAt.slice(1).map((at, index) => at - (inquiredAt[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(0);
    // The gateway’s clock decides: a late inquiry makes the next one seem early.
    expect(gaps.filter((gap) => gap < hintPauseMs / 2)).toEqual([]);
  });
});
