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
import { individual } from '../../unit/domain/subaccount-fixtures';
import { recipientIdOf } from '../../../src/simulator/vendors/adyen/ids';
import { waitFor } from '../../support/stack/wait-for';

const DRIVER = { GATEWAY_5_DRIVER: 'adyen' };
const SECRET = 'AQE-key-of-the-engine-test';
const ACCOUNT = { gateway_slug: 'gateway_5', secret_key: SECRET } as const;
const CREDENTIALS = { merchant_account: 'LojaECOM', balance_platform: 'SandboxPlatform' };

let simulator: SimulatorProcess;
let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/gateway_5`;
  const urls = {
    GATEWAY_5_URL: url,
    GATEWAY_5_KYC_URL: `${url}/kyc`,
    GATEWAY_5_BALANCE_URL: `${url}/balance`,
  };
  api = await startEngineApi({ ...DRIVER, ...urls }, { workers: 'payments' });
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
/** The balance account with this reference, as Adyen lists it. */
async function accountAtAdyen(reference: string): Promise<string> {
  const list = async (path: string) => {
    const headers = { 'x-api-key': 'AQE-key-of-the-balance-platform' };
    const response = await fetch(`${simulator.url}/gateway_5/balance/v2/${path}`, { headers });
    const { accountHolders, balanceAccounts } = (await response.json()) as Record<string, Resource[]>;
    return (accountHolders ?? balanceAccounts ?? []).find((each) => each.reference === reference)?.id ?? '';
  };
  const holder = await list('balancePlatforms/SandboxPlatform/accountHolders?limit=100');
  return list(`accountHolders/${holder}/balanceAccounts`);
}
interface Resource {
  readonly id: string;
  readonly reference?: string;
}
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

  it('creates a recipient whose owner answers Adyen’s questions, and divides a captured part and its refund exactly', async () => {
    const body = { gateway_slug: 'gateway_5', subaccount_information: individual() } as const;
    const create = async () => expectStatus(await client('createSubAccount', { body }), 201).body.data;
    await simulator.control.script({ gateway: 'gateway_5', operation: 'recipient' }, { needs_consent: true });
    const waiting = await create();
    expect(waiting).toMatchObject({ status: 'pending', recipient_id: null });
    expect((await create()).consent_url).not.toBe(waiting.consent_url);
    const account = await accountAtAdyen(waiting.id);
    const id = recipientIdOf(account) ?? '';
    await simulator.control.decideRecipient(id, 'active');
    await waitFor(
      async () => {
        const { data } = expectStatus(await client('listSubAccounts'), 200).body;
        return data[0]?.status === 'active' && data[0].recipient_id === account;
      },
      { what: 'the end of Adyen’s checks' },
    );
    const split = { recipient_id: account, type: 'percentage', amount: 100 } as const;
    const costs = { liable: false, charge_processing_fee: false } as const;
    const payment = await authorization(client, { amount: 1_000, splits: [{ ...split, ...costs }] });
    await client('capturePayment', to(payment, { body: { amount: 700 } }));
    await after(payment, ({ status }) => status === 'approved');
    await client('refundPayment', to(payment, { body: { amount: 300 } }));
    await after(payment, ({ refunded_amount }) => refunded_amount === 300);
    const { entries } = await simulator.control.ledger(payment.transaction_id);
    expect(entries.filter(({ recipient_id }) => recipient_id === id)).toMatchObject([
      { kind: 'split', amount: 700 },
      { kind: 'refunded', amount: 300 },
    ]);
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
