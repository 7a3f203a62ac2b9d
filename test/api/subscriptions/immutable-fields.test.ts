import type { components } from '../../../src/http/generated/openapi';
import { parsePlanId } from '../../../src/domain/shared/ids';
import type { Plan } from '../../../src/domain/subscriptions/plan';
import type { Tx } from '../../../src/persistence/sql/transaction';
import { insertSubscription } from '../../support/fixtures/subscription-row';
import { waitFor } from '../../support/stack/wait-for';
import { waitingForLocks } from '../../support/stack/waiting-for-locks';
import { startCatalogApi, type CatalogApi } from '../support/catalog-api';
import { expectStatus } from '../support/api-client';
import { openOffice, type Office } from '../support/manual-resolution';

let api: CatalogApi;
let shop: Office;
beforeAll(async () => {
  api = await startCatalogApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  shop = await openOffice(api, []);
});

const GOLD = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'monthly' };

async function newPlan(): Promise<components['schemas']['Plan']> {
  return expectStatus(await shop.byKey('createPlan', { body: GOLD }), 201).body.data;
}

const change = ({ id }: { readonly id: string }, body: object) =>
  shop.byKey('updatePlan', { params: { uuid: id }, body });

/** The plan for a subscription that `tx` is about to make. */
async function used(tx: Tx, { id }: { readonly id: string }): Promise<Plan> {
  const uuid = parsePlanId(id);
  const plan = uuid && (await api.parts.plans.lockForUse(tx, shop.companyId, uuid));
  if (!plan) throw new Error('the plan is gone');
  return plan;
}

async function subscribe(tx: Tx, plan: { readonly id: string }): Promise<void> {
  const { id: planId } = await used(tx, plan);
  await insertSubscription(api.parts, tx, { companyId: shop.companyId, planId });
}

const somebodyWaits = () =>
  waitFor(async () => (await waitingForLocks(api.parts.db)) === 1, { what: 'somebody to wait' });

describe('a plan with a subscription', () => {
  it.each([
    [{ amount: 9_991 }, 'amount'],
    [{ currency: 'USD' }, 'currency'],
    [{ interval: 'yearly' }, 'interval'],
    [{ interval_count: 2 }, 'interval_count'],
    [{ name: 'Silver', amount: 1_000, interval: 'daily' }, 'amount, interval'],
  ])('answers 409 to %j and stays as it is', async (body, names) => {
    const plan = await newPlan();
    await api.parts.db.inTransaction((tx) => subscribe(tx, plan));
    const { message, code } = expectStatus(await change(plan, body), 409).body;
    expect({ message, code }).toEqual({
      message: `The plan has subscriptions: ${names} can no longer change. Make another plan.`,
      code: 'invalid_state',
    });
    const shown = await shop.byKey('getPlan', { params: { uuid: plan.id } });
    expect(expectStatus(shown, 200).body.data).toEqual(plan);
  });

  it('takes what was promised to nobody, and the same again', async () => {
    const plan = await newPlan();
    await api.parts.db.inTransaction((tx) => subscribe(tx, plan));
    const words = {
      name: 'Silver',
      trial_period_days: 3,
      billing_day: 5,
      min_card_months: 1,
      is_active: false,
    };
    expect(expectStatus(await change(plan, { ...GOLD, ...words }), 200).body.data).toMatchObject(words);
  });

  it('counts one that is only to be on it at its period’s end', async () => {
    const [from, to] = [await newPlan(), await newPlan()];
    await api.parts.db.inTransaction(async (tx) => {
      const [{ id: planId }, { id: newPlanId }] = [await used(tx, from), await used(tx, to)];
      await insertSubscription(api.parts, tx, { companyId: shop.companyId, planId, newPlanId });
    });
    expectStatus(await change(to, { amount: 1_000 }), 409);
  });
});

describe('a change of price and a subscription at the same moment', () => {
  it('are one after the other: the change waits for the subscription, and is refused', async () => {
    const plan = await newPlan();
    const asked = await api.parts.db.inTransaction(async (tx) => {
      await subscribe(tx, plan);
      const answer = change(plan, { amount: 1_000 });
      await somebodyWaits();
      return { answer };
    });
    expectStatus(await asked.answer, 409);
  });

  it('are one after the other: the subscription waits for the change, and gets the new price', async () => {
    const plan = await newPlan();
    const { db, plans } = api.parts;
    const begun = await db.inTransaction(async (tx) => {
      const locked = await plans.lock(tx, shop.companyId, (await used(tx, plan)).uuid);
      if (locked === null) throw new Error('the plan is gone');
      await plans.update(tx, locked.id, { ...locked, amountCents: 1_000 }, new Date());
      const taken = db.inTransaction((later) => used(later, plan));
      await somebodyWaits();
      return { taken };
    });
    expect(await begun.taken).toMatchObject({ amountCents: 1_000 });
  });

  it('keep no other subscription waiting', async () => {
    const plan = await newPlan();
    const { db } = api.parts;
    await db.inTransaction(async (tx) => {
      await used(tx, plan);
      await db.inTransaction((beside) => subscribe(beside, plan));
    });
    expectStatus(await change(plan, { amount: 1_000 }), 409);
  });
});
