import { DateTime } from 'luxon';
import { expectStatus } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import { sendCommand, DECLINED_ON_RENEWAL_CARD, GOOD_CARD, OTHER_GOOD_CARD } from './command-requests';
import { findViolations } from './reconciliation';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

const ZONE = 'America/Sao_Paulo';

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant();
});
afterAll(() => merchant.api.stop());

describe('a charge that begins after the period of its cycle has ended', () => {
  it('buys a part of a month at the price of its length, until the requested billing day', async () => {
    const { client, api } = merchant;
    const now = DateTime.now().setZone(ZONE);
    const trialEnd = now.plus({ days: 1 });
    const billingDay = trialEnd.plus({ days: 1 }).day;
    const plan = await newPlan(client, { amount: 10_007, interval: 'monthly' });
    const body = subscriptionBody(plan.id, { trial_period_days: 1, billing_day: billingDay });
    const subscription = await TestSubscription.create(client, body);
    const [part] = await subscription.upcoming(1);
    await api.engine.simulator.script(
      { amount: part?.amount_charged ?? 0, operation: 'charge' },
      { decline: '41' },
    );
    expect(await subscription.advanceDays(20)).toMatchObject({ status: 'past_due' });

    expectStatus(await sendCommand(client, subscription.id, 'card', { card: OTHER_GOOD_CARD }), 200);
    const { current_period: period, status } = await subscription.current();
    expect(status).toBe('active');
    const [start, end] = [period?.start ?? '', period?.end ?? ''].map((at) =>
      DateTime.fromISO(at, { zone: ZONE }).startOf('day'),
    ) as [DateTime, DateTime];
    expect(end.day).toBe(Math.min(billingDay, end.daysInMonth ?? 0));
    const month = end.minus({ months: 1 });
    const before = month.set({ day: Math.min(billingDay, month.daysInMonth ?? 0) });
    const days = (from: DateTime): number => Math.round(end.diff(from, 'days').days);
    const price = Math.round((10_007 * days(start)) / days(before));
    expect((await subscription.cycles()).at(-1)).toMatchObject({
      number: 1,
      status: 'paid',
      amount: price,
      amount_charged: price,
    });
    expect(await subscription.upcoming(1)).toMatchObject([{ amount: 10_007, due_at: period?.end }]);
    expect(await findViolations(merchant, subscription)).toEqual([]);
  });

  it('costs the plan of a downgrade that was planned for the end of the period', async () => {
    const { client } = merchant;
    const amount = 2 * uniqueAmount();
    const plan = await newPlan(client, { amount });
    const cheaper = await newPlan(client, { amount: amount / 2 });
    const body = subscriptionBody(plan.id, { card: DECLINED_ON_RENEWAL_CARD });
    const subscription = await TestSubscription.create(client, body);
    await subscription.advanceDays(7);
    expectStatus(await sendCommand(client, subscription.id, 'plan', { plan_id: cheaper.id }), 200);
    await subscription.advanceDays(40);
    expectStatus(await sendCommand(client, subscription.id, 'card', { card: GOOD_CARD }), 200);
    const present = await subscription.current();
    expect(present).toMatchObject({ status: 'active', plan: { id: cheaper.id }, new_plan_id: null });
    const cycle = (await subscription.cycles()).at(-1);
    expect(cycle).toMatchObject({ number: 2, status: 'paid', amount_charged: amount / 2 });
    expect(present.current_period).toEqual(cycle?.period);
    expect(await findViolations(merchant, subscription)).toEqual([]);
  });

  it('costs the plan of an upgrade that was free because the period had ended', async () => {
    const { client } = merchant;
    const amount = uniqueAmount();
    const plan = await newPlan(client, { amount });
    const dearer = await newPlan(client, { amount: 3 * amount });
    const body = subscriptionBody(plan.id, { card: DECLINED_ON_RENEWAL_CARD });
    const subscription = await TestSubscription.create(client, body);
    await subscription.advanceDays(15);
    expectStatus(await sendCommand(client, subscription.id, 'plan', { plan_id: dearer.id }), 200);
    expectStatus(await sendCommand(client, subscription.id, 'card', { card: GOOD_CARD }), 200);
    expect(await subscription.cycles()).toMatchObject([
      { number: 1, amount_charged: amount },
      { number: 2, status: 'paid', amount_charged: 3 * amount },
    ]);
    expect(await findViolations(merchant, subscription)).toEqual([]);
  });
});
