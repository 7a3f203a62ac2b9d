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

const DRIVER = { GATEWAY_1_DRIVER: 'mercadopago' };
const SECRET = 'TEST-4934588586838432-gateway_1';

let simulator: SimulatorProcess;
let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/gateway_1`;
  api = await startEngineApi({ ...DRIVER, GATEWAY_1_URL: url }, { workers: 'payments' });
  client = await registerWithGateways(api, ['gateway_1'], () => SECRET);
  await simulator.control.setUpAccount(SECRET, { callback_url: `${api.baseUrl}/api/v1` });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

const refunded = (payment: Parameters<typeof found>[1], cents: number) =>
  waitFor(
    async () => {
      const current = await found(client, payment);
      return current.refunded_amount === cents && current;
    },
    { what: `refunds of ${cents} cents` },
  );

describe('a company whose gateway is Mercado Pago', () => {
  it('charges a card and refunds it in equal parts, of which one gets no answer and another is made in the dashboard', async () => {
    const payment = await sale(client, { amount: 1_010 });
    const { transaction_id: id } = payment;
    expect(payment.transactions).toMatchObject([{ gateway: 'gateway_1', status: 'approved' }]);
    const refund = () => client('refundPayment', to(payment, { body: { amount: 400 } }));
    expect(expectStatus(await refund(), 200).body).toMatchObject({ refunded_amount: 400 });
    await simulator.control.script({ transaction_id: id, operation: 'refund' }, { drop: 'after' });
    await refund();
    await refunded(payment, 800);
    expect((await simulator.control.ledger(id)).totals).toMatchObject({ captured: 1_010, refunded: 800 });
    await simulator.control.refund(id, 210);
    const after = await refunded(payment, 1_010);
    expect(operations(after, 'refund').map(([, amount]) => amount)).toEqual([400, 400, 210]);
  });

  it('captures a part of an authorization, and refunds all of that part', async () => {
    const payment = await authorization(client, { amount: 1_000 });
    const captured = await client('capturePayment', to(payment, { body: { amount: 700 } }));
    expect(expectStatus(captured, 200).body).toMatchObject({ status: 'approved', captured_amount: 700 });
    const refund = await client('refundPayment', to(payment, { body: {} }));
    expect(expectStatus(refund, 200).body).toMatchObject({ status: 'refunded', refunded_amount: 700 });
  });

  it('learns of a paid pix by a signed notification', async () => {
    const payment = await pendingPix(client);
    expect(payment.transactions.at(-1)?.gateway).toBe('gateway_1');
    await simulator.control.pay(payment.transaction_id);
    await untilStatus(client, payment, 'approved');
  });

  it('creates a boleto for a customer with an address, and says before anything is sent that one is missing', async () => {
    const payment = await pendingBillet(client, { billing_address: paymentRequest().billing_address });
    expect(payment.transactions).toMatchObject([
      { gateway: 'gateway_1', billet: { line: expect.stringMatching(/^\d{47}$/) as unknown } },
    ]);
    const { body } = expectStatus(await client('createBilletPayment', { body: pendingRequest() }), 422);
    expect(body).toMatchObject({ errors: { billing_address: [expect.anything()] } });
  });

  it('finds a charge whose answer was lost, and never charges twice', async () => {
    const amount = 3_210;
    await simulator.control.script({ gateway: 'gateway_1', amount, operation: 'charge' }, { drop: 'after' });
    const payment = await sale(client, { amount });
    expect(payment.transactions.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
    expect((await simulator.control.ledger(payment.transaction_id)).totals).toMatchObject({
      captured: amount,
    });
  });

  it('cannot save credentials of another vendor', async () => {
    const gateways = [{ gateway_slug: 'gateway_1', secret_key: 'sk_test_of_another_vendor' }];
    expectStatus(await client('saveGateways', { body: { gateways } }), 422);
  });
});
