import type { components } from '../../../src/http/generated/openapi';
import { insertCoupon } from '../../support/fixtures/recurring-rows';
import { expectStatus } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser, type CompanyWithUser } from '../../api/support/manual-resolution';
import { newPlan, subscriptionBody, TestSubscription } from './subscription-merchant';

/* Recurring revenue as real subscriptions move it. */

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi();
});
afterAll(() => api.stop());

type Month = components['schemas']['RecurringRevenueMonth'];

async function presentMonth({ byToken }: CompanyWithUser): Promise<Month> {
  const { currencies } = expectStatus(await byToken('getRecurringRevenue'), 200).body.data;
  const month = currencies.find(({ currency }) => currency === 'BRL')?.months.at(-1);
  if (month === undefined) throw new Error('BRL is always included');
  const { recurring_revenue: current } = expectStatus(await byToken('getDashboard'), 200).body.data;
  expect(month.end_amount).toBe(current.find(({ currency }) => currency === 'BRL')?.monthly_amount);
  return month;
}

const NOTHING = { new: 0, expansion: 0, contraction: 0, churned: 0, reactivated: 0 };

it('a subscription is new when it first pays, churned while it is paused, reactivated afterwards, and expands with a dearer plan', async () => {
  const company = await registerCompanyWithUser(api);
  const [silver, gold] = [
    await newPlan(company.byKey, { name: 'Silver', amount: 3_000, interval: 'monthly' }),
    await newPlan(company.byKey, { name: 'Gold', amount: 5_000, interval: 'monthly' }),
  ];
  expect(await presentMonth(company)).toMatchObject({ ...NOTHING, start_amount: 0, end_amount: 0 });
  const subscription = await TestSubscription.create(company.byKey, subscriptionBody(silver.id));
  expect(await presentMonth(company)).toMatchObject({ ...NOTHING, new: 3_000, end_amount: 3_000 });
  await subscription.command('pause');
  expect(await presentMonth(company)).toMatchObject({ new: 3_000, churned: -3_000, end_amount: 0 });
  await subscription.command('resume');
  await subscription.command('plan', { plan_id: gold.id });
  expect(await presentMonth(company)).toMatchObject({
    ...{ start_amount: 0, new: 3_000, churned: -3_000, reactivated: 3_000, expansion: 2_000 },
    end_amount: 5_000,
  });
  await subscription.command('cancel');
  expect(await presentMonth(company)).toMatchObject({ churned: -8_000, end_amount: 0 });
});

it('a trial has none, a renewal changes nothing, and the last discounted cycle of a coupon expands it', async () => {
  const company = await registerCompanyWithUser(api);
  const plan = await newPlan(company.byKey, { amount: 4_000, interval: 'monthly' });
  const { db } = api.engine.context;
  const discount = { discountType: 'percentage', discountValue: 50, maxCycles: 2 } as const;
  const couponId = await insertCoupon(db, company.companyId, discount);
  const [coupon] = await db.query<{ code: string }>('SELECT code FROM coupons WHERE id = $1', [couponId]);
  const body = { trial_period_days: 5, coupon_code: coupon?.code };
  const subscription = await TestSubscription.create(company.byKey, subscriptionBody(plan.id, body));
  expect(await presentMonth(company)).toMatchObject({ ...NOTHING, end_amount: 0 });
  await subscription.advanceDays(6);
  expect(await presentMonth(company)).toMatchObject({ ...NOTHING, new: 2_000, end_amount: 2_000 });
  await subscription.advanceDays(40);
  expect(await presentMonth(company)).toMatchObject({
    ...NOTHING,
    new: 2_000,
    expansion: 2_000,
    end_amount: 4_000,
  });
  await subscription.advanceDays(70);
  expect(await presentMonth(company)).toMatchObject({ new: 2_000, expansion: 2_000, end_amount: 4_000 });
});

it('only the last months since movements are recorded are returned, and those of another company never', async () => {
  const [company, other] = [await registerCompanyWithUser(api), await registerCompanyWithUser(api)];
  const plan = await newPlan(other.byKey, { amount: 4_000, interval: 'monthly' });
  await TestSubscription.create(other.byKey, subscriptionBody(plan.id));
  const { data } = expectStatus(
    await company.byToken('getRecurringRevenue', { query: { months: 36 } }),
    200,
  ).body;
  expect(data.currencies).toMatchObject([{ currency: 'BRL', months: [{ ...NOTHING, end_amount: 0 }] }]);
  expect(Date.parse(data.recorded_since)).toBeLessThan(Date.now());
});
