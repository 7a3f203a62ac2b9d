import { CheckoutVisit, newLink } from '../../api/checkout/checkout-buyer';
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
import { APPROVED_CARD, paymentRequest, rawCard } from '../../support/fixtures/payments';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';

/** Of the slugs that authorize without capturing. */
const DRIVER = { GATEWAY_5_DRIVER: 'cielo' };
const SECRET = 'ENGINEOFCIELO000000000000000000000000005';
const ACCOUNT = { gateway_slug: 'gateway_5', secret_key: SECRET } as const;
const MERCHANT_ID = 'c1e10000-0000-4000-8000-0000000000e5';

let simulator: SimulatorProcess;
let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/gateway_5`;
  const endpoints = { GATEWAY_5_URL: url, GATEWAY_5_QUERY_URL: `${url}/apiquery` };
  api = await startEngineApi({ ...DRIVER, ...endpoints, PAYMENT_SYNC_TIMEOUT: '4' }, { workers: 'payments' });
  client = await registerWithGateways(api, []);
  const credentials = { boleto_provider: 'Bradesco2' };
  const body = { gateways: [{ ...ACCOUNT, client_id: MERCHANT_ID, credentials }] };
  expectStatus(await client('saveGateways', { body }), 200);
  await simulator.control.setUpAccount(SECRET, { callback_url: `${api.baseUrl}/api/v1` });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

const totalsOf = async (id: string) => (await simulator.control.ledger(id)).totals;

describe('a company whose gateway is Cielo', () => {
  it('charges a card and refunds it in two parts', async () => {
    const payment = await sale(client, { amount: 1_000 });
    expect(payment.transactions).toMatchObject([{ gateway: 'gateway_5', status: 'approved' }]);
    for (const amount of [400, 250])
      expectStatus(await client('refundPayment', to(payment, { body: { amount } })), 200);
    expect(await found(client, payment)).toMatchObject({ refunded_amount: 650 });
    expect(await totalsOf(payment.transaction_id)).toMatchObject({ captured: 1_000, refunded: 650 });
  });

  it('captures a part of an authorization, and cancels another one', async () => {
    const first = await authorization(client, { amount: 1_000 });
    const captured = await client('capturePayment', to(first, { body: { amount: 700 } }));
    expect(expectStatus(captured, 200).body).toMatchObject({ status: 'approved', captured_amount: 700 });
    const second = await authorization(client, { amount: 900 });
    expectStatus(await client('cancelPayment', to(second)), 200);
    expect(await totalsOf(second.transaction_id)).toMatchObject({ captured: 0 });
  });

  it('refuses without a request the credentials that Cielo could not have given', async () => {
    const rightId = { ...ACCOUNT, client_id: MERCHANT_ID };
    const otherBank = { ...rightId, credentials: { boleto_provider: 'BancoDoBrasil3' } };
    for (const account of [{ ...ACCOUNT, client_id: 'Loja' }, otherBank])
      expectStatus(await client('saveGateways', { body: { gateways: [account] } }), 422);
  });

  it('records a decline', async () => {
    const body = paymentRequest({ card: rawCard('4000000000009987') });
    const payment = expectStatus(await client('createCardPayment', { body }), 200).body;
    expect(payment).toMatchObject({ status: 'failed', transactions: [{ status: 'declined' }] });
  });

  it('learns of a paid pix by a notification that has no id, and of its refund by asking', async () => {
    const payment = await pendingPix(client);
    expect(payment.transactions.at(-1)?.gateway).toBe('gateway_5');
    await simulator.control.pay(payment.transaction_id);
    await untilStatus(client, payment, 'approved');
    const refund = await client('refundPayment', to(payment, { body: {} }));
    expect([200, 202]).toContain(refund.status);
    await simulator.control.finishOperation(payment.transaction_id);
    await untilStatus(client, payment, 'refunded');
  });

  it('issues a boleto of the company’s bank for a payer with an address, and learns that it was paid', async () => {
    const billet = await pendingBillet(client, { billing_address: paymentRequest().billing_address });
    expect(billet.transactions).toMatchObject([
      { gateway: 'gateway_5', billet: { line: expect.stringMatching(/^\d{47}$/) as unknown } },
    ]);
    await simulator.control.pay(billet.transaction_id);
    await untilStatus(client, billet, 'approved');
  });

  it('refuses to cancel an unpaid pix without a request, and the checkout charges no card instead of it', async () => {
    const payment = await pendingPix(client);
    const { body } = expectStatus(await client('cancelPayment', to(payment)), 422);
    expect(body).toMatchObject({
      code: 'gateway_refused',
      message: 'gateway_5 does not cancel a pix that waits for its payment: it ends by its expiry',
    });
    expect(operations(await found(client, payment), 'cancel')).toEqual([]);
    const visit = await CheckoutVisit.atLink(api, await newLink(client));
    expect(visit.session.can_change_to_card).toBe(false);
    expectStatus(await visit.payByPix(), 200);
    expect(expectStatus(await visit.getSession(), 200).body.can_change_to_card).toBe(false);
    const refused = expectStatus(await visit.payByCard(APPROVED_CARD), 409).body;
    expect(refused).toMatchObject({
      code: 'invalid_state',
      message: expect.stringMatching(/does not cancel/),
    });
  });

  it('finds a charge whose answer was lost, and never charges twice', async () => {
    const amount = 3_210;
    await simulator.control.script({ gateway: 'gateway_5', amount, operation: 'charge' }, { drop: 'after' });
    const payment = await sale(client, { amount });
    expect(operations(payment, 'charge')).toEqual([['approved', amount]]);
    expect(await totalsOf(payment.transaction_id)).toMatchObject({ captured: amount });
  });
});
