import { DateTime } from 'luxon';
import { expectStatus } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import { ask, GOOD_CARD, OTHER_GOOD_CARD, RUNS_DRY } from './command-requests';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionEvent,
  type SubscriptionShop,
} from './subscription-merchant';

let shop: SubscriptionShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.api.stop());

const BASE = [
  'event',
  'sequence',
  'subscription_id',
  'plan_id',
  'customer_id',
  'status',
  'amount',
  'currency',
  'interval',
  'interval_count',
  'billing_day',
  'next_billing_at',
  'current_period',
  'trial',
  'created_at',
  'occurred_at',
] as const;

/** What an event says beside what all of them say, and what it says of the subscription's state. */
function extras(events: readonly SubscriptionEvent[]): object[] {
  return events.map((event) => {
    for (const field of BASE) expect([event.event, field in event]).toEqual([event.event, true]);
    const { event: name, status } = event;
    const own = Object.entries(event).filter(([field]) => !(BASE as readonly string[]).includes(field));
    return { event: name.replace('subscription.', ''), status, ...Object.fromEntries(own) };
  });
}

/** Sequences without a gap, times that never go back, and no card number anywhere. */
function expectInOrder(events: readonly SubscriptionEvent[]): void {
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  const times = events.map(({ occurred_at: at }) => Date.parse(at));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(JSON.stringify(events)).not.toMatch(/41111111|\b\d{13,}\b/);
}

describe('what is told of a subscription', () => {
  it('has the fields of the specification for each event of a life that goes well', async () => {
    const { client } = shop;
    const plan = await newPlan(client, { trial_period_days: 7, interval: 'monthly', billing_day: null });
    const cheaper = await newPlan(client, { interval: 'monthly', amount: 4_990 });
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));
    const { id } = subscription;
    await subscription.liveTo(7);
    const paused_until = subscription.dayAfter(10);
    expectStatus(await ask(client, id, 'pause', { paused_until }), 200);
    await subscription.liveTo(10);
    expectStatus(await ask(client, id, 'plan', { plan_id: cheaper.id }), 200);
    await subscription.liveTo(42);
    expectStatus(await ask(client, id, 'cancel'), 200);

    const events = await subscription.events();
    expectInOrder(events);
    const [first, second] = await subscription.cycles();
    const trial_end = subscription.dayAfter(7);
    const change = { new_plan_id: cheaper.id, change_type: 'downgrade', immediately: false };
    expect(extras(events)).toEqual([
      { event: 'created', status: 'trialing' },
      { event: 'trial_started', status: 'trialing', trial_end },
      { event: 'trial_ending', status: 'trialing', trial_end },
      {
        event: 'payment.success',
        status: 'active',
        cycle_id: first?.id,
        amount_charged: 9_990,
        transaction_id: first?.payments[0],
      },
      { event: 'activated', status: 'active' },
      { event: 'paused', status: 'paused', paused_until },
      { event: 'resumed', status: 'active' },
      { event: 'plan_changed', status: 'active', ...change, executed: false },
      { event: 'plan_changed', status: 'active', ...change, executed: true },
      {
        event: 'payment.success',
        status: 'active',
        cycle_id: second?.id,
        amount_charged: 4_990,
        transaction_id: second?.payments[0],
      },
      { event: 'canceled', status: 'canceled', at_period_end: false },
    ]);
    const { created } = subscription;
    expect(events[0]).toMatchObject({
      subscription_id: id,
      plan_id: plan.id,
      customer_id: created.customer.id,
      amount: 9_990,
      currency: 'BRL',
      interval: 'monthly',
      interval_count: 1,
      billing_day: DateTime.fromISO(trial_end, { zone: 'America/Sao_Paulo' }).day,
      next_billing_at: trial_end,
      current_period: created.trial && { start: created.trial.start, end: created.trial.end },
      trial: created.trial,
      created_at: created.created_at,
      occurred_at: created.created_at,
    });
    expect(events.at(-1)).toMatchObject({ plan_id: cheaper.id, amount: 4_990, next_billing_at: null });
  });

  it('has them for each event of a life that goes badly', async () => {
    const { client } = shop;
    const plan = await newPlan(client, { amount: uniqueAmount() });
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id, { card: RUNS_DRY }));
    await subscription.liveTo(113);
    const events = (await subscription.events()).slice(3);
    const [, cycle] = await subscription.cycles();
    const cycle_id = cycle?.id;
    const failedAt = events[0]?.occurred_at ?? '';
    const retryAt = (days: number): string =>
      DateTime.fromISO(failedAt, { zone: 'America/Sao_Paulo' }).plus({ days }).toUTC().toISO() ?? '';
    const failures = [1, 4, 9, 16].flatMap((days, retry_count) => {
      const retry = { cycle_id, retry_count, next_retry_at: retryAt(days) };
      return [
        { event: 'payment.failed', status: 'active', ...retry, final: false },
        { event: 'payment.retry', status: 'active', ...retry },
      ];
    });
    expect(extras(events)).toEqual([
      ...failures,
      {
        event: 'payment.failed',
        status: 'past_due',
        cycle_id,
        retry_count: 4,
        next_retry_at: null,
        final: true,
      },
      { event: 'past_due', status: 'past_due', cycle_id, retry_count: 4, reason: 'retries_exhausted' },
      { event: 'canceled', status: 'canceled', at_period_end: false },
    ]);
    expectInOrder(await subscription.events());
    expect(await subscription.now()).toMatchObject({ cancel_reason: 'past_due', next_billing_at: null });
  });

  it('says of a card that it expires soon once, 30 days before its last month ends, and again of the next card', async () => {
    const { client } = shop;
    const plan = await newPlan(client, { interval: 'monthly' });
    const month = DateTime.now().setZone('America/Sao_Paulo').startOf('month');
    const lasts = (months: number): object => {
      const { month: expire_month, year: expire_year } = month.plus({ months });
      return { expire_month, expire_year };
    };
    const card = { ...GOOD_CARD, ...lasts(3) };
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id, { card }));
    const told = (months: number): string =>
      month
        .plus({ months: months + 1 })
        .minus({ days: 30 })
        .toUTC()
        .toISO() ?? '';
    await subscription.liveUntil(month.plus({ months: 3, days: 20 }).toUTC().toISO() ?? '');
    const next = { ...OTHER_GOOD_CARD, ...lasts(5) };
    expectStatus(await ask(client, subscription.id, 'card', { card: next }), 200);
    await subscription.liveUntil(month.plus({ months: 5, days: 20 }).toUTC().toISO() ?? '');
    const expiring = (await subscription.events()).filter(({ event }) => event.endsWith('card_expiring'));
    const shown = (last_4_digits: string, brand: string, months: number): object => ({
      last_4_digits,
      brand,
      expire_month: month.plus({ months }).toFormat('MM'),
      expire_year: month.plus({ months }).toFormat('yyyy'),
    });
    expect(expiring.map(({ card: about, occurred_at }) => [about, occurred_at])).toEqual([
      [shown('1111', 'visa', 3), told(3)],
      [shown('4444', 'mastercard', 5), told(5)],
    ]);
  });
});
