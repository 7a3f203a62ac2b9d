import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { authorization, found, pendingPix, sale, to, untilStatus } from '../support/payment-scenario';
import { notice, signed } from './callback-api';

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  client = await registerWithGateways(api, []);
  const secret = `sk_test_${randomUUID()}`;
  await api.engine.simulator.setUpAccount(secret, { callback_url: `${api.baseUrl}/api/v1` });
  const body = { gateways: [{ gateway_slug: 'gateway_1' as const, secret_key: secret }] };
  expectStatus(await client('saveGateways', { body }), 200);
});
afterAll(() => api.stop());

/** Waits until so many callbacks came and all of them were looked at. */
function untilLookedAt({ transaction_id: id }: PaymentBody, stored: number): Promise<true> {
  return waitFor(async () => {
    const counts = await api.engine.parts.db.queryOne(
      `SELECT count(*) AS stored, count(*) FILTER (WHERE c.processed_at IS NULL) AS waiting
       FROM gateway_callbacks c JOIN payments p ON p.id = c.payment_id WHERE p.transaction_id = $1`,
      [id],
    );
    expect(counts).toEqual({ stored, waiting: 0 });
    return true;
  });
}

async function inquiriesOf({ transaction_id: id }: PaymentBody): Promise<number> {
  const requests = await api.engine.simulator.requests(id);
  return requests.filter(({ operation }) => operation === 'inquiry').length;
}

/** How often the payment's workflow was told to look, in its last run. */
async function wakesOf({ transaction_id: id }: PaymentBody): Promise<number> {
  const handle = api.engine.parts.temporal.workflow.getHandle(`payment/${id}`);
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

describe('a signed callback that tells nothing new wakes nobody', () => {
  it('after a capture and a refund, to the cent, and when it comes again', async () => {
    const payment = await authorization(client, { amount: uniqueAmount() });
    expectStatus(await client('capturePayment', to(payment, { body: { amount: payment.amount - 1 } })), 200);
    await untilLookedAt(payment, 1);
    expectStatus(await client('refundPayment', to(payment, { body: { amount: 1 } })), 200);
    await untilLookedAt(payment, 2);
    await api.engine.simulator.sendCallbacks(payment.transaction_id, { times: 2 });
    await untilLookedAt(payment, 3);
    expect([await inquiriesOf(payment), await wakesOf(payment)]).toEqual([0, 0]);
  });

  it.each(['capture', 'cancel'] as const)('before the answer to its %s has come', async (operation) => {
    const payment = await authorization(client, { amount: uniqueAmount() });
    const { amount } = payment;
    await api.engine.simulator.script({ amount, operation }, { callback_first: true, delay_ms: 100 });
    const asked =
      operation === 'capture'
        ? client('capturePayment', to(payment, { body: {} }))
        : client('cancelPayment', to(payment));
    expectStatus(await asked, 200);
    await untilLookedAt(payment, 1);
    expect([await inquiriesOf(payment), await wakesOf(payment)]).toEqual([0, 0]);
  });

  it('of a pix that was paid, when it comes again', async () => {
    const payment = await pendingPix(client, { amount: uniqueAmount() });
    await api.engine.simulator.pay(payment.transaction_id);
    await untilStatus(client, payment, 'approved');
    await untilLookedAt(payment, 1);
    await api.engine.simulator.sendCallbacks(payment.transaction_id);
    await untilLookedAt(payment, 2);
    expect(await inquiriesOf(payment)).toBe(1);
  });
});

describe('a signed callback that may tell something new has the gateway asked', () => {
  it.each([
    ['another amount than the books have', { captured_amount: 1 }],
    ['a refund that nobody here asked for', { kind: 'refunded', refunded_amount: 1 }],
    ['less than all of how it stands', { captured_amount: undefined }],
  ])('when it tells %s', async (_, change) => {
    const payment = await sale(client, { amount: uniqueAmount() });
    const books = { captured_amount: payment.amount, refunded_amount: 0, paid_amount: 0 };
    const body = notice(`${payment.transaction_id}-1`, { ...books, ...change });
    const request = { params: { gateway: 'gateway_1' }, body, headers: signed(body) };
    expectStatus(await client('receiveCallback', request), 200);
    await untilLookedAt(payment, 1);
    expect(await inquiriesOf(payment)).toBe(1);
  });

  it('when the answer to the operation it tells of is lost', async () => {
    const payment = await authorization(client, { amount: uniqueAmount() });
    const { amount } = payment;
    await api.engine.simulator.script({ amount, operation: 'capture' }, { drop: 'after' });
    await client('capturePayment', to(payment, { body: {} }));
    await untilLookedAt(payment, 1);
    expect(await found(client, payment)).toMatchObject({ status: 'approved', captured_amount: amount });
    expect(await inquiriesOf(payment)).toBeGreaterThan(0);
  });
});
