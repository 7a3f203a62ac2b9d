import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { paymentRequest } from '../../support/fixtures/payments';
import { ledgerOf, uniqueAmount } from '../../support/scenarios/pay';
import { callbackBody, signed } from '../callbacks/callback-api';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { mailsTo } from '../support/outbox';
import { registerCompanyWithUser, type CompanyWithUser } from '../support/manual-resolution';
import { authorization, pendingPix, sale, to, untilStatus } from '../support/payment-scenario';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi();
});
afterAll(() => api.stop());

interface Shop extends CompanyWithUser {
  /** Names of its accounts at the simulator. */
  readonly account: string;
  readonly otherAccount: string;
  /** The first secret key, of `account`. */
  readonly oldKey: string;
  readonly newKey: string;
}

/** A company at gateway_1. Keys at the simulator show only the charges of their own account. */
async function newShop(): Promise<Shop> {
  const company = await registerCompanyWithUser(api, []);
  // Every database numbers its companies from 1, and all tests share the simulator.
  const shopName = randomUUID();
  const [account, otherAccount] = [`account ${shopName}`, `other account ${shopName}`];
  const shop = {
    ...company,
    account,
    otherAccount,
    oldKey: `sk_old_${shopName}`,
    newKey: `sk_new_${shopName}`,
  };
  await setUpKey(shop.oldKey, { account });
  expectStatus(await save(shop, { secret_key: shop.oldKey }), 200);
  return shop;
}

function save({ byKey }: CompanyWithUser, item: object) {
  return byKey('saveGateways', { body: { gateways: [{ gateway_slug: 'gateway_1', ...item }] } });
}

/** Callbacks about the key’s charges reach this service. */
function setUpKey(secret: string, settings: { account: string; revoked?: boolean }): Promise<void> {
  return api.engine.simulator.setUpAccount(secret, { callback_url: `${api.baseUrl}/api/v1`, ...settings });
}

/** Replaces the key with another one of this account. */
async function replaceKey(shop: Shop, account: string, item: object = {}): Promise<void> {
  await setUpKey(shop.newKey, { account });
  expectStatus(await save(shop, { secret_key: shop.newKey, ...item }), 200);
}

async function stateOf({ byToken }: CompanyWithUser) {
  const { data } = expectStatus(await byToken('listGateways'), 200).body;
  const { verified, earlier_secrets: earlier } = data[0] ?? {};
  return { verified, earlier };
}

/** One charge for each operation that can follow. */
async function charges({ byKey }: Shop) {
  const amount = uniqueAmount();
  const [sold, toCapture, toCancel, pix] = await Promise.all([
    sale(byKey, { amount }),
    authorization(byKey, { amount }),
    authorization(byKey, { amount }),
    pendingPix(byKey, { amount }),
  ]);
  return { sold, toCapture, toCancel, pix };
}

/** Every operation succeeds, and the gateway’s ledger shows its effect. */
async function expectOperable(
  { byKey }: Shop,
  { sold, toCapture, toCancel, pix }: Awaited<ReturnType<typeof charges>>,
): Promise<void> {
  expect(expectStatus(await byKey('refundPayment', to(sold)), 200).body.status).toBe('refunded');
  expect(expectStatus(await byKey('capturePayment', to(toCapture)), 200).body.status).toBe('approved');
  expect(expectStatus(await byKey('cancelPayment', to(toCancel)), 200).body.status).toBe('canceled');
  await api.engine.simulator.pay(pix.transaction_id);
  await untilStatus(byKey, pix, 'approved');
  const net = async (payment: PaymentBody) => {
    const { captured, refunded, held } = await ledgerOf(api.engine, payment);
    return { net: captured - refunded, held };
  };
  const { amount } = sold;
  expect(await Promise.all([sold, toCapture, toCancel, pix].map(net))).toEqual([
    { net: 0, held: 0 },
    { net: amount, held: 0 },
    { net: 0, held: 0 },
    { net: amount, held: 0 },
  ]);
}

