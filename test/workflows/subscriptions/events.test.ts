import { DateTime } from 'luxon';
import { expectStatus } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import { sendCommand, GOOD_CARD, OTHER_GOOD_CARD, DECLINED_ON_RENEWAL_CARD } from './command-requests';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionEventBody,
  type SubscriptionMerchant,
} from './subscription-merchant';

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant();
});
afterAll(() => merchant.api.stop());

const BASE = [
  'event',
  'event_id',
  'mode',
  'subject',
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
  'credit_balance',
  'created_at',
  'occurred_at',
] as const;

/** The status and the fields that are specific to each event; checks that the common fields exist. */
function extras(events: readonly SubscriptionEventBody[]): object[] {
  return events.map((event) => {
    for (const field of BASE) expect([event.event, field in event]).toEqual([event.event, true]);
    const { event: name, status } = event;
    const own = Object.entries(event).filter(([field]) => !(BASE as readonly string[]).includes(field));
    return { event: name.replace('subscription.', ''), status, ...Object.fromEntries(own) };
  });
}

/** Each event is about the subscription, sequences have no gaps, times never go back, and no card number appears. */
function expectInOrder(events: readonly SubscriptionEventBody[]): void {
  for (const { subject, subscription_id: id } of events)
    expect(subject).toEqual({ type: 'subscription', id });
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  const times = events.map(({ occurred_at: at }) => Date.parse(at));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(JSON.stringify(events)).not.toMatch(/41111111|\b\d{13,}\b/);
}

describe('subscription events', () => {
  it('have the specified fields for each event of a subscription whose charges succeed', async () => {
    const { client } = merchant;
    const plan = await newPlan(client, { trial_period_days: 7, interval: 'monthly', billing_day: null });
    const cheaper = await newPlan(client, { interval: 'monthly', amount: 4_990 });
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));
    const { id } = subscription;
    await subscription.advanceDays(7);
    const paused_until = subscription.dayAfter(10);
    expectStatus(await sendCommand(client, id, 'pause', { paused_until }), 200);
    await subscription.advanceDays(10);
    expectStatus(await sendCommand(client, id, 'plan', { plan_id: cheaper.id }), 200);
    await subscription.advanceDays(42);
    expectStatus(await sendCommand(client, id, 'cancel'), 200);

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
        kind: 'regular',
        plan_amount: 9_990,
        amount_charged: 9_990,
        credit_applied: 0,
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
        kind: 'regular',
        plan_amount: 4_990,
        amount_charged: 4_990,
        credit_applied: 0,
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

  it('have the specified fields for each event of a subscription whose charges are declined', async () => {
    const { client } = merchant;
    const plan = await newPlan(client, { amount: uniqueAmount() });
    const subscription = await TestSubscription.create(
      client,
      subscriptionBody(plan.id, { card: DECLINED_ON_RENEWAL_CARD }),
    );
    await subscription.advanceDays(113);
    const events = (await subscription.events()).slice(3);
    const [, cycle] = await subscription.cycles();
    const cycle_id = cycle?.id;
    const failedAt = events[0]?.occurred_at ?? '';
    const retryAt = (days: number): string =>
      DateTime.fromISO(failedAt, { zone: 'America/Sao_Paulo' }).plus({ days }).toUTC().toISO() ?? '';
    const declined = (payment: number): object => ({
      kind: 'regular',
      transaction_id: cycle?.payments[payment],
      decline: { code: '51', type: 'soft', message: 'insufficient funds' },
    });
    const failures = [1, 4, 9, 16].flatMap((days, retry_count) => {
      const retry = { cycle_id, retry_count, next_retry_at: retryAt(days) };
      return [
        { event: 'payment.failed', status: 'active', ...retry, ...declined(retry_count), final: false },
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
        ...declined(4),
        final: true,
      },
      { event: 'past_due', status: 'past_due', cycle_id, retry_count: 4, reason: 'retries_exhausted' },
      { event: 'canceled', status: 'canceled', at_period_end: false },
    ]);
    expectInOrder(await subscription.events());
    expect(await subscription.current()).toMatchObject({ cancel_reason: 'past_due', next_billing_at: null });
  });

  it('have the specified fields for each command that the events of its effects do not show', async () => {
    const { client } = merchant;
    const plan = await newPlan(client);
    const cheaper = await newPlan(client, { amount: 4_990 });
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));
    const { id } = subscription;
    const send = async (command: Parameters<typeof sendCommand>[2], body?: object): Promise<void> => {
      expectStatus(await sendCommand(client, id, command, body), 200);
    };
    await send('plan', { plan_id: cheaper.id });
    await send('cancel', { at_period_end: true });
    expect(await subscription.current()).toMatchObject({ new_plan_id: null, plan_change_at: null });
    await send('uncancel');
    expect(await subscription.current()).toMatchObject({ new_plan_id: cheaper.id });
    await send('plan', { plan_id: plan.id });
    await send('card', { card: OTHER_GOOD_CARD });
    const change = { new_plan_id: cheaper.id, change_type: 'downgrade' };
    const { card } = await subscription.current();
    expect(card).toMatchObject({ brand: 'mastercard' });
    expect(extras((await subscription.events()).slice(3))).toEqual([
      { event: 'plan_changed', status: 'active', ...change, immediately: false, executed: false },
      { event: 'cancel_scheduled', status: 'active', cancel_at: subscription.dayAfter(7) },
      { event: 'uncanceled', status: 'active' },
      { event: 'plan_change_withdrawn', status: 'active', ...change },
      { event: 'card_changed', status: 'active', card },
    ]);
  });

  it('announce once per card, 30 days before its last month ends, that the card expires', async () => {
    const { client } = merchant;
    const plan = await newPlan(client, { interval: 'monthly' });
    const month = DateTime.now().setZone('America/Sao_Paulo').startOf('month');
    const expiresIn = (months: number): object => {
      const { month: expire_month, year: expire_year } = month.plus({ months });
      return { expire_month, expire_year };
    };
    const card = { ...GOOD_CARD, ...expiresIn(3) };
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id, { card }));
    const announcedAt = (months: number): string =>
      month
        .plus({ months: months + 1 })
        .minus({ days: 30 })
        .toUTC()
        .toISO() ?? '';
    await subscription.advanceTo(month.plus({ months: 3, days: 20 }).toUTC().toISO() ?? '');
    const next = { ...OTHER_GOOD_CARD, ...expiresIn(5) };
    expectStatus(await sendCommand(client, subscription.id, 'card', { card: next }), 200);
    await subscription.advanceTo(month.plus({ months: 5, days: 20 }).toUTC().toISO() ?? '');
    const expiring = (await subscription.events()).filter(({ event }) => event.endsWith('card_expiring'));
    const shown = (last_4_digits: string, brand: string, months: number): object => ({
      last_4_digits,
      brand,
      expire_month: month.plus({ months }).toFormat('MM'),
      expire_year: month.plus({ months }).toFormat('yyyy'),
    });
    expect(expiring.map(({ card: shownCard, occurred_at }) => [shownCard, occurred_at])).toEqual([
      [shown('1111', 'visa', 3), announcedAt(3)],
      [shown('4444', 'mastercard', 5), announcedAt(5)],
    ]);
  });
});
