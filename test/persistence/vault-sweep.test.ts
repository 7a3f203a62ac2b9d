import { randomUUID } from 'node:crypto';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import type { SubscriptionId, VaultCardId } from '../../src/domain/shared/ids';
import type { StoredCommand } from '../../src/domain/subscriptions/stored-command';
import { cancelSubscription, insertPlan, insertSubscription } from '../support/fixtures/recurring-rows';
import { createTestDatabase, testConfig } from '../support/stack/test-config';

const NUMBER = '4111111111111111';
const CARD = {
  brand: 'visa',
  first6Digits: '411111',
  last4Digits: '1111',
  holderName: 'MARIA SOUZA',
  expireMonth: 12,
  expireYear: 2035,
};

let parts: AppContext;
beforeAll(async () => {
  // Of its own: another test's sweep must not take what is listed here.
  parts = createAppContext(testConfig({}, await createTestDatabase()));
});
afterAll(async () => {
  await Promise.all([parts.db.close(), parts.temporal.connection.close()]);
});

interface Shop {
  readonly companyId: number;
  readonly customerId: number;
  readonly planId: number;
}

async function newShop(): Promise<Shop> {
  const name = randomUUID();
  const { id: companyId } = await parts.companies.insert({
    name: 'Loja',
    clientId: name,
    apiKeyHash: name,
  });
  const details = { name: 'Maria', email: 'maria@example.com', document: '52998224725' };
  const customer = await parts.db.inTransaction((tx) =>
    parts.customers.upsertCustomer(tx, companyId, details),
  );
  return { companyId, customerId: customer.id, planId: await insertPlan(parts.db, companyId) };
}

const putCard = ({ companyId }: Shop): Promise<VaultCardId> =>
  parts.db.inTransaction((tx) => parts.vault.put(tx, { companyId, number: NUMBER, cvv: null }));

const subscribe = (shop: Shop, vaultCardId: string): Promise<SubscriptionId> =>
  insertSubscription(parts.db, { ...shop, vaultCardId });

const replaceCard = (id: SubscriptionId, vaultCardId: string) =>
  parts.db.query('UPDATE subscriptions SET vault_card_id = $2 WHERE uuid = $1', [id, vaultCardId]);

async function saveCard({ companyId, customerId }: Shop, vaultCardId: VaultCardId): Promise<string> {
  const fingerprint = parts.vault.fingerprint(companyId, NUMBER);
  return parts.db.inTransaction((tx) =>
    parts.customerCards.saveCustomerCard(tx, {
      ...{ companyId, customerId, vaultCardId, fingerprint },
      card: CARD,
      billingAddress: null,
    }),
  );
}

const deleteCard = ({ companyId, customerId }: Shop, token: string) =>
  parts.db.inTransaction((tx) => parts.customerCards.delete(tx, companyId, customerId, token));

/** Whether the number is still there once the vault was swept. */
async function outlivesSweep({ companyId }: Shop, id: VaultCardId): Promise<boolean> {
  await parts.vault.sweep(1_000);
  return (await parts.vault.read(companyId, id)) !== null;
}

async function listed(id: VaultCardId): Promise<number> {
  return (await parts.db.query('SELECT 1 FROM cards_pending_erasure WHERE vault_card_id = $1', [id])).length;
}

/** A change of card that its subscription has not come to yet. */
async function askForCard(subscriptionId: SubscriptionId, vaultCardId: VaultCardId): Promise<string> {
  const id = randomUUID();
  const command: StoredCommand = {
    kind: 'change_card',
    card: { card: { ...CARD, token: null }, fingerprint: '', vaultCardId, billingAddress: null },
  };
  await parts.db.query(
    `INSERT INTO subscription_commands (id, subscription_id, company_id, kind, details, status, created_at, updated_at)
     SELECT $2, id, company_id, 'change_card', $3, 'requested', now(), now() FROM subscriptions WHERE uuid = $1`,
    [subscriptionId, id, JSON.stringify(command)],
  );
  return id;
}

async function payWith({ companyId, customerId }: Shop, vaultCardId: string): Promise<string> {
  const transactionId = randomUUID();
  await parts.db.query(
    `INSERT INTO payments (transaction_id, company_id, merchant_order_id, amount_cents, currency, payment_method, status,
       message, capture, installments, customer_id, customer, vault_card_id, requested_at, recover_after, created_at, updated_at)
     VALUES ($1, $2, 'order', 1000, 'BRL', 'card', 'processing', '', true, 1, $3, '{}', $4, now(),
       now() + interval '1 day', now(), now())`,
    [transactionId, companyId, customerId, vaultCardId],
  );
  return transactionId;
}

