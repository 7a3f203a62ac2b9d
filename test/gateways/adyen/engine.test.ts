import type { PaymentBody } from '../../../src/presenters/payment';
import type { ApiClient } from '../../api/support/api-client';
import { expectStatus } from '../../api/support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../../api/support/engine-api';
import {
  authorization,
  found,
  operations,
  pendingBillet,
  pendingPix,
  sale,
  to,
  untilStatus,
} from '../../api/support/payment-scenario';
import { paymentRequest } from '../../support/fixtures/payments';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';

const DRIVER = { GATEWAY_5_DRIVER: 'adyen' };
const SECRET = 'AQE-key-of-the-engine-test';
const ACCOUNT = { gateway_slug: 'gateway_5', secret_key: SECRET } as const;
const CREDENTIALS = { merchant_account: 'LojaECOM' };

let simulator: SimulatorProcess;
let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/gateway_5`;
  api = await startEngineApi({ ...DRIVER, GATEWAY_5_URL: url }, { workers: 'payments' });
  client = await registerWithGateways(api, []);
  const body = { gateways: [{ ...ACCOUNT, credentials: CREDENTIALS }] };
  expectStatus(await client('saveGateways', { body }), 200);
  await simulator.control.setUpAccount(SECRET, { callback_url: `${api.baseUrl}/api/v1` });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

/** The payment once the gateway's webhook has told the result. */
const after = (payment: PaymentBody, isDone: (current: PaymentBody) => boolean): Promise<PaymentBody> =>
  waitFor(
    async () => {
      const current = await found(client, payment);
      return isDone(current) && current;
    },
    { what: 'the result that a webhook tells' },
  );
const totalsOf = async ({ transaction_id: id }: PaymentBody) => (await simulator.control.ledger(id)).totals;

describe('a company whose gateway is Adyen', () => {
  it('charges a card and refunds a part, and learns of both refunds, the second made in Adyen’s Customer Area, by the webhook', async () => {
    const payment = await sale(client, { amount: 1_000 });
    expect(payment.transactions).toMatchObject([{ gateway: 'gateway_5', status: 'approved' }]);
    const refund = await client('refundPayment', to(payment, { body: { amount: 400 } }));
    expect([200, 202]).toContain(refund.status);
    const refunded = await after(payment, ({ refunded_amount }) => refunded_amount === 400);
    expect(refunded).toMatchObject({ status: 'approved', pending_operations: [] });
    expect(await totalsOf(payment)).toMatchObject({ captured: 1_000, refunded: 400 });
    await simulator.control.refund(payment.transaction_id, 250);
    const later = await after(payment, ({ refunded_amount }) => refunded_amount === 650);
    expect(operations(later, 'refund').map(([, amount]) => amount)).toEqual([400, 250]);
  });

  it('captures a part of an authorization, and cancels another one', async () => {
    const payment = await authorization(client, { amount: 1_000 });
    await client('capturePayment', to(payment, { body: { amount: 700 } }));
    expect(await after(payment, ({ status }) => status === 'approved')).toMatchObject({
      captured_amount: 700,
    });
    const canceled = await authorization(client, { amount: 900 });
    await client('cancelPayment', to(canceled));
    await untilStatus(client, canceled, 'canceled');
    expect(await totalsOf(canceled)).toMatchObject({ captured: 0 });
  });

  it('learns of a paid pix by the webhook, and creates a boleto', async () => {
    const payment = await pendingPix(client);
    expect(payment.transactions.at(-1)?.gateway).toBe('gateway_5');
    await simulator.control.pay(payment.transaction_id);
    await untilStatus(client, payment, 'approved');
    const billet = await pendingBillet(client, { billing_address: paymentRequest().billing_address });
    expect(billet.transactions).toMatchObject([
      { gateway: 'gateway_5', billet: { line: expect.stringMatching(/^\d{47}$/) as unknown } },
    ]);
  });

  it('gets the answer to a charge that was lost, and never charges twice', async () => {
    const amount = 3_210;
    await simulator.control.script({ gateway: 'gateway_5', amount, operation: 'charge' }, { drop: 'after' });
    const payment = await sale(client, { amount });
    expect(payment.transactions.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
    expect(await totalsOf(payment)).toMatchObject({ captured: amount });
  });

  it('cannot save credentials of another vendor, or without the merchant account', async () => {
    for (const gateway of [
      { ...ACCOUNT, credentials: CREDENTIALS, secret_key: 'sk_live_of_another_vendor' },
      ACCOUNT,
      { ...ACCOUNT, credentials: { merchant_account: 'InvalidAccount' } },
    ]) {
      expectStatus(await client('saveGateways', { body: { gateways: [gateway] } }), 422);
    }
  });
});
