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
import { paymentRequest, rawCard } from '../../support/fixtures/payments';
import { individual } from '../../unit/domain/subaccount-fixtures';
import {
  newPlan,
  subscriptionBody,
  TestSubscription,
} from '../../workflows/subscriptions/subscription-merchant';
import { encryptionContext } from '../../../src/security/encryption-context';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';

/** Of the slugs that authorize without capturing. */
const DRIVER = { GATEWAY_4_DRIVER: 'asaas' };
const SECRET = '$aact_hmlg_gateway_4';
/** What Asaas demands of a card's charge. */
const PAYER = { payer: { ip: '203.0.113.7', phone: '+5511912345678' } };

let simulator: SimulatorProcess;
let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/gateway_4`;
  api = await startEngineApi(
    { ...DRIVER, GATEWAY_4_URL: url, PAYMENT_SYNC_TIMEOUT: '4' },
    { workers: 'payments' },
  );
  client = await registerWithGateways(api, ['gateway_4'], () => SECRET);
  await simulator.control.setUpAccount(SECRET, { callback_url: `${api.baseUrl}/api/v1` });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

/** A payment with the saved card of an earlier one. */
async function charged(saved: Awaited<ReturnType<typeof sale>>, by = client, change: object = {}) {
  const customer = { token: saved.customer?.token ?? '' };
  const card = { token: saved.card?.token ?? '' };
  return by('createCardPayment', { body: paymentRequest({ ...PAYER, customer, card, ...change }) });
}

/** As if Asaas had removed the tokens of all cards. */
async function replaceTokens(token: string): Promise<void> {
  const { db, envelope } = api.engine.context;
  const rows = await db.query<{ companyId: number; id: string; fingerprint: string }>(
    `SELECT t.company_id AS "companyId", t.vault_card_id AS id, k.fingerprint
       FROM gateway_card_tokens t JOIN customer_cards k ON k.vault_card_id = t.vault_card_id
      WHERE t.gateway_slug = 'gateway_4'`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { companyId, id, fingerprint } of rows) {
    const context = encryptionContext.gatewayCardToken(companyId, 'gateway_4', fingerprint);
    const sealed = JSON.stringify(await envelope.seal(token, context));
    await db.query('UPDATE gateway_card_tokens SET sealed_token = $2 WHERE vault_card_id = $1', [id, sealed]);
  }
}

describe('a company whose gateway is Asaas', () => {
  it('charges a card and refunds a part, and a refund on Asaas’ page becomes known by its event', async () => {
    const payment = await sale(client, { amount: 1_000, ...PAYER });
    const { transaction_id: id } = payment;
    expect(payment.transactions).toMatchObject([{ gateway: 'gateway_4', status: 'approved' }]);
    const refund = await client('refundPayment', to(payment, { body: { amount: 400, reason: 'avaria' } }));
    expect(expectStatus(refund, 200).body).toMatchObject({ refunded_amount: 400 });
    expect((await simulator.control.ledger(id)).totals).toMatchObject({ captured: 1_000, refunded: 400 });
    await simulator.control.refund(id, 250);
    const after = await waitFor(
      async () => {
        const current = await found(client, payment);
        return current.refunded_amount === 650 && current;
      },
      { what: 'the refund on Asaas’ page' },
    );
    expect(operations(after, 'refund').map(([, amount]) => amount)).toEqual([400, 250]);
  });

  it('charges no card without the payer’s data, and says before anything is sent what is missing', async () => {
    const answer = await client('createCardPayment', { body: paymentRequest() });
    const { body } = expectStatus(answer, 422);
    expect(body).toMatchObject({
      errors: { 'payer.ip': [expect.anything()], 'payer.phone': [expect.anything()] },
    });
  });

  it('captures an authorization as a whole, and gives another one back', async () => {
    const first = await authorization(client, { amount: 1_000, ...PAYER });
    expectStatus(await client('capturePayment', to(first, { body: { amount: 400 } })), 422);
    const captured = await client('capturePayment', to(first, { body: {} }));
    expect(expectStatus(captured, 200).body).toMatchObject({ status: 'approved', captured_amount: 1_000 });
    const second = await authorization(client, { amount: 2_000, ...PAYER });
    expectStatus(await client('cancelPayment', to(second)), 200);
    expect((await simulator.control.ledger(second.transaction_id)).totals).toMatchObject({ captured: 0 });
  });

  it('charges installments as one payment, and refunds them as a whole', async () => {
    const payment = await sale(client, { amount: 1_000, installments: 3, ...PAYER });
    const part = await client('refundPayment', to(payment, { body: { amount: 400 } }));
    expectStatus(part, 422);
    const refund = await client('refundPayment', to(payment, { body: {} }));
    expect(expectStatus(refund, 200).body).toMatchObject({ status: 'refunded', refunded_amount: 1_000 });
    const { totals } = await simulator.control.ledger(payment.transaction_id);
    expect(totals).toMatchObject({ captured: 1_000, refunded: 1_000 });
  });

  it('charges not too many installments, and says so before anything is sent', async () => {
    const answer = await client('createCardPayment', {
      body: paymentRequest({ ...PAYER, installments: 13 }),
    });
    expect(expectStatus(answer, 422).body).toMatchObject({
      message: expect.stringContaining('gateway_4 supports 12 installments at most') as unknown,
    });
  });

  it('charges a saved card again by Asaas’ token, which nobody sees, until Asaas does not know it any more', async () => {
    const saved = await sale(client, { save_card: true, ...PAYER });
    const again = await charged(saved);
    expect(expectStatus(again, 200).body).toMatchObject({
      status: 'approved',
      transactions: [{ gateway: 'gateway_4', status: 'approved' }],
    });
    // A customer's id at Asaas, to whom the token is bound.
    expect(JSON.stringify([saved, again.body])).not.toMatch(/cus_\d{12}\b/);
    await replaceTokens('cus_1:removed-by-asaas');
    const refused = expectStatus(await charged(saved), 200).body;
    expect(refused).toMatchObject({
      status: 'failed',
      transactions: [{ status: 'error', response_code: 'card_token_refused' }],
    });
    expect(expectStatus(await charged(saved), 422).body).toMatchObject({
      code: 'no_gateway_available',
      message: expect.stringContaining(
        'gateway_4 charges a card without its security code only by',
      ) as unknown,
    });
  });

  it('charges a card that was saved with a charge whose answer was lost', async () => {
    const amount = 3_217;
    await simulator.control.script({ gateway: 'gateway_4', amount, operation: 'charge' }, { drop: 'after' });
    const saved = await sale(client, { amount, save_card: true, ...PAYER });
    expect(expectStatus(await charged(saved), 200).body).toMatchObject({ status: 'approved' });
  });

  it('passes over to another gateway a saved card of which Asaas has given no token', async () => {
    const other = await registerWithGateways(api, ['gateway_1', 'gateway_4'], (slug) =>
      slug === 'gateway_4' ? SECRET : 'sk_of_another_vendor',
    );
    const saved = await sale(other, { save_card: true, ...PAYER });
    const answer = await charged(saved, other, { gateway_first_try: 'gateway_4' });
    expect(expectStatus(answer, 200).body).toMatchObject({
      status: 'approved',
      routing: { ignored_first_try: expect.stringContaining('only by its own token') as unknown },
      transactions: [{ gateway: 'gateway_1' }],
    });
  });

  it('begins a subscription with the card’s data, and renews it by Asaas’ token', async () => {
    const plan = await newPlan(client);
    const details = { ...PAYER, billing_address: paymentRequest().billing_address };
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id, details));
    expect(subscription.created).toMatchObject({ status: 'active' });
    expect(await subscription.advanceDays(7)).toMatchObject({ status: 'active' });
    const cycles = await subscription.cycles();
    expect(cycles.slice(0, 2).map(({ status }) => status)).toEqual(['paid', 'paid']);
    const ledgers = cycles.slice(0, 2).map(({ payments: [id = ''] }) => simulator.control.ledger(id));
    for (const { totals } of await Promise.all(ledgers))
      expect(totals).toMatchObject({ captured: plan.amount });
  });

  it('records a decline without a code, and leaves its retry to the company', async () => {
    const body = paymentRequest({ card: rawCard('5184019740373151'), ...PAYER });
    const payment = expectStatus(await client('createCardPayment', { body }), 200).body;
    expect(payment).toMatchObject({ status: 'failed', transactions: [{ status: 'declined' }] });
  });

  it('waits for Asaas’ analysis of the risk, and learns of its end by an event', async () => {
    const amount = 4_321;
    const charge = { gateway: 'gateway_4', amount, operation: 'charge' } as const;
    await simulator.control.script(charge, { pending_then: 'executed' });
    const answer = await client('createCardPayment', { body: paymentRequest({ amount, ...PAYER }) });
    const payment = expectStatus(answer, 202).body;
    expect(payment).toMatchObject({ status: 'processing' });
    await simulator.control.finishOperation(payment.transaction_id, { operation: 'capture' });
    await untilStatus(client, payment, 'approved');
    expect(operations(await found(client, payment), 'charge')).toEqual([['approved', amount]]);
  });

  it('learns of a paid pix by an event whose token proves nothing, because it asks Asaas', async () => {
    const payment = await pendingPix(client);
    expect(payment.transactions.at(-1)?.gateway).toBe('gateway_4');
    await simulator.control.pay(payment.transaction_id);
    await untilStatus(client, payment, 'approved');
  });

  it('creates a boleto, and cancels it', async () => {
    const payment = await pendingBillet(client);
    expect(payment.transactions).toMatchObject([
      { gateway: 'gateway_4', billet: { line: expect.stringMatching(/^\d{47}$/) as unknown } },
    ]);
    expectStatus(await client('cancelPayment', to(payment)), 200);
    await untilStatus(client, payment, 'canceled');
  });

  it('finds a charge whose answer was lost, and never charges twice', async () => {
    const amount = 3_210;
    await simulator.control.script({ gateway: 'gateway_4', amount, operation: 'charge' }, { drop: 'after' });
    const payment = await sale(client, { amount, ...PAYER });
    expect(payment.transactions.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
    expect((await simulator.control.ledger(payment.transaction_id)).totals).toMatchObject({
      captured: amount,
    });
  });

  it('creates a recipient whose key nobody sees, and gives it all that is left after Asaas’ fee', async () => {
    const information = { gateway_slug: 'gateway_4', subaccount_information: individual() };
    const { body } = expectStatus(await client('createSubAccount', { body: information }), 201);
    expect(body.data).toMatchObject({
      status: 'active',
      recipient_id: expect.stringMatching(/./) as unknown,
    });
    expect(JSON.stringify(body)).not.toContain('$aact_');
    const share = { type: 'percentage', amount: 100, liable: true, charge_processing_fee: true };
    const splits = [{ recipient_id: body.data.recipient_id, ...share }];
    const payment = await sale(client, { amount: 1_000, splits, ...PAYER });
    const { entries } = await simulator.control.ledger(payment.transaction_id);
    // R$ 0.49 and 2.99 % of R$ 10.
    expect(entries.filter(({ kind }) => kind === 'split')).toMatchObject([
      { amount: 921, recipient_id: `re_${body.data.recipient_id}` },
    ]);
    expectStatus(await client('refundPayment', to(payment, { body: { amount: 400 } })), 200);
    const after = await simulator.control.ledger(payment.transaction_id);
    expect(after.entries.at(-1)).toMatchObject({
      kind: 'refunded',
      amount: 400,
      recipient_id: `re_${body.data.recipient_id}`,
    });
  });

  it('cannot save credentials of another vendor', async () => {
    const gateways = [{ gateway_slug: 'gateway_4', secret_key: 'sk_test_of_another_vendor' }];
    expectStatus(await client('saveGateways', { body: { gateways } }), 422);
  });
});
