import { randomUUID } from 'node:crypto';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import type { CustomerKey } from '../../src/domain/customers/personal-data';
import type { SubscriptionId, VaultCardId } from '../../src/domain/shared/ids';
import type { StoredCommand } from '../../src/domain/subscriptions/stored-command';
import { insertCompany, insertCustomer } from '../support/fixtures/companies';
import {
  cancelSubscription,
  insertPlan,
  insertSubscription,
  type SubscriptionFields,
} from '../support/fixtures/recurring-rows';
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

let context: AppContext;
beforeAll(async () => {
  // A database of its own: the sweep of another test must not erase the cards queued here.
  context = createAppContext(testConfig({}, await createTestDatabase()));
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

type Owner = Pick<SubscriptionFields, 'companyId' | 'customerId' | 'planId'> & {
  readonly customerKey: CustomerKey;
};

async function newOwner(): Promise<Owner> {
  const companyId = await insertCompany(context);
  const customer = await context.db.inTransaction((tx) => insertCustomer(context, tx, companyId));
  const { id: customerId, key: customerKey } = customer;
  return { companyId, customerId, customerKey, planId: await insertPlan(context.db, companyId) };
}

const putCard = ({ companyId }: Owner): Promise<VaultCardId> =>
  context.db.inTransaction((tx) => context.vault.put(tx, { companyId, number: NUMBER, cvv: null }));

const subscribe = (owner: Owner, vaultCardId: string): Promise<SubscriptionId> =>
  insertSubscription(context.db, { ...owner, vaultCardId });

const replaceCard = (id: SubscriptionId, vaultCardId: string) =>
  context.db.query('UPDATE subscriptions SET vault_card_id = $2 WHERE uuid = $1', [id, vaultCardId]);

async function saveCard(
  { companyId, customerId, customerKey }: Owner,
  vaultCardId: VaultCardId,
): Promise<string> {
  const fingerprint = await context.vault.fingerprint(companyId, NUMBER);
  return context.db.inTransaction((tx) =>
    context.customerCards.upsert(tx, {
      ...{ companyId, customerId, customerKey, vaultCardId, fingerprint },
      card: CARD,
      billingAddress: null,
      networkIds: null,
    }),
  );
}

const deleteCard = ({ companyId, customerId }: Owner, token: string) =>
  context.db.inTransaction((tx) => context.customerCards.delete(tx, companyId, customerId, token));

/** Whether the number is in the vault after a sweep. */
async function survivesSweep({ companyId }: Owner, id: VaultCardId): Promise<boolean> {
  await context.vault.sweep(1_000);
  return (await context.vault.read(companyId, id)) !== null;
}

async function countQueued(id: VaultCardId): Promise<number> {
  return (await context.db.query('SELECT 1 FROM cards_pending_erasure WHERE vault_card_id = $1', [id]))
    .length;
}

/** A change_card command that is not executed yet. */
async function requestCardChange(subscriptionId: SubscriptionId, vaultCardId: VaultCardId): Promise<string> {
  const id = randomUUID();
  const command: StoredCommand = {
    kind: 'change_card',
    card: { card: { ...CARD, token: null }, fingerprint: '', vaultCardId, billingAddress: null },
  };
  await context.db.query(
    `INSERT INTO subscription_commands (id, subscription_id, company_id, kind, details, status, created_at, updated_at,
       requested_at)
     SELECT $2, id, company_id, 'change_card', $3, 'requested', now(), now(), now() FROM subscriptions WHERE uuid = $1`,
    [subscriptionId, id, JSON.stringify(command)],
  );
  return id;
}

async function payWith({ companyId, customerId }: Owner, vaultCardId: string): Promise<string> {
  const transactionId = randomUUID();
  await context.db.query(
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
    'is kept while the subscription is %s, after its saved card is deleted and a payment with it has ended',
    async (status) => {
      const owner = await newOwner();
      const id = await putCard(owner);
      await insertSubscription(context.db, { ...owner, vaultCardId: id, status });
      const token = await saveCard(owner, id);
      await deleteCard(owner, token);
      expect(await survivesSweep(owner, id)).toBe(true);
      const values: unknown[] = [];
      await context.db.execute(context.vault.removal(owner.companyId, id)(values), values);
      expect(await survivesSweep(owner, id)).toBe(true);
      expect(await countQueued(id)).toBe(0);
    },
  );

  it('is erased when the subscription is canceled', async () => {
    const owner = await newOwner();
    const id = await putCard(owner);
    const subscription = await subscribe(owner, id);
    expect(await survivesSweep(owner, id)).toBe(true);
    await cancelSubscription(context.db, subscription);
    expect(await survivesSweep(owner, id)).toBe(false);
  });

  it('is erased when the subscription changes to another card, which is kept', async () => {
    const owner = await newOwner();
    const [old, current] = [await putCard(owner), await putCard(owner)];
    const subscription = await subscribe(owner, old);
    await replaceCard(subscription, current);
    expect(await survivesSweep(owner, old)).toBe(false);
    expect(await survivesSweep(owner, current)).toBe(true);
  });

  it('is kept until the last of its subscriptions is canceled', async () => {
    const owner = await newOwner();
    const id = await putCard(owner);
    const [first, second] = [await subscribe(owner, id), await subscribe(owner, id)];
    await cancelSubscription(context.db, first);
    expect(await survivesSweep(owner, id)).toBe(true);
    await cancelSubscription(context.db, second);
    expect(await survivesSweep(owner, id)).toBe(false);
  });

  it('is kept while it is also a saved card, and erased when that is deleted', async () => {
    const owner = await newOwner();
    const id = await putCard(owner);
    const token = await saveCard(owner, id);
    await cancelSubscription(context.db, await subscribe(owner, id));
    expect(await survivesSweep(owner, id)).toBe(true);
    await deleteCard(owner, token);
    expect(await survivesSweep(owner, id)).toBe(false);
  });

  it('is kept for an open change_card command after the saved card is deleted, and erased when the command is refused', async () => {
    const owner = await newOwner();
    const [current, next] = [await putCard(owner), await putCard(owner)];
    const subscription = await subscribe(owner, current);
    const token = await saveCard(owner, next);
    const command = await requestCardChange(subscription, next);
    await deleteCard(owner, token);
    expect(await survivesSweep(owner, next)).toBe(true);
    await context.db.query(
      `UPDATE subscription_commands SET status = 'refused', refusal = 'it is canceled' WHERE id = $1`,
      [command],
    );
    expect(await survivesSweep(owner, next)).toBe(false);
    expect(await survivesSweep(owner, current)).toBe(true);
  });

  it('is erased only after the payment in progress with it is settled', async () => {
    const owner = await newOwner();
    const [old, current] = [await putCard(owner), await putCard(owner)];
    const subscription = await subscribe(owner, old);
    const transactionId = await payWith(owner, old);
    await replaceCard(subscription, current);
    expect(await survivesSweep(owner, old)).toBe(true);
    await context.db.query(
      `UPDATE payments SET status = 'failed', recover_after = NULL WHERE transaction_id = $1`,
      [transactionId],
    );
    expect(await survivesSweep(owner, old)).toBe(false);
  });
});

it('the sweep handles at most the given number of cards, oldest first', async () => {
  const owner = await newOwner();
  const [first, second] = [await putCard(owner), await putCard(owner)];
  for (const id of [first, second]) await cancelSubscription(context.db, await subscribe(owner, id));
  expect(await context.vault.sweep(1)).toBe(1);
  expect(await context.vault.read(owner.companyId, first)).toBeNull();
  expect(await context.vault.read(owner.companyId, second)).not.toBeNull();
  expect(await context.vault.sweep(1)).toBe(1);
  expect(await context.vault.read(owner.companyId, second)).toBeNull();
});