describe('the number of a subscription’s card', () => {
  it.each(['pending', 'trialing', 'active', 'past_due', 'paused'])(
    'stays while the subscription is %s, whatever ends that used it as well',
    async (status) => {
      const shop = await newShop();
      const id = await putCard(shop);
      await insertSubscription(parts.db, { ...shop, vaultCardId: id, status });
      const token = await saveCard(shop, id);
      await deleteCard(shop, token);
      expect(await outlivesSweep(shop, id)).toBe(true);
      await parts.db.inTransaction((tx) => parts.vault.discard(tx, shop.companyId, id));
      expect(await outlivesSweep(shop, id)).toBe(true);
      expect(await listed(id)).toBe(0);
    },
  );

  it('is erased when the subscription is canceled', async () => {
    const shop = await newShop();
    const id = await putCard(shop);
    const subscription = await subscribe(shop, id);
    expect(await outlivesSweep(shop, id)).toBe(true);
    await cancelSubscription(parts.db, subscription);
    expect(await outlivesSweep(shop, id)).toBe(false);
  });

  it('is erased when the subscription takes another card, which stays', async () => {
    const shop = await newShop();
    const [old, current] = [await putCard(shop), await putCard(shop)];
    const subscription = await subscribe(shop, old);
    await replaceCard(subscription, current);
    expect(await outlivesSweep(shop, old)).toBe(false);
    expect(await outlivesSweep(shop, current)).toBe(true);
  });

  it('stays as long as one of its subscriptions lives', async () => {
    const shop = await newShop();
    const id = await putCard(shop);
    const [first, second] = [await subscribe(shop, id), await subscribe(shop, id)];
    await cancelSubscription(parts.db, first);
    expect(await outlivesSweep(shop, id)).toBe(true);
    await cancelSubscription(parts.db, second);
    expect(await outlivesSweep(shop, id)).toBe(false);
  });

  it('stays when its customer has saved it, and goes once that is deleted too', async () => {
    const shop = await newShop();
    const id = await putCard(shop);
    const token = await saveCard(shop, id);
    await cancelSubscription(parts.db, await subscribe(shop, id));
    expect(await outlivesSweep(shop, id)).toBe(true);
    await deleteCard(shop, token);
    expect(await outlivesSweep(shop, id)).toBe(false);
  });

  it('stays while a subscription is to take it, though its customer deletes the saved card, and goes when that is refused', async () => {
    const shop = await newShop();
    const [current, next] = [await putCard(shop), await putCard(shop)];
    const subscription = await subscribe(shop, current);
    const token = await saveCard(shop, next);
    const command = await askForCard(subscription, next);
    await deleteCard(shop, token);
    expect(await outlivesSweep(shop, next)).toBe(true);
    await parts.db.query(
      `UPDATE subscription_commands SET status = 'refused', refusal = 'it is canceled' WHERE id = $1`,
      [command],
    );
    expect(await outlivesSweep(shop, next)).toBe(false);
    expect(await outlivesSweep(shop, current)).toBe(true);
  });

  it('waits for a payment that is being charged with it', async () => {
    const shop = await newShop();
    const [old, current] = [await putCard(shop), await putCard(shop)];
    const subscription = await subscribe(shop, old);
    const transactionId = await payWith(shop, old);
    await replaceCard(subscription, current);
    expect(await outlivesSweep(shop, old)).toBe(true);
    await parts.db.query(
      `UPDATE payments SET status = 'failed', recover_after = NULL WHERE transaction_id = $1`,
      [transactionId],
    );
    expect(await outlivesSweep(shop, old)).toBe(false);
  });
});

it('judges at most as many numbers as it is told to, the ones that wait longest first', async () => {
  const shop = await newShop();
  const [first, second] = [await putCard(shop), await putCard(shop)];
  for (const id of [first, second]) await cancelSubscription(parts.db, await subscribe(shop, id));
  expect(await parts.vault.sweep(1)).toBe(1);
  expect(await parts.vault.read(shop.companyId, first)).toBeNull();
  expect(await parts.vault.read(shop.companyId, second)).not.toBeNull();
  expect(await parts.vault.sweep(1)).toBe(1);
  expect(await parts.vault.read(shop.companyId, second)).toBeNull();
});
