import { createAppContext, type AppContext } from '../../src/composition/app-context';
import {
  countRecurringRevenue,
  countRevenueByPlan,
} from '../../src/persistence/read-models/recurring-revenue';
import { insertCompany, insertCustomer } from '../support/fixtures/companies';
import {
  insertCoupon,
  insertPlan,
  insertSubscription,
  type PlanFields,
  type SubscriptionFields,
} from '../support/fixtures/recurring-rows';
import { testConfig } from '../support/stack/test-config';

let context: AppContext;
beforeAll(() => {
  context = createAppContext(testConfig());
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

type Owner = Pick<SubscriptionFields, 'companyId' | 'customerId'>;

async function newOwner(): Promise<Owner> {
  const companyId = await insertCompany(context);
  const { id: customerId } = await context.db.inTransaction((tx) => insertCustomer(context, tx, companyId));
  return { companyId, customerId };
}

async function insertSubscriptions(
  owner: Owner,
  plan: Partial<PlanFields>,
  change: Partial<SubscriptionFields> = {},
  count = 1,
): Promise<void> {
  const planId = await insertPlan(context.db, owner.companyId, plan);
  for (let index = 0; index < count; index += 1)
    await insertSubscription(context.db, { ...owner, planId, ...change });
}

const revenueOf = ({ companyId }: Owner) => countRecurringRevenue(context.db, companyId);

const inReais = (subscriptions: number, monthlyCents: number) => [
  { currency: 'BRL', subscriptions, monthlyCents },
];

it.each([
  ['daily', 1, 100, 3_042],
  ['daily', 30, 3_000, 3_042],
  ['weekly', 1, 1_000, 4_345],
  ['weekly', 2, 1_000, 2_173],
  ['monthly', 1, 4_990, 4_990],
  ['monthly', 6, 15_000, 2_500],
  ['yearly', 1, 60_000, 5_000],
  ['yearly', 2, 60_006, 2_500],
  ['yearly', 2, 60_012, 2_501],
] as const)(
  'a %s price with interval count %i of %i cents is %i cents per month',
  async (interval, intervalCount, amountCents, monthly) => {
    const owner = await newOwner();
    await insertSubscriptions(owner, { interval, intervalCount, amountCents });
    expect(await revenueOf(owner)).toEqual(inReais(1, monthly));
  },
);

it('only active subscriptions of the company count', async () => {
  const owner = await newOwner();
  for (const status of ['pending', 'trialing', 'active', 'past_due', 'paused', 'canceled'])
    await insertSubscriptions(owner, { amountCents: 1_000 }, { status });
  await insertSubscriptions(await newOwner(), { amountCents: 7_000 });
  expect(await revenueOf(owner)).toEqual(inReais(1, 1_000));
});

it('a company without subscriptions has no recurring revenue', async () => {
  expect(await revenueOf(await newOwner())).toEqual([]);
});

it('each price is rounded half up, so the plans add up to the sum of a currency', async () => {
  const owner = await newOwner();
  await insertSubscriptions(owner, { amountCents: 100, intervalCount: 3 }, {}, 3);
  await insertSubscriptions(owner, { amountCents: 102, interval: 'yearly' }, {}, 6);
  // 3 * 33 + 6 * 9
  expect(await revenueOf(owner)).toEqual(inReais(9, 153));
  const plans = await countRevenueByPlan(context.db, owner.companyId);
  expect(plans.map(({ monthlyCents }) => monthlyCents)).toEqual([99, 54]);
});

it('each currency has its own sum', async () => {
  const owner = await newOwner();
  await insertSubscriptions(owner, { amountCents: 1_000, currency: 'USD' }, {}, 2);
  await insertSubscriptions(owner, { amountCents: 500 });
  expect(await revenueOf(owner)).toEqual([
    { currency: 'BRL', subscriptions: 1, monthlyCents: 500 },
    { currency: 'USD', subscriptions: 2, monthlyCents: 2_000 },
  ]);
});

describe('the discount of a coupon', () => {
  const PERCENTAGE = { discountType: 'percentage', discountValue: 25 } as const;
  const FIXED = { discountType: 'fixed', discountValue: 300 } as const;

  it.each([
    ['of 25% without a cycle limit is subtracted', PERCENTAGE, 40, 1_498],
    ['of 25% with a cycle left is subtracted', { ...PERCENTAGE, maxCycles: 3 }, 2, 1_498],
    ['of 25% without a cycle left is not subtracted', { ...PERCENTAGE, maxCycles: 3 }, 3, 1_998],
    ['of 3.00 is subtracted', FIXED, 0, 1_698],
    ['of 3.00 without a cycle left is not subtracted', { ...FIXED, maxCycles: 1 }, 1, 1_998],
    ['of more than the price leaves nothing', { ...FIXED, discountValue: 5_000 }, 0, 0],
    ['that leaves less than the minimum charge leaves nothing', { ...FIXED, discountValue: 1_899 }, 0, 0],
    ['that leaves the minimum charge leaves that', { ...FIXED, discountValue: 1_898 }, 0, 100],
  ] as const)('%s', async (_, discount, couponCyclesUsed, monthlyCents) => {
    const owner = await newOwner();
    const couponId = await insertCoupon(context.db, owner.companyId, discount);
    await insertSubscriptions(owner, { amountCents: 1_998 }, { couponId, couponCyclesUsed });
    expect(await revenueOf(owner)).toEqual(inReais(1, monthlyCents));
  });

  it('is subtracted before the price is normalized to a month', async () => {
    const owner = await newOwner();
    const couponId = await insertCoupon(context.db, owner.companyId, FIXED);
    await insertSubscriptions(owner, { amountCents: 12_300, interval: 'yearly' }, { couponId });
    expect(await revenueOf(owner)).toEqual(inReais(1, 1_000));
  });
});

it('revenue by plan is sorted by currency and highest revenue, with at most ten plans of a currency', async () => {
  const owner = await newOwner();
  await insertSubscriptions(owner, { amountCents: 60_000, interval: 'yearly' });
  await insertSubscriptions(owner, { amountCents: 2_000 }, {}, 3);
  await insertSubscriptions(owner, { amountCents: 9_000, currency: 'USD' });
  await insertSubscriptions(owner, { amountCents: 99_000 }, { status: 'paused' });
  const plans = await countRevenueByPlan(context.db, owner.companyId);
  expect(
    plans.map(({ currency, subscriptions, monthlyCents }) => [currency, subscriptions, monthlyCents]),
  ).toEqual([
    ['BRL', 3, 6_000],
    ['BRL', 1, 5_000],
    ['USD', 1, 9_000],
  ]);
  for (let plan = 1; plan <= 10; plan += 1) await insertSubscriptions(owner, { amountCents: 10_000 + plan });
  const topPlans = await countRevenueByPlan(context.db, owner.companyId);
  expect(topPlans.map(({ monthlyCents }) => monthlyCents)).toEqual([
    ...[10_010, 10_009, 10_008, 10_007, 10_006, 10_005, 10_004, 10_003, 10_002, 10_001],
    9_000,
  ]);
});
