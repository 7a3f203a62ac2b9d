import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { authorization, found, pendingPix, sale, to, untilStatus } from '../support/payment-scenario';
import { callbackBody, signed } from './callback-api';

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

/** Waits until this many callbacks were received and all are processed. */
function untilProcessed({ transaction_id: id }: PaymentBody, stored: number): Promise<true> {
  return waitFor(async () => {
    const counts = await api.engine.context.db.queryOne(
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

/** Number of wake signals in the last run of the payment’s workflow. */
async function wakesOf({ transaction_id: id }: PaymentBody): Promise<number> {
  const handle = api.engine.context.temporal.workflow.getHandle(`payment/${id}`);
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

describe('a signed callback that reports the recorded or an expected state does not signal the workflow', () => {
  it('after a capture and a refund with exactly the recorded amounts, also if it is repeated', async () => {
    const payment = await authorization(client, { amount: uniqueAmount() });
    expectStatus(await client('capturePayment', to(payment, { body: { amount: payment.amount - 1 } })), 200);
    await untilProcessed(payment, 1);
    expectStatus(await client('refundPayment', to(payment, { body: { amount: 1 } })), 200);
    await untilProcessed(payment, 2);
    await api.engine.simulator.sendCallbacks(payment.transaction_id, { times: 2 });
    await untilProcessed(payment, 3);
    expect([await inquiriesOf(payment), await wakesOf(payment)]).toEqual([0, 0]);
  });

  it.each(['capture', 'cancel'] as const)(
    'before the answer to the %s in flight has arrived',
    async (operation) => {
      const payment = await authorization(client, { amount: uniqueAmount() });
      const { amount } = payment;
      await api.engine.simulator.script({ amount, operation }, { callback_first: true, delay_ms: 100 });
      const request =
        operation === 'capture'
          ? client('capturePayment', to(payment, { body: {} }))
          : client('cancelPayment', to(payment));
      expectStatus(await request, 200);
      await untilProcessed(payment, 1);
      expect([await inquiriesOf(payment), await wakesOf(payment)]).toEqual([0, 0]);
    },
  );

  it('after a pix was paid, if the callback is repeated', async () => {
    const payment = await pendingPix(client, { amount: uniqueAmount() });
    await api.engine.simulator.pay(payment.transaction_id);
    await untilStatus(client, payment, 'approved');
    await untilProcessed(payment, 1);
    await api.engine.simulator.sendCallbacks(payment.transaction_id);
    await untilProcessed(payment, 2);
    expect(await inquiriesOf(payment)).toBe(1);
  });
});

describe('a signed callback that may report a new state triggers an inquiry', () => {
  it.each([
    ['another captured amount', { captured_amount: 1 }],
    ['a refund that was not requested', { kind: 'refunded', refunded_amount: 1 }],
    ['an incomplete state', { captured_amount: undefined }],
  ])('if it reports %s', async (_, change) => {
    const payment = await sale(client, { amount: uniqueAmount() });
    const recorded = { captured_amount: payment.amount, refunded_amount: 0, paid_amount: 0 };
    const body = callbackBody(`${payment.transaction_id}-1`, { ...recorded, ...change });
    const request = { params: { gateway: 'gateway_1' }, body, headers: signed(body) };
    expectStatus(await client('receiveCallback', request), 200);
    await untilProcessed(payment, 1);
    expect(await inquiriesOf(payment)).toBe(1);
  });

  it('if the answer to the operation that it reports was lost', async () => {
    const payment = await authorization(client, { amount: uniqueAmount() });
    const { amount } = payment;
    await api.engine.simulator.script({ amount, operation: 'capture' }, { drop: 'after' });
    await client('capturePayment', to(payment, { body: {} }));
    await untilProcessed(payment, 1);
    expect(await found(client, payment)).toMatchObject({ status: 'approved', captured_amount: amount });
    expect(await inquiriesOf(payment)).toBeGreaterThan(0);
  });
});
