import type { components } from '../../../src/http/generated/openapi';
import { parsePlanId } from '../../../src/domain/shared/ids';
import type { Plan } from '../../../src/domain/subscriptions/plan';
import type { Tx } from '../../../src/persistence/sql/transaction';
import { insertSubscription } from '../../support/fixtures/recurring-rows';
import { waitFor } from '../../support/stack/wait-for';
import { waitingForLocks } from '../../support/stack/waiting-for-locks';
import { startCatalogApi, type CatalogApi } from '../support/catalog-api';
import { expectStatus } from '../support/api-client';
import { registerCompanyWithUser, type CompanyWithUser } from '../support/manual-resolution';

let api: CatalogApi;
let merchant: CompanyWithUser;
beforeAll(async () => {
  api = await startCatalogApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  merchant = await registerCompanyWithUser(api, []);
});

const GOLD = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'monthly' };

async function newPlan(): Promise<components['schemas']['Plan']> {
  return expectStatus(await merchant.byKey('createPlan', { body: GOLD }), 201).body.data;
}

const change = ({ id }: { readonly id: string }, body: object) =>
  merchant.byKey('updatePlan', { params: { uuid: id }, body });

/** Locks the plan for a subscription that `tx` inserts. */
async function lockForUse(tx: Tx, { id }: { readonly id: string }): Promise<Plan> {
  const uuid = parsePlanId(id);
  const plan = uuid && (await api.context.plans.lockForUse(tx, merchant.companyId, uuid));
  if (!plan) throw new Error('the plan is missing');
  return plan;
}

async function customerOf(tx: Tx): Promise<{ companyId: number; customerId: number }> {
  const { companyId } = merchant;
  const details = { name: 'Maria', email: 'maria@example.com', document: '52998224725' };
  const { id: customerId } = await api.context.customers.upsert(tx, companyId, details);
  return { companyId, customerId };
}

async function subscribe(tx: Tx, plan: { readonly id: string }): Promise<void> {
  const { id: planId } = await lockForUse(tx, plan);
  await insertSubscription(api.context.db, { ...(await customerOf(tx)), planId }, tx);
}

const untilOneWaits = () =>
  waitFor(async () => (await waitingForLocks(api.context.db)) === 1, {
    what: 'one transaction to wait for a lock',
  });

describe('a plan with a subscription', () => {
  it.each([
    [{ amount: 9_991 }, 'amount'],
    [{ currency: 'USD' }, 'currency'],
    [{ interval: 'yearly' }, 'interval'],
    [{ interval_count: 2 }, 'interval_count'],
    [{ name: 'Silver', amount: 1_000, interval: 'daily' }, 'amount, interval'],
  ])('answers 409 to %j and does not change', async (body, names) => {
    const plan = await newPlan();
    await api.context.db.inTransaction((tx) => subscribe(tx, plan));
    const { message, code } = expectStatus(await change(plan, body), 409).body;
    expect({ message, code }).toEqual({
      message: `The plan has subscriptions: ${names} can no longer change. Make another plan.`,
      code: 'invalid_state',
    });
    const shown = await merchant.byKey('getPlan', { params: { uuid: plan.id } });
    expect(expectStatus(shown, 200).body.data).toEqual(plan);
  });

  it('accepts changes of mutable fields, and the current values of immutable ones', async () => {
    const plan = await newPlan();
    await api.context.db.inTransaction((tx) => subscribe(tx, plan));
    const mutable = {
      name: 'Silver',
      trial_period_days: 3,
      billing_day: 5,
      min_card_months: 1,
      is_active: false,
    };
    expect(expectStatus(await change(plan, { ...GOLD, ...mutable }), 200).body.data).toMatchObject(mutable);
  });

  it('counts a subscription that changes to it at the period’s end', async () => {
    const [from, to] = [await newPlan(), await newPlan()];
    await api.context.db.inTransaction(async (tx) => {
      const [{ id: planId }, { id: newPlanId }] = [await lockForUse(tx, from), await lockForUse(tx, to)];
      await insertSubscription(api.context.db, { ...(await customerOf(tx)), planId, newPlanId }, tx);
    });
    expectStatus(await change(to, { amount: 1_000 }), 409);
  });
});

describe('a concurrent price change and subscription', () => {
  it('the change waits for the subscription and is refused', async () => {
    const plan = await newPlan();
    const started = await api.context.db.inTransaction(async (tx) => {
      await subscribe(tx, plan);
      const answer = change(plan, { amount: 1_000 });
      await untilOneWaits();
      return { answer };
    });
    expectStatus(await started.answer, 409);
  });

  it('the subscription waits for the change and gets the new price', async () => {
    const plan = await newPlan();
    const { db, plans } = api.context;
    const begun = await db.inTransaction(async (tx) => {
      const locked = await plans.lock(tx, merchant.companyId, (await lockForUse(tx, plan)).uuid);
      if (locked === null) throw new Error('the plan is missing');
      await plans.update(tx, locked.id, { ...locked, amountCents: 1_000 }, new Date());
      const taken = db.inTransaction((later) => lockForUse(later, plan));
      await untilOneWaits();
      return { taken };
    });
    expect(await begun.taken).toMatchObject({ amountCents: 1_000 });
  });

  it('subscriptions to the same plan do not wait for each other', async () => {
    const plan = await newPlan();
    const { db } = api.context;
    await db.inTransaction(async (tx) => {
      await lockForUse(tx, plan);
      await db.inTransaction((beside) => subscribe(beside, plan));
    });
    expectStatus(await change(plan, { amount: 1_000 }), 409);
  });
});
