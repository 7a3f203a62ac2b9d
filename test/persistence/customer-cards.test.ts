import { randomUUID } from 'node:crypto';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import type { Customer } from '../../src/domain/customers/customer';
import type { NetworkIds } from '../../src/domain/shared/charge-initiation';
import type { VaultCardId } from '../../src/domain/shared/ids';
import type { Tx } from '../../src/persistence/sql/transaction';
import { insertCompany, insertCustomer } from '../support/fixtures/companies';
import { testConfig } from '../support/stack/test-config';
import { waitFor } from '../support/stack/wait-for';

const CARD = {
  brand: 'visa',
  first6Digits: '411111',
  last4Digits: '1111',
  holderName: 'MARIA SOUZA',
  expireMonth: 12,
  expireYear: 2035,
};

let context: AppContext;
beforeAll(() => {
  context = createAppContext(testConfig());
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

const newCustomer = (companyId: number): Promise<Customer> =>
  context.db.inTransaction((tx) => insertCustomer(context, tx, companyId));

async function saveCard(
  tx: Tx,
  companyId: number,
  { id: customerId, key: customerKey }: Customer,
  number: string,
  holderName = CARD.holderName,
  change: { readonly expireYear?: number; readonly networkIds?: NetworkIds } = {},
) {
  const vaultCardId = await context.vault.put(tx, { companyId, number, cvv: null });
  const fingerprint = await context.vault.fingerprint(companyId, number, tx);
  return context.customerCards.upsert(tx, {
    companyId,
    customerId,
    customerKey,
    vaultCardId,
    fingerprint,
    card: { ...CARD, holderName, expireYear: change.expireYear ?? CARD.expireYear },
    billingAddress: null,
    networkIds: change.networkIds ?? null,
  });
}

const cardsOf = async (companyId: number, customerId: number) =>
  (await context.customerCards.list(companyId, customerId, { number: 1, size: 100 })).rows;

describe('a customer', () => {
  it('is unique by document within a company, and omitted fields keep their values', async () => {
    const companyId = await insertCompany(context);
    const save = (details: object) =>
      context.db.inTransaction((tx) =>
        context.customers.upsert(tx, companyId, {
          name: 'Maria',
          email: 'maria@example.com',
          document: '52998224725',
          ...details,
        }),
      );
    const first = await save({ phone: '11912345678', metadata: { tier: 'gold' } });
    const again = await save({ name: 'Maria Souza' });
    expect(again).toMatchObject({
      id: first.id,
      token: first.token,
      name: 'Maria Souza',
      phone: '11912345678',
      metadata: { tier: 'gold' },
    });
    expect((await newCustomer(await insertCompany(context))).id).not.toBe(first.id);
  });

  it('is inserted once by twenty concurrent requests', async () => {
    const companyId = await insertCompany(context);
    const saved = await Promise.all(Array.from({ length: 20 }, () => newCustomer(companyId)));
    expect(new Set(saved.map(({ token }) => token)).size).toBe(1);
  });
});

describe('a saved card', () => {
  it('is the only default when the first cards are saved concurrently', async () => {
    const companyId = await insertCompany(context);
    const customer = await newCustomer(companyId);
    const { id } = customer;
    const numbers = ['4111111111111111', '5555555555554444', '4000000000000010'];
    await Promise.all(
      numbers.map((number) => context.db.inTransaction((tx) => saveCard(tx, companyId, customer, number))),
    );
    const cards = await cardsOf(companyId, id);
    expect(cards).toHaveLength(3);
    expect(cards.filter((card) => card.isDefault)).toHaveLength(1);
  });

  it('is updated and keeps its token when the same number is saved again, and the vault keeps one number', async () => {
    const companyId = await insertCompany(context);
    const customer = await newCustomer(companyId);
    const { id } = customer;
    const number = '4111111111111111';
    const first = await context.db.inTransaction((tx) => saveCard(tx, companyId, customer, number));
    const second = await context.db.inTransaction((tx) =>
      saveCard(tx, companyId, customer, number, 'M SOUZA'),
    );
    expect(second).toBe(first);
    expect(await cardsOf(companyId, id)).toMatchObject([{ token: first, holderName: 'M SOUZA' }]);
    expect(
      await context.db.query('SELECT id FROM vault_cards WHERE company_id = $1', [companyId]),
    ).toHaveLength(1);
  });

  it('keeps the network ids of its first transaction until it is renewed', async () => {
    const companyId = await insertCompany(context);
    const customer = await newCustomer(companyId);
    const number = '4111111111111111';
    const idsOf = async (token: string) =>
      (await context.customerCards.findByToken(companyId, token))?.networkIds;
    const ids = (transactionId: string) => ({ transactionId, transactionLinkId: null, eloReference: null });
    const save = (change: object) =>
      context.db.inTransaction((tx) => saveCard(tx, companyId, customer, number, undefined, change));
    const token = await save({});
    const fingerprint = await context.vault.fingerprint(companyId, number);
    const charged = {
      companyId,
      token,
      fingerprint,
      expireMonth: CARD.expireMonth,
      expireYear: CARD.expireYear,
    };
    const keep = (card: typeof charged, id: string) =>
      context.db.inTransaction((tx) => context.customerCards.keepNetworkIds(tx, card, ids(id)));

    await keep({ ...charged, companyId: companyId + 1 }, 'of another company');
    await keep({ ...charged, expireYear: 2030 }, 'of the card before it was renewed');
    expect(await idsOf(token)).toBeNull();
    await keep(charged, 'first');
    await keep(charged, 'second');
    expect(await idsOf(token)).toEqual(ids('first'));
    await save({});
    expect(await idsOf(token)).toEqual(ids('first'));
    await save({ networkIds: ids('saved again') });
    expect(await idsOf(token)).toEqual(ids('saved again'));
    await save({ expireYear: 2036 });
    expect(await idsOf(token)).toBeNull();
  });

  it('is not found by another company, nor after its deletion', async () => {
    const [companyId, otherId] = [await insertCompany(context), await insertCompany(context)];
    const customer = await newCustomer(companyId);
    const { id } = customer;
    const token = await context.db.inTransaction((tx) =>
      saveCard(tx, companyId, customer, '4111111111111111'),
    );
    expect(await context.customerCards.findByToken(otherId, token)).toBeNull();
    expect(await context.customerCards.findByToken(companyId, token)).toMatchObject({
      token,
      customerId: id,
    });
    expect(await context.db.inTransaction((tx) => context.customerCards.delete(tx, otherId, id, token))).toBe(
      false,
    );
    expect(
      await context.db.inTransaction((tx) => context.customerCards.delete(tx, companyId, id, token)),
    ).toBe(true);
    expect(await context.customerCards.findByToken(companyId, token)).toBeNull();
  });

  it('passes the default to the newest remaining card when it is deleted', async () => {
    const companyId = await insertCompany(context);
    const customer = await newCustomer(companyId);
    const { id } = customer;
    const save = (number: string) =>
      context.db.inTransaction((tx) => saveCard(tx, companyId, customer, number));
    const oldest = await save('4111111111111111');
    await save('5555555555554444');
    const newest = await save('4000000000000010');
    await context.db.inTransaction((tx) => context.customerCards.delete(tx, companyId, id, oldest));
    expect((await cardsOf(companyId, id)).map(({ token, isDefault }) => [token, isDefault])).toEqual([
      [newest, true],
      [expect.any(String), false],
    ]);
  });

  it('is not deleted before a concurrent payment with it is committed', async () => {
    const companyId = await insertCompany(context);
    const customer = await newCustomer(companyId);
    const { id } = customer;
    const token = await context.db.inTransaction((tx) =>
      saveCard(tx, companyId, customer, '4111111111111111'),
    );
    const order: string[] = [];
    let deletion: Promise<void> | undefined;
    await context.db.inTransaction(async (tx) => {
      await context.customerCards.findByToken(companyId, token, tx);
      deletion = context.db
        .inTransaction((other) => context.customerCards.delete(other, companyId, id, token))
        .then(() => void order.push('deleted'));
      await waitFor(async () => {
        const blocked = await context.db.query(`SELECT 1 FROM pg_stat_activity
          WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE customer_cards SET deleted_at%'`);
        return blocked.length > 0;
      });
      order.push('payment made');
    });
    await deletion;
    expect(order).toEqual(['payment made', 'deleted']);
  });
});

describe('the vault sweep', () => {
  it('erases the number of a deleted card after its last payment in progress is settled', async () => {
    const companyId = await insertCompany(context);
    const customer = await newCustomer(companyId);
    const { id } = customer;
    const token = await context.db.inTransaction((tx) =>
      saveCard(tx, companyId, customer, '4111111111111111'),
    );
    const vaultCardId = (await context.customerCards.findByToken(companyId, token))
      ?.vaultCardId as VaultCardId;
    const transactionId = await insertProcessingPayment(companyId, id, vaultCardId);
    await context.db.inTransaction((tx) => context.customerCards.delete(tx, companyId, id, token));

    await context.vault.sweep(1_000);
    expect(await context.vault.read(companyId, vaultCardId)).toMatchObject({ number: '4111111111111111' });

    await context.db.query(
      `UPDATE payments SET status = 'failed', recover_after = NULL WHERE transaction_id = $1`,
      [transactionId],
    );
    await context.vault.sweep(1_000);
    expect(await context.vault.read(companyId, vaultCardId)).toBeNull();
  });
});

async function insertProcessingPayment(
  companyId: number,
  customerId: number,
  vaultCardId: string,
): Promise<string> {
  const transactionId = randomUUID();
  await context.db.query(
    `INSERT INTO payments (transaction_id, company_id, merchant_order_id, amount_cents, currency, payment_method, status,
                           message, capture, installments, customer_id, customer, vault_card_id, requested_at, recover_after,
                           created_at, updated_at)
     VALUES ($1, $2, 'order', 1000, 'BRL', 'card', 'processing', '', true, 1, $3, '{}', $4, now(),
             now() + interval '1 day', now(), now())`,
    [transactionId, companyId, customerId, vaultCardId],
  );
  return transactionId;
}
