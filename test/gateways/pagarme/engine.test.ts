import type { ApiClient } from '../../api/support/api-client';
import { expectStatus } from '../../api/support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../../api/support/engine-api';
import {
  authorization,
  found,
  operations,
  pendingBillet,
  pendingPix,
  pendingRequest,
  sale,
  to,
  untilStatus,
} from '../../api/support/payment-scenario';
import { paymentRequest } from '../../support/fixtures/payments';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';

const DRIVER = { GATEWAY_1_DRIVER: 'pagarme' };
/** What Pagar.me demands of every payment. */
const PAYER = { payer: { phone: '+5511912345678' } };

let simulator: SimulatorProcess;
let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/gateway_1`;
  const urls = { GATEWAY_1_URL: url, GATEWAY_1_KEYS_URL: url };
  api = await startEngineApi({ ...DRIVER, ...urls }, { workers: 'payments' });
  client = await registerWithGateways(api);
  await simulator.control.setUpAccount('sk_test_gateway_1', { callback_url: `${api.baseUrl}/api/v1` });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

const totalsOf = async (id: string) => (await simulator.control.ledger(id)).totals;

describe('a company whose gateway is Pagar.me', () => {
  it('charges a card and refunds a part, and a refund in Pagar.me’s dashboard becomes known by its signed webhook', async () => {
    const payment = await sale(client, { amount: 1_000, ...PAYER });
    const { transaction_id: id } = payment;
    expect(payment.transactions).toMatchObject([{ gateway: 'gateway_1', status: 'approved' }]);
    const refund = await client('refundPayment', to(payment, { body: { amount: 400 } }));
    expect(expectStatus(refund, 200).body).toMatchObject({ refunded_amount: 400 });
    expect(await totalsOf(id)).toMatchObject({ captured: 1_000, refunded: 400 });
    await simulator.control.refund(id, 250);
    const after = await waitFor(
      async () => {
        const current = await found(client, payment);
        return current.refunded_amount === 650 && current;
      },
      { what: 'the refund of the dashboard' },
    );
    expect(operations(after, 'refund').map(([, amount]) => amount)).toEqual([400, 250]);
    const stored = await api.engine.context.db.query<{ trusted: boolean }>(
      `SELECT trusted FROM gateway_callbacks JOIN payments ON payments.id = gateway_callbacks.payment_id
        WHERE payments.transaction_id = $1`,
      [id],
    );
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.every(({ trusted }) => trusted)).toBe(true);
  });

  it('finds a refund whose answer was lost among the charge’s others, and refunds it once', async () => {
    const payment = await sale(client, { amount: 1_000, ...PAYER });
    const { transaction_id } = payment;
    expectStatus(await client('refundPayment', to(payment, { body: { amount: 300 } })), 200);
    await simulator.control.script({ transaction_id, operation: 'refund' }, { drop: 'after' });
    await client('refundPayment', to(payment, { body: { amount: 300 } }));
    const after = await waitFor(async () => {
      const current = await found(client, payment);
      return current.refunded_amount === 600 && current;
    });
    expect(operations(after, 'refund')).toEqual([
      ['refunded', 300],
      ['refunded', 300],
    ]);
    expect(await totalsOf(transaction_id)).toMatchObject({ refunded: 600 });
  });

  it('captures a part of an authorization, and the rest that is released is no refund', async () => {
    const payment = await authorization(client, { amount: 1_000, ...PAYER });
    const captured = await client('capturePayment', to(payment, { body: { amount: 700 } }));
    expect(expectStatus(captured, 200).body).toMatchObject({ status: 'approved', captured_amount: 700 });
    await simulator.control.sendCallbacks(payment.transaction_id);
    const refund = await client('refundPayment', to(payment, { body: {} }));
    expect(expectStatus(refund, 200).body).toMatchObject({ status: 'refunded', refunded_amount: 700 });
  });

  it('learns of a paid pix by Pagar.me’s webhook, and is told that a pix cannot be canceled', async () => {
    const payment = await pendingPix(client, PAYER);
    const cancel = await client('cancelPayment', to(payment));
    expect(cancel.body).toMatchObject({
      code: 'gateway_refused',
      message: expect.stringContaining('does not cancel a pix') as unknown,
    });
    expect(await found(client, payment)).toMatchObject({ status: 'pending' });
    await simulator.control.pay(payment.transaction_id);
    await untilStatus(client, payment, 'approved');
  });

  it('creates a boleto with a line and a barcode', async () => {
    const { billing_address } = paymentRequest();
    const payment = await pendingBillet(client, { billing_address, ...PAYER });
    expect(payment.transactions).toMatchObject([
      {
        billet: {
          line: expect.stringMatching(/^\d{47}$/) as unknown,
          barcode: expect.stringMatching(/^\d{44}$/) as unknown,
        },
      },
    ]);
  });

  it('names what a payment lacks, and sends nothing', async () => {
    const { body } = expectStatus(await client('createPixPayment', { body: pendingRequest() }), 422);
    expect(JSON.stringify(body)).toContain('payer.phone');
  });

  it('finds a charge whose answer was lost, and never charges twice', async () => {
    const amount = 3_210;
    await simulator.control.script({ gateway: 'gateway_1', amount, operation: 'charge' }, { drop: 'after' });
    const payment = await sale(client, { amount, ...PAYER });
    expect(payment.transactions.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
    expect(await totalsOf(payment.transaction_id)).toMatchObject({ captured: amount });
  });

  it('cannot save credentials of another vendor', async () => {
    const gateways = [{ gateway_slug: 'gateway_1', secret_key: 'a key of another vendor' }];
    expectStatus(await client('saveGateways', { body: { gateways } }), 422);
  });
});
