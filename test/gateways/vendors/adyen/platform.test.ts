import { randomUUID } from 'node:crypto';
import { AdyenBench, AdyenPayment, MERCHANT_ACCOUNT } from './bench';

let bench: AdyenBench;
beforeAll(async () => {
  bench = await AdyenBench.start();
});
afterAll(() => bench.stop());

type Json = Readonly<Record<string, unknown>>;

async function ask(method: 'GET' | 'POST', path: string, body?: object, key?: string) {
  const response = await fetch(`${bench.url.replace(/v72$/, '')}${path}`, {
    method,
    headers: {
      ...{ 'x-api-key': 'key_of_the_bench', 'content-type': 'application/json', connection: 'close' },
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json & { readonly id: string } };
}

async function newAccount(number = '52998224725'): Promise<Json & { readonly id: string }> {
  const individual = {
    name: { firstName: 'Ana', lastName: 'Lima' },
    residentialAddress: { country: 'BR' },
    identificationData: { type: 'nationalIdNumber', number },
  };
  const entity = await ask('POST', 'kyc/v4/legalEntities', { type: 'individual', individual });
  const holder = await ask('POST', 'balance/v2/accountHolders', {
    legalEntityId: entity.body.id,
    capabilities: { receiveFromPlatformPayments: { requested: true } },
  });
  const reference = randomUUID();
  return (await ask('POST', 'balance/v2/balanceAccounts', { accountHolderId: holder.body.id, reference }))
    .body;
}

const part = (account: string, value: number) => ({
  ...{ type: 'BalanceAccount', account, amount: { value }, reference: `part-${account}` },
});

/** Cents that the ledger credits to an account, less what was taken back. */
async function receivedBy(payment: AdyenPayment, account: string): Promise<number> {
  const { entries } = await bench.control.ledger(payment.transactionId);
  const isOf = (name: string | null) =>
    name?.replaceAll('-', '').toUpperCase().endsWith(account.replace('BA', '')) === true;
  return entries.reduce(
    (sum, { credit, debit, amount }) => sum + (isOf(credit) ? amount : isOf(debit) ? -amount : 0),
    0,
  );
}

async function modified(payment: AdyenPayment, id: string, action: 'captures' | 'refunds', changes: object) {
  const reference = payment.referenceOf(action);
  const path = `payments/${id}/${action}`;
  const answer = await bench.post(path, { merchantAccount: MERCHANT_ACCOUNT, reference, ...changes });
  if (answer.status === 201) await bench.webhooks(action === 'captures' ? 'CAPTURE' : 'REFUND', reference);
  return answer;
}

const brl = (value: number) => ({ currency: 'BRL', value });

describe('a split at the fake of Adyen', () => {
  it('books exact parts to balance accounts, and those that cannot receive them to the platform, without an error', async () => {
    const [seller, pending] = [await newAccount(), await newAccount('52998224700')];
    const payment = new AdyenPayment(bench);
    const unknown = 'BA3227C223222H5J4DCGQ9V9L';
    const commission = { type: 'Commission', amount: { value: 500 } };
    const splits = [part(seller.id, 7_000), part(pending.id, 2_000), part(unknown, 500), commission];
    const { status, body } = await payment.create({ splits });
    expect([status, body.resultCode]).toEqual([200, 'Authorised']);
    expect([await receivedBy(payment, seller.id), await receivedBy(payment, pending.id)]).toEqual([7_000, 0]);
    expect((await payment.totals()).captured).toBe(10_000);
  });

  it('is the platform’s alone if a part is captured without splits, and is as the capture says with them', async () => {
    const [seller, other] = [await newAccount(), await newAccount()];
    const authorized = async () => {
      const payment = new AdyenPayment(bench);
      const additionalData = { manualCapture: 'true' };
      const { body } = await payment.create({ additionalData, splits: [part(seller.id, 10_000)] });
      return [payment, body.pspReference] as const;
    };
    const [plain, plainId] = await authorized();
    await modified(plain, plainId, 'captures', { amount: brl(6_000) });
    expect(await receivedBy(plain, seller.id)).toBe(0);
    const [whole, wholeId] = await authorized();
    await modified(whole, wholeId, 'captures', { amount: brl(10_000) });
    expect(await receivedBy(whole, seller.id)).toBe(10_000);
    const [split, splitId] = await authorized();
    const splits = [part(seller.id, 4_000), part(other.id, 2_000)];
    await modified(split, splitId, 'captures', { amount: brl(6_000), splits });
    expect([await receivedBy(split, seller.id), await receivedBy(split, other.id)]).toEqual([4_000, 2_000]);
  });

  it('is refunded in the ratio of the payment without splits, and else only from its own parts', async () => {
    const [seller, other] = [await newAccount(), await newAccount()];
    const pay = async () => {
      const payment = new AdyenPayment(bench);
      const { body } = await payment.create({ splits: [part(seller.id, 7_500), part(other.id, 2_500)] });
      return [payment, body.pspReference] as const;
    };
    const [plain, plainId] = await pay();
    await modified(plain, plainId, 'refunds', { amount: brl(1_000) });
    expect([await receivedBy(plain, seller.id), await receivedBy(plain, other.id)]).toEqual([6_750, 2_250]);
    const [split, splitId] = await pay();
    const renamed = { ...part(other.id, 1_000), reference: 'another' };
    for (const wrong of [part((await newAccount()).id, 1_000), renamed, part(other.id, 999)]) {
      const refused = await modified(split, splitId, 'refunds', { amount: brl(1_000), splits: [wrong] });
      expect(refused).toMatchObject({ status: 422, body: { errorCode: '187' } });
    }
    await modified(split, splitId, 'refunds', { amount: brl(1_000), splits: [part(other.id, 1_000)] });
    expect([await receivedBy(split, seller.id), await receivedBy(split, other.id)]).toEqual([7_500, 1_500]);
  });
});

describe('the platform at the fake of Adyen', () => {
  it('makes each resource once for a key, keeps those of a balance account over a restart, and knows no others', async () => {
    const account = await newAccount('52998224799');
    const again = { accountHolderId: account.accountHolderId, reference: 'again' };
    const first = await ask('POST', 'balance/v2/balanceAccounts', again, 'one-key');
    expect(await ask('POST', 'balance/v2/balanceAccounts', again, 'one-key')).toEqual(first);
    await bench.restart();
    const holder = await ask('GET', `balance/v2/accountHolders/${String(account.accountHolderId)}`);
    expect(holder.body).toMatchObject({
      capabilities: { receiveFromPlatformPayments: { allowed: false, verificationStatus: 'rejected' } },
    });
    const list = await ask(
      'GET',
      `balance/v2/accountHolders/${holder.body.id}/balanceAccounts?limit=1&offset=1`,
    );
    expect(list.body).toMatchObject({
      balanceAccounts: [{ id: account.id }],
      hasNext: false,
      hasPrevious: true,
    });
    for (const [path, body] of [
      ['kyc/v4/legalEntities', { type: 'individual' }],
      ['balance/v2/accountHolders', { legalEntityId: 'LE0' }],
      ['balance/v2/balanceAccounts', { accountHolderId: 'AH0' }],
    ] as const) {
      const refused = await ask('POST', path, body);
      expect(refused).toMatchObject({ status: 422, body: { status: 422, errorCode: '30_031' } });
    }
  });
});
