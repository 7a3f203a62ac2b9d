import { randomUUID } from 'node:crypto';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import {
  countRecurringRevenue,
  countRevenueByPlan,
} from '../../src/persistence/read-models/recurring-revenue';
import {
  insertCoupon,
  insertPlan,
  insertSubscription,
  type PlanRow,
  type SubscriptionRow,
} from '../support/fixtures/recurring-rows';
import { testConfig } from '../support/stack/test-config';

let parts: AppContext;
beforeAll(() => {
  parts = createAppContext(testConfig());
});
afterAll(async () => {
  await Promise.all([parts.db.close(), parts.temporal.connection.close()]);
});

interface Shop {
  readonly companyId: number;
  readonly customerId: number;
}

async function newShop(): Promise<Shop> {
  const name = randomUUID();
  const { id: companyId } = await parts.companies.insert({
    name: 'Loja',
    clientId: name,
    apiKeyHash: name,
  });
  const details = { name: 'Maria', email: 'maria@example.com', document: '52998224725' };
  const { id } = await parts.db.inTransaction((tx) => parts.customers.upsertCustomer(tx, companyId, details));
  return { companyId, customerId: id };
}

async function sell(
  shop: Shop,
  plan: Partial<PlanRow>,
  change: Partial<SubscriptionRow> = {},
  times = 1,
): Promise<void> {
  const planId = await insertPlan(parts.db, shop.companyId, plan);
  for (let time = 1; time <= times; time += 1)
    await insertSubscription(parts.db, { ...shop, planId, ...change });
}

const revenueOf = ({ companyId }: Shop) => countRecurringRevenue(parts.db, companyId);

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
  'spreads a %s price, every %i, of %i cents over months: %i',
  async (interval, intervalCount, amountCents, monthly) => {
    const shop = await newShop();
    await sell(shop, { interval, intervalCount, amountCents });
    expect(await revenueOf(shop)).toEqual(inReais(1, monthly));
  },
);

it('counts subscriptions that are active, and no others', async () => {
  const shop = await newShop();
  for (const status of ['pending', 'trialing', 'active', 'past_due', 'paused', 'canceled'])
    await sell(shop, { amountCents: 1_000 }, { status });
  await sell(await newShop(), { amountCents: 7_000 });
  expect(await revenueOf(shop)).toEqual(inReais(1, 1_000));
});

it('is nothing where nothing is sold', async () => {
  expect(await revenueOf(await newShop())).toEqual([]);
});

it('rounds a currency’s sum half up, not each price', async () => {
  const shop = await newShop();
  // 33 1/3 thrice, and 101 / 12 six times: 150.5 together.
  await sell(shop, { amountCents: 100, intervalCount: 3 }, {}, 3);
  await sell(shop, { amountCents: 101, interval: 'yearly' }, {}, 6);
  expect(await revenueOf(shop)).toEqual(inReais(9, 151));
});

it('tells currencies apart', async () => {
  const shop = await newShop();
  await sell(shop, { amountCents: 1_000, currency: 'USD' }, {}, 2);
  await sell(shop, { amountCents: 500 });
  expect(await revenueOf(shop)).toEqual([
    { currency: 'BRL', subscriptions: 1, monthlyCents: 500 },
    { currency: 'USD', subscriptions: 2, monthlyCents: 2_000 },
  ]);
});

describe('a coupon', () => {
  const PERCENTAGE = { discountType: 'percentage', discountValue: 25 } as const;
  const FIXED = { discountType: 'fixed', discountValue: 300 } as const;

  it.each([
    ['of 25% for ever', PERCENTAGE, 40, 1_498],
    ['of 25% with a cycle left', { ...PERCENTAGE, maxCycles: 3 }, 2, 1_498],
    ['of 25% that is used up', { ...PERCENTAGE, maxCycles: 3 }, 3, 1_998],
    ['of 3.00', FIXED, 0, 1_698],
    ['of 3.00 that is used up', { ...FIXED, maxCycles: 1 }, 1, 1_998],
    ['of more than the price', { ...FIXED, discountValue: 5_000 }, 0, 0],
    ['that leaves too little to be charged', { ...FIXED, discountValue: 1_899 }, 0, 0],
    ['that leaves just enough to be charged', { ...FIXED, discountValue: 1_898 }, 0, 100],
  ] as const)('%s', async (_, discount, couponCyclesUsed, monthlyCents) => {
    const shop = await newShop();
    const couponId = await insertCoupon(parts.db, shop.companyId, discount);
    await sell(shop, { amountCents: 1_998 }, { couponId, couponCyclesUsed });
    expect(await revenueOf(shop)).toEqual(inReais(1, monthlyCents));
  });

  it('is taken off before the price is spread over months', async () => {
    const shop = await newShop();
    const couponId = await insertCoupon(parts.db, shop.companyId, FIXED);
    await sell(shop, { amountCents: 12_300, interval: 'yearly' }, { couponId });
    expect(await revenueOf(shop)).toEqual(inReais(1, 1_000));
  });
});

it('tells the plans apart, the one that brings in most first, at most ten of a currency', async () => {
  const shop = await newShop();
  await sell(shop, { amountCents: 60_000, interval: 'yearly' });
  await sell(shop, { amountCents: 2_000 }, {}, 3);
  await sell(shop, { amountCents: 9_000, currency: 'USD' });
  await sell(shop, { amountCents: 99_000 }, { status: 'paused' });
  const found = await countRevenueByPlan(parts.db, shop.companyId);
  expect(
    found.map(({ currency, subscriptions, monthlyCents }) => [currency, subscriptions, monthlyCents]),
  ).toEqual([
    ['BRL', 3, 6_000],
    ['BRL', 1, 5_000],
    ['USD', 1, 9_000],
  ]);
  for (let plan = 1; plan <= 10; plan += 1) await sell(shop, { amountCents: 10_000 + plan });
  const most = await countRevenueByPlan(parts.db, shop.companyId);
  expect(most.map(({ monthlyCents }) => monthlyCents)).toEqual([
    ...[10_010, 10_009, 10_008, 10_007, 10_006, 10_005, 10_004, 10_003, 10_002, 10_001],
    9_000,
  ]);
});