describe('charges that were made with a replaced secret key', () => {
  it('are captured, canceled, refunded and paid with the old key if the new one is of another account', async () => {
    const shop = await newShop();
    const made = await charges(shop);
    await replaceKey(shop, shop.otherAccount);
    expect(await stateOf(shop)).toEqual({ verified: true, earlier: 1 });
    const next = await charges(shop);
    await expectOperable(shop, made);
    await expectOperable(shop, next);
  });

  it('need the old key no more once the gateway showed one of them with the new key', async () => {
    const shop = await newShop();
    const made = await charges(shop);
    await replaceKey(shop, shop.account);
    await setUpKey(shop.oldKey, { account: shop.account, revoked: true });
    await eraseDueSecrets(shop);
    expect(await stateOf(shop)).toEqual({ verified: true, earlier: 0 });
    await expectOperable(shop, made);
  });

  it('go on with the new key after the old one is revoked, even if it could not be proven to be of the account', async () => {
    const shop = await newShop();
    const made = await charges(shop);
    await replaceKey(shop, shop.otherAccount);
    await setUpKey(shop.newKey, { account: shop.account });
    await setUpKey(shop.oldKey, { account: shop.account, revoked: true });
    await expectOperable(shop, made);
  });

  it('are not touched by a key of another account after the old key is revoked, and go on when it is restored', async () => {
    const shop = await newShop();
    const { sold } = await charges(shop);
    await replaceKey(shop, shop.otherAccount);
    await setUpKey(shop.oldKey, { account: shop.account, revoked: true });
    const refused = expectStatus(await shop.byKey('refundPayment', to(sold)), 422);
    expect(refused.body).toMatchObject({
      code: 'gateway_refused',
      message: expect.stringContaining('credentials'),
    });
    expect(await ledgerOf(api.engine, sold)).toMatchObject({ refunded: 0 });
    await setUpKey(shop.oldKey, { account: shop.account });
    expectStatus(await shop.byKey('refundPayment', to(sold)), 200);
    expect(await ledgerOf(api.engine, sold)).toMatchObject({ refunded: sold.amount });
  });

  it('are charged again by nobody: the old key serves only what was charged with it, and the users are told by mail', async () => {
    const shop = await newShop();
    await sale(shop.byKey);
    await replaceKey(shop, shop.otherAccount);
    await setUpKey(shop.newKey, { account: shop.otherAccount, revoked: true });
    const { body } = await shop.byKey('createCardPayment', {
      body: paymentRequest({ amount: uniqueAmount() }),
    });
    expect(body).toMatchObject({ status: 'failed', message: expect.stringContaining('gateway_1 rejected') });
    expect(await stateOf(shop)).toEqual({ verified: false, earlier: 1 });
    await api.engine.sweeper.sweepOnce();
    const subjects = (await mailsTo(api, shop.user.email)).map(({ subject }) => subject);
    expect(subjects).toEqual(['gateway_1 rejects your credentials']);
  });

  it('can be followed by a return to the old key, which is not erased while it is in use', async () => {
    const shop = await newShop();
    const made = await charges(shop);
    await replaceKey(shop, shop.account);
    expectStatus(await save(shop, { secret_key: shop.oldKey }), 200);
    await eraseDueSecrets(shop);
    expect(await stateOf(shop)).toEqual({ verified: true, earlier: 0 });
    await setUpKey(shop.newKey, { account: shop.account, revoked: true });
    await expectOperable(shop, made);
  });
});

describe('a secret key for which the company says same_account', () => {
  it('is refused if the gateway does not show the account’s charges with it, and nothing is saved', async () => {
    const shop = await newShop();
    const { sold } = await charges(shop);
    await setUpKey(shop.newKey, { account: shop.otherAccount });
    const answer = expectStatus(await save(shop, { secret_key: shop.newKey, same_account: true }), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['gateways.0.same_account']);
    expect(await stateOf(shop)).toEqual({ verified: true, earlier: 0 });
    expectStatus(await shop.byKey('refundPayment', to(sold)), 200);
  });

  it('is taken on the company’s word before there is a charge, and proven by the first one that needs it', async () => {
    const shop = await newShop();
    await replaceKey(shop, shop.account, { same_account: true });
    expect(await proofsOf(shop)).toEqual(['claimed', 'origin']);
    const made = await charges(shop);
    await setUpKey(shop.newKey, { account: shop.account, revoked: true });
    await expectOperable(shop, made);
    expect(await proofsOf(shop)).toEqual(['seen', 'origin']);
  });
});

describe('the webhook secret of an account', () => {
  it('still verifies callbacks about its charges after the company uses another account with another secret', async () => {
    const shop = await newShop();
    const [before, after] = ['whsec_of_the_old_account', 'whsec_of_the_new_account'];
    await setWebhookSecret(shop, before);
    const old = await pendingPix(shop.byKey);
    await replaceKey(shop, shop.otherAccount);
    const taken = await pendingPix(shop.byKey);
    expect(await deliver(taken, before)).toBe(200);
    await setWebhookSecret(shop, after);
    const fresh = await pendingPix(shop.byKey);
    expect(await Promise.all([deliver(old, before), deliver(old, after)])).toEqual([200, 200]);
    expect(await Promise.all([deliver(fresh, before), deliver(fresh, after)])).toEqual([401, 200]);
  });

  async function setWebhookSecret({ byToken }: Shop, webhook_secret: string): Promise<void> {
    const request = { params: { slug: 'gateway_1' }, body: { webhook_secret } };
    expectStatus(await byToken('updateGateway', request), 200);
  }

  async function deliver({ transaction_id: id }: PaymentBody, secret: string): Promise<number> {
    const body = callbackBody(`${id}-1`);
    const request = { params: { gateway: 'gateway_1' }, body, headers: signed(body, secret) };
    return (await api.anonymous('receiveCallback', request)).status;
  }
});

/** Erases what the sweeper would erase a day later. */
async function eraseDueSecrets({ companyId }: Shop): Promise<void> {
  await api.engine.context.db.query(
    'UPDATE gateway_secrets SET erase_after = now() WHERE company_id = $1 AND erase_after IS NOT NULL',
    [companyId],
  );
  await api.engine.sweeper.sweepOnce();
}

/** Why each secret belongs to its account, the newest first. */
async function proofsOf({ companyId }: Shop): Promise<string[]> {
  const secrets = await api.engine.context.gatewaySecrets.list({ companyId, slug: 'gateway_1' });
  return secrets.map(({ accountProof }) => accountProof);
}
