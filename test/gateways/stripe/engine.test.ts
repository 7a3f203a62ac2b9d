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
import { individual } from '../../unit/domain/subaccount-fixtures';
import { paymentRequest } from '../../support/fixtures/payments';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';

const DRIVER = { GATEWAY_4_DRIVER: 'stripe' };

let simulator: SimulatorProcess;
let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/gateway_4`;
  const urls = { GATEWAY_4_URL: url, GATEWAY_4_FILES_URL: `${url}/files` };
  api = await startEngineApi({ ...DRIVER, ...urls }, { workers: 'payments' });
  client = await registerWithGateways(api, ['gateway_4']);
  await simulator.control.setUpAccount('sk_test_gateway_4', { callback_url: `${api.baseUrl}/api/v1` });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

describe('a company whose gateway is Stripe', () => {
  it('charges a card and refunds a part, and a refund in Stripe’s dashboard becomes known by its event', async () => {
    const payment = await sale(client, { amount: 1_000 });
    const { transaction_id: id } = payment;
    expect(payment.transactions).toMatchObject([{ gateway: 'gateway_4', status: 'approved' }]);
    const refund = await client('refundPayment', to(payment, { body: { amount: 400 } }));
    expect(expectStatus(refund, 200).body).toMatchObject({ refunded_amount: 400 });
    expect((await simulator.control.ledger(id)).totals).toMatchObject({ captured: 1_000, refunded: 400 });
    await simulator.control.refund(id, 250);
    const after = await waitFor(
      async () => {
        const current = await found(client, payment);
        return current.refunded_amount === 650 && current;
      },
      { what: 'the refund of the dashboard' },
    );
    expect(operations(after, 'refund').map(([, amount]) => amount)).toEqual([400, 250]);
  });

  it('learns of a dispute and of its loss by Stripe’s signed events, and refunds nothing meanwhile', async () => {
    const payment = await sale(client, { amount: 1_000 });
    const { id } = await simulator.control.openDispute(payment.transaction_id, {
      amount: 600,
      reason_code: 'product_not_received',
    });
    const disputed = (status: string) =>
      waitFor(async () => {
        const { dispute, disputed_amount } = await found(client, payment);
        return dispute?.status === status && { ...dispute, disputed_amount };
      });
    expect(await disputed('opened')).toMatchObject({
      ...{ kind: 'chargeback', amount: 600, disputed_amount: 600, reason_code: 'product_not_received' },
    });
    const refund = await client('refundPayment', to(payment, { body: { amount: 401 } }));
    expect(expectStatus(refund, 409).body).toMatchObject({ code: 'payment_disputed' });
    await simulator.control.changeDispute(id, { status: 'lost' });
    expect(await disputed('lost')).toMatchObject({ returned_amount: 0, disputed_amount: 600 });
    expectStatus(await client('refundPayment', to(payment, { body: { amount: 400 } })), 200);
  });

  it('captures a part of an authorization, and the rest that Stripe releases is no refund', async () => {
    const payment = await authorization(client, { amount: 1_000 });
    const captured = await client('capturePayment', to(payment, { body: { amount: 700 } }));
    expect(expectStatus(captured, 200).body).toMatchObject({ status: 'approved', captured_amount: 700 });
    await simulator.control.sendCallbacks(payment.transaction_id);
    const refund = await client('refundPayment', to(payment, { body: {} }));
    expect(expectStatus(refund, 200).body).toMatchObject({ status: 'refunded', refunded_amount: 700 });
  });

  it('learns of a paid pix by Stripe’s signed event', async () => {
    const payment = await pendingPix(client);
    expect(payment.transactions.at(-1)?.gateway).toBe('gateway_4');
    await simulator.control.pay(payment.transaction_id);
    await untilStatus(client, payment, 'approved');
  });

  it('creates a boleto for a customer with an address, and none without', async () => {
    const payment = await pendingBillet(client, { billing_address: paymentRequest().billing_address });
    expect(payment.transactions).toMatchObject([
      { gateway: 'gateway_4', billet: { line: expect.stringMatching(/^\d{47}$/) as unknown } },
    ]);
    const { body } = await client('createBilletPayment', { body: pendingRequest() });
    expect(body).toMatchObject({
      code: 'validation_error',
      errors: { billing_address: [expect.stringContaining('is required') as unknown] },
    });
  });

  it('finds a charge whose answer was lost, and never charges twice', async () => {
    const amount = 3_210;
    await simulator.control.script({ gateway: 'gateway_4', amount, operation: 'charge' }, { drop: 'after' });
    const payment = await sale(client, { amount });
    expect(payment.transactions.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
    expect((await simulator.control.ledger(payment.transaction_id)).totals).toMatchObject({
      captured: amount,
    });
  });

  it('creates a recipient whose owner consents at Stripe, and who gets a payment and bears its refund', async () => {
    const information = { gateway_slug: 'gateway_4', subaccount_information: individual() };
    const create = async () =>
      expectStatus(await client('createSubAccount', { body: information }), 201).body.data;
    const waits = { gateway: 'gateway_4', operation: 'recipient' } as const;
    await simulator.control.script(waits, { needs_consent: true });
    const waiting = await create();
    expect(waiting).toMatchObject({ status: 'pending', recipient_id: null });
    expect((await create()).consent_url).not.toBe(waiting.consent_url);
    const account = /acct_\w+/.exec(waiting.consent_url ?? '')?.[0] ?? '';
    const id = account.replace(/^acct_(.{8})(.{4})(.{4})(.{4})(.{12})$/, 're_$1-$2-$3-$4-$5');
    await simulator.control.decideRecipient(id, 'active');
    const shown = await waitFor(
      async () => {
        const { data } = expectStatus(await client('listSubAccounts'), 200).body;
        return data[0]?.status === 'active' && data;
      },
      { what: 'the owner’s consent' },
    );
    expect(shown).toMatchObject([{ id: waiting.id, recipient_id: account, consent_url: null }]);
    const share = { type: 'percentage', amount: 100, liable: false, charge_processing_fee: false };
    const payment = await sale(client, { amount: 1_000, splits: [{ recipient_id: account, ...share }] });
    expectStatus(await client('refundPayment', to(payment, { body: { amount: 400 } })), 200);
    const { entries } = await simulator.control.ledger(payment.transaction_id);
    expect(entries.filter(({ recipient_id }) => recipient_id === id)).toMatchObject([
      { kind: 'split', amount: 1_000 },
      { kind: 'refunded', amount: 400 },
    ]);
  });

  it('cannot save a credential that is a sub-account, because no payment would be charged with it', async () => {
    const own = { use_as_subaccount: true, subaccount_information: individual() };
    const gateways = [{ gateway_slug: 'gateway_4', secret_key: 'sk_test_of_the_platform', ...own }];
    const { body } = expectStatus(await client('saveGateways', { body: { gateways } }), 422);
    expect(JSON.stringify(body)).toContain('gateways.0.use_as_subaccount');
    expect(JSON.stringify(body)).toContain('charges its fees and chargebacks to the platform');
  });

  it('cannot save credentials of another vendor', async () => {
    const gateways = [{ gateway_slug: 'gateway_4', secret_key: 'a key of another vendor' }];
    expectStatus(await client('saveGateways', { body: { gateways } }), 422);
  });
});
