import { DateTime } from 'luxon';
import { CYCLES_PER_RUN } from '../../../workflows/subscriptions/messages';
import { fetchRuns } from '../../support/scenarios/runs';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

/** What `upcoming` forecasts at most. */
const FORECAST = 60;
const MONTHS = FORECAST + 1;
/** History events of a run whose charges succeed. */
const MAX_EVENTS_PER_RUN = 60;

describe('five years of a monthly subscription', () => {
  let merchant: SubscriptionMerchant;

  beforeAll(async () => {
    merchant = await startMerchant();
  });

  afterAll(async () => {
    await merchant.api.stop();
  });

  it('are charged once per month on the forecast days, in workflow runs of constant size', async () => {
    const { client } = merchant;
    const plan = await newPlan(client, { interval: 'monthly', amount: 4_990 });
    const card = { number: '4111111111111111', holder_name: 'MARIA', expire_month: 12, cvv: '123' };
    const body = subscriptionBody(plan.id, { card: { ...card, expire_year: 2099 }, billing_day: 31 });
    const subscription = await TestSubscription.create(client, body);
    const forecast = await subscription.upcoming(FORECAST);
    const end = DateTime.fromISO(subscription.created.created_at).plus({ months: MONTHS });
    await subscription.advanceTo(end.toUTC().toISO() ?? '', { withinMs: 170_000 });

    const cycles = [...(await subscription.cycles(1)), ...(await subscription.cycles(2))];
    const numbers = cycles.map(({ number }) => number);
    expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
    expect(numbers.length).toBeGreaterThanOrEqual(MONTHS);
    expect(cycles.filter(({ status, payments }) => status !== 'paid' || payments.length !== 1)).toEqual([]);
    const charged = cycles.sort((a, b) => a.number - b.number).slice(1, FORECAST + 1);
    expect(charged.map(({ number, due_at, amount_charged }) => ({ number, due_at, amount_charged }))).toEqual(
      forecast.map(({ number, due_at, amount_charged }) => ({ number, due_at, amount_charged })),
    );

    const runs = await fetchRuns(merchant.api.engine.context.temporal, `subscription/${subscription.id}`);
    const sizes = runs.map(({ events }) => events?.length ?? 0);
    expect(runs.length).toBeGreaterThanOrEqual(Math.floor(MONTHS / CYCLES_PER_RUN));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_EVENTS_PER_RUN);
  }, 180_000);
});
