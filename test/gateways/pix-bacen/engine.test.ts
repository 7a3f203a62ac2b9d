import { sandboxAccount } from '../../../src/gateways/sandbox-accounts';
import type { PaymentBody } from '../../../src/presenters/payment';
import type { ApiClient } from '../../api/support/api-client';
import { expectStatus } from '../../api/support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { found, operations, pendingPix, to, untilStatus } from '../../api/support/payment-scenario';
import { paymentRequest } from '../../support/fixtures/payments';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';

const SLUG = 'gateway_5';
const DRIVER = { GATEWAY_5_DRIVER: 'pix-bacen' };
const { values, clientId } = sandboxAccount('pix-bacen', SLUG);
const ACCOUNT = { gateway_slug: SLUG, secret_key: values.secretKey, client_id: clientId };

let simulator: SimulatorProcess;
let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/${SLUG}`;
  const urls = { GATEWAY_5_URL: `${url}/api/v2`, GATEWAY_5_OAUTH_URL: `${url}/oauth/token` };
  api = await startEngineApi({ ...DRIVER, ...urls }, { workers: 'payments' });
  client = await registerWithGateways(api, []);
  const gateways = [{ ...ACCOUNT, credentials: values.credentials }];
  expectStatus(await client('saveGateways', { body: { gateways } }), 200);
  await simulator.control.setUpAccount(values.secretKey, { callback_url: `${api.baseUrl}/api/v1` });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

const totalsOf = async ({ transaction_id: id }: PaymentBody) => (await simulator.control.ledger(id)).totals;

/** The callback with the token in its address comes to the route with `/pix`, and the state from the inquiry that follows. */
async function paidPix(change: object = {}): Promise<PaymentBody> {
  const payment = await pendingPix(client, change);
  await simulator.control.pay(payment.transaction_id);
  return untilStatus(client, payment, 'approved');
}

describe('a company whose gateway is a bank with the Pix API', () => {
  it('creates a pix, and learns of its payment by the bank’s callback', async () => {
    const payment = await paidPix({ amount: 1_000 });
    expect(payment.transactions[0]).toMatchObject({
      gateway: SLUG,
      pix: { qr_code: expect.stringMatching(/^000201/) as unknown },
    });
    expect(await totalsOf(payment)).toMatchObject({ captured: 1_000 });
  });

  it('refunds a part and the rest, and knows a refund in the bank’s app', async () => {
    const payment = await paidPix({ amount: 1_000 });
    const refund = await client('refundPayment', to(payment, { body: { amount: 400, reason: 'avaria' } }));
    expect([200, 202]).toContain(refund.status);
    const id = payment.transaction_id;
    await simulator.control.refund(id, 250);
    const after = await waitFor(
      async () => {
        const current = await found(client, payment);
        return current.refunded_amount === 650 && current;
      },
      { what: 'the refund in the bank’s app' },
    );
    expect(operations(after, 'refund').map(([, amount]) => amount)).toEqual([400, 250]);
    expect(await totalsOf(payment)).toMatchObject({ captured: 1_000, refunded: 650 });
    await client('refundPayment', to(payment, { body: {} }));
    await untilStatus(client, payment, 'refunded');
  });

  it('learns later whether a refund was carried out', async () => {
    const payment = await paidPix();
    const id = payment.transaction_id;
    const match = { transaction_id: id, operation: 'refund' } as const;
    await simulator.control.script(match, { pending_then: 'executed' });
    expectStatus(await client('refundPayment', to(payment, { body: {} })), 202);
    expect(await found(client, payment)).toMatchObject({ pending_operations: [{ operation: 'refund' }] });
    await simulator.control.finishOperation(id, { operation: 'refund' });
    await untilStatus(client, payment, 'refunded');
  });

  it('cancels a pix that nobody has paid', async () => {
    const payment = await pendingPix(client);
    expectStatus(await client('cancelPayment', to(payment)), 200);
    await untilStatus(client, payment, 'canceled');
  });

  it('finds a charge and a refund whose answers were lost, and repeats neither', async () => {
    const amount = 3_210;
    await simulator.control.script({ gateway: SLUG, amount, operation: 'charge' }, { drop: 'after' });
    const payment = await paidPix({ amount });
    expect(payment.transactions.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
    await simulator.control.script({ gateway: SLUG, amount, operation: 'refund' }, { drop: 'after' });
    await client('refundPayment', to(payment, { body: {} }));
    const refunded = await untilStatus(client, payment, 'refunded');
    expect(operations(refunded, 'refund')).toHaveLength(1);
    expect(await totalsOf(payment)).toMatchObject({ captured: amount, refunded: amount });
  });

  it('charges no card and no boleto, and says so before anything is sent', async () => {
    const answer = await client('createCardPayment', { body: paymentRequest() });
    expect(expectStatus(answer, 422).body).toMatchObject({
      code: 'no_gateway_available',
      message: expect.stringContaining(SLUG) as unknown,
    });
  });

  it('cannot save an account without its certificate', async () => {
    const { certificate: _, ...others } = values.credentials;
    const gateways = [{ ...ACCOUNT, credentials: others }];
    expectStatus(await client('saveGateways', { body: { gateways } }), 422);
  });
});
