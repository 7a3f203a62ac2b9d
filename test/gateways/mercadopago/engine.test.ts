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
import { MockActivityEnvironment } from '@temporalio/testing';
import { createRecipientActivities } from '../../../activities/recipients/recipients';
import type { SubAccountId } from '../../../src/domain/shared/ids';
import type { SealedValue } from '../../../src/domain/shared/sealed-value';
import { individual } from '../../unit/domain/subaccount-fixtures';
import { paymentRequest } from '../../support/fixtures/payments';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';

const DRIVER = { GATEWAY_1_DRIVER: 'mercadopago' };
const SECRET = 'TEST-4934588586838432-gateway_1';
/** An application whose owner keeps a tenth of each payment of a seller. */
const PLATFORM = {
  secret_key: 'TEST-4934588586838432-platform',
  client_id: '4934588586838432',
  client_secret: 'secret-of-the-application',
  application_fee_percent: '10',
};

let simulator: SimulatorProcess;
let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/gateway_1`;
  const urls = { GATEWAY_1_URL: url, GATEWAY_1_AUTH_URL: `${url}/auth` };
  const platform = { GATEWAY_1_PLATFORM_CREDENTIALS: JSON.stringify(PLATFORM) };
  api = await startEngineApi({ ...DRIVER, ...urls, ...platform }, { workers: 'payments' });
  client = await registerWithGateways(api, ['gateway_1'], () => SECRET);
  for (const secret of [SECRET, PLATFORM.client_secret])
    await simulator.control.setUpAccount(secret, { callback_url: `${api.baseUrl}/api/v1` });
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

describe('a seller at Mercado Pago', () => {
  const create = async (email: string) => {
    const subaccount_information = { ...individual(), email };
    const body = { gateway_slug: 'gateway_1', subaccount_information };
    return expectStatus(await client('createSubAccount', { body }), 201).body.data;
  };
  const shown = async (id: string) =>
    expectStatus(await client('getSubAccount', { params: { id } }), 200).body.data;
  /** The answer of the seller, whom the page at the link sends back with it. */
  const consentAt = async (link: string | null, user?: number) => {
    const url = new URL(link ?? '');
    if (user !== undefined) url.searchParams.set('simulated_user', String(user));
    const { headers } = await fetch(url, { redirect: 'manual' });
    return Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
  };
  const sendBack = (query: Readonly<Record<string, string>>) =>
    api.anonymous('receiveConsent', { params: { gateway: 'gateway_1' }, query });
  const advanceAt = (id: string, ms: number) => {
    const deps = { ...api.engine.deps, now: () => new Date(Date.now() + ms) };
    const { advanceRecipient } = createRecipientActivities(deps);
    return new MockActivityEnvironment().run(advanceRecipient, { subAccountId: id as SubAccountId });
  };
  const versionOf = async (id: string) =>
    (await api.engine.context.recipientAuthorizations.get(id as SubAccountId)).secretVersion;
  const connect = async (email: string, user?: number) => {
    const { id, consent_url: link } = await create(email);
    expectStatus(await sendBack(await consentAt(link, user)), 200);
    return shown(id);
  };
  const allTo = (recipient_id: string | null) => [{ recipient_id, type: 'percentage', amount: 100 }];
  const DAY_MS = 24 * 60 * 60 * 1000;

  it('consents once at the link of the sub-account, and no other, used or expired state changes anything', async () => {
    const waiting = await create('um@example.com');
    expect(waiting).toMatchObject({ status: 'pending', recipient_id: null });
    expect((await create('um@example.com')).consent_url).toBe(waiting.consent_url);
    const answer = await consentAt(waiting.consent_url);
    expectStatus(await sendBack({ ...answer, state: 'x'.repeat(43) }), 404);
    const declined = { state: answer['state'] ?? '', error: 'access_denied' };
    expect(expectStatus(await sendBack(declined), 200).body).toEqual({ status: 'declined' });
    expect((await shown(waiting.id)).status).toBe('pending');
    const both = await Promise.all([sendBack(answer), sendBack(answer)]);
    expect(both.map(({ body }) => body)).toEqual([{ status: 'connected' }, { status: 'connected' }]);
    const active = await shown(waiting.id);
    expect(active).toMatchObject({ status: 'active', consent_url: null, message: null });
    expect(active.recipient_id).toMatch(/^\d+$/);
    const { id, consent_url: link } = await create('dois@example.com');
    const { db } = api.engine.context;
    await db.query(`UPDATE sub_accounts SET consent_expires_at = now() - interval '1 second' WHERE id = $1`, [
      id,
    ]);
    expectStatus(await sendBack(await consentAt(link)), 410);
    await advanceAt(id, 0);
    expect((await shown(id)).consent_url).not.toBe(link);
    const page = await fetch(`${api.baseUrl}/api/v1/consents/gateway_1?state=none`, {
      headers: { accept: 'text/html' },
    });
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('Link inválido')]);
  });

  it('is paid with the seller’s own token less the platform’s fee, and the seller’s payments are found and refunded with it', async () => {
    const { recipient_id: seller } = await connect('tres@example.com');
    const amount = 4_320;
    await simulator.control.script({ gateway: 'gateway_1', amount, operation: 'charge' }, { drop: 'after' });
    const payment = await sale(client, { amount, splits: allTo(seller) });
    const { entries } = await simulator.control.ledger(payment.transaction_id);
    expect(entries.filter(({ kind }) => kind === 'fee')).toMatchObject([{ amount: 432 }]);
    const refund = await client('refundPayment', to(payment, { body: { amount: 320 } }));
    expect(expectStatus(refund, 200).body).toMatchObject({ refunded_amount: 320 });
    const pix = await pendingPix(client, { splits: allTo(seller) });
    await simulator.control.pay(pix.transaction_id);
    await untilStatus(client, pix, 'approved');
  });

  it('keeps a token that two workers renew at once, and is asked again when Mercado Pago has ended it', async () => {
    const { id, recipient_id: seller } = await connect('quatro@example.com', 771);
    expect(seller).toBe('771');
    const payment = await sale(client, { amount: 1_000, splits: allTo(seller) });
    await Promise.all([advanceAt(id, 130 * DAY_MS), advanceAt(id, 130 * DAY_MS)]);
    expect([(await shown(id)).status, await versionOf(id)]).toEqual(['active', 2]);
    const { recipientAuthorizations: stored } = api.engine.context;
    const [sub, now, before] = [id as SubAccountId, new Date(), new Date(Date.now() - DAY_MS)];
    const claims = [1, 2, 2].map((version) => () => stored.claimRenewal(sub, version, now, before));
    const claimed = [];
    for (const claim of claims) claimed.push(await claim());
    expect(claimed).toEqual([false, true, false]);
    const late = { sealed: { late: true } as unknown as SealedValue, expiresAt: now };
    expect(await stored.renew(sub, 1, late)).toBe(false);
    expectStatus(await client('refundPayment', to(payment, { body: { amount: 400 } })), 200);
    const lost = { gateway: 'gateway_1', operation: 'recipient' } as const;
    await simulator.control.script(lost, { drop: 'after' });
    await advanceAt(id, 300 * DAY_MS);
    expect(await shown(id)).toMatchObject({ status: 'active', recipient_id: '771' });
    await advanceAt(id, 301 * DAY_MS);
    const ended = await shown(id);
    expect(ended).toMatchObject({ status: 'pending', message: expect.stringContaining('ended') });
    const other = await sendBack(await consentAt(ended.consent_url, 772));
    expectStatus(other, 410);
    const again = await shown(id);
    expect(again).toMatchObject({ status: 'pending', message: expect.stringContaining('another account') });
    expectStatus(await sendBack(await consentAt(again.consent_url, 771)), 200);
    expect(await shown(id)).toMatchObject({ status: 'active', recipient_id: '771' });
  });

  it('is asked to consent again when the answer to the code is lost, because a code is taken once', async () => {
    const { id, consent_url: link } = await create('cinco@example.com');
    const lost = { gateway: 'gateway_1', operation: 'recipient' } as const;
    await simulator.control.script(lost, { drop: 'after' });
    expectStatus(await sendBack(await consentAt(link)), 410);
    const { status, consent_url: next, message } = await shown(id);
    expect([status, message]).toEqual(['pending', expect.stringContaining('again')]);
    expect(next).not.toBe(link);
    expectStatus(await sendBack(await consentAt(next)), 200);
    expect((await shown(id)).status).toBe('active');
  });
});
