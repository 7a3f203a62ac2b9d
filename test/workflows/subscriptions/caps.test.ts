import { randomUUID } from 'node:crypto';
import type { components } from '../../../src/http/generated/openapi';
import { CheckoutVisit } from '../../api/checkout/checkout-buyer';
import { expectStatus } from '../../api/support/api-client';
import { registerWithGateways } from '../../api/support/engine-api';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { paymentRequest, rawCard } from '../../support/fixtures/payments';
import { GOOD_CARD, HARD_DECLINE_CARD, OTHER_GOOD_CARD, sendCommand } from './command-requests';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

/** Visa: fewer than 15 declines of a card and amount in 30 days. Mastercard: fewer than 7 of a card in 24 hours. */
const VISA_DECLINES = 14;
const MASTERCARD_DECLINES = 6;

/** Declined with 51, which no other gateway would approve. */
const VISA = rawCard('4000000000009995');
const MASTERCARD = rawCard('5100000000000024');

type Plan = components['schemas']['Plan'];

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  // This gateway verifies no cards, so that cards that are declined can begin trials.
  merchant = await startMerchant({}, ['gateway_5']);
});
afterAll(() => merchant.api.stop());

async function create(planId: string, card: object, change: object = {}, key: string = randomUUID()) {
  const body = subscriptionBody(planId, { card, ...change });
  return merchant.client('createSubscription', { body, headers: { 'Idempotency-Key': key } });
}

/** Retries a subscription whose first charge was declined until its card was declined that often. */
async function retryUntil(times: number, { id }: TestSubscription): Promise<void> {
  for (let declines = 1; declines < times; declines += 1) {
    expectStatus(await sendCommand(merchant.client, id, 'retry'), 200);
  }
}

/** How many charges of subscriptions of these amounts were sent to the gateway. */
async function chargesOf(amounts: readonly number[]): Promise<number> {
  const rows = await merchant.api.engine.context.db.query<{ id: string }>(
    'SELECT transaction_id AS id FROM payments WHERE amount_cents = ANY($1) AND subscription_id IS NOT NULL',
    [amounts],
  );
  const { simulator } = merchant.api.engine;
  const requests = await Promise.all(rows.map(({ id }) => simulator.requests(id)));
  return requests.flat().filter(({ operation }) => operation === 'charge').length;
}

const TOO_OFTEN = { errors: { card: [expect.stringContaining('declined too often')] } };
const NEVER = { errors: { card: [expect.stringContaining('must not be charged again')] } };

describe('a card whose declines have reached its network’s limit', () => {
  let plan: Plan;
  let subscription: TestSubscription;
  beforeAll(async () => {
    plan = await newPlan(merchant.client, { amount: uniqueAmount() });
    subscription = await TestSubscription.create(merchant.client, subscriptionBody(plan.id, { card: VISA }));
    await retryUntil(VISA_DECLINES, subscription);
  });

  it('is refused for a new subscription, at a checkout and on request, and nothing is sent', async () => {
    const { client, api } = merchant;
    const retry = expectStatus(await sendCommand(client, subscription.id, 'retry'), 409);
    expect(retry.body.message).toContain('declined too often');
    const key = randomUUID();
    expect(expectStatus(await create(plan.id, VISA, {}, key), 422).body).toMatchObject(TOO_OFTEN);
    const change = await sendCommand(client, subscription.id, 'card', { card: VISA });
    expect(expectStatus(change, 422).body).toMatchObject(TOO_OFTEN);
    const session = { type: 'subscription', amount: undefined, plan_id: plan.id };
    const visit = await CheckoutVisit.ofCompany(api, client, session);
    const customer = { name: 'Joana Lima', email: 'joana@example.com', document: '39053344705' };
    const atCheckout = await visit.payByCard(VISA.number ?? '', randomUUID(), { customer });
    const anotherCard = ['cannot be charged: use another card'];
    const publicWords = { errors: { card: anotherCard, 'card.number': anotherCard } };
    expect(expectStatus(atCheckout, 422).body).toMatchObject(publicWords);
    expect(await chargesOf([plan.amount])).toBe(VISA_DECLINES);
    // The key was not used up, and another card, a renewed one included, is free.
    expect(expectStatus(await create(plan.id, GOOD_CARD, {}, key), 201).body.data.status).toBe('active');
    expectStatus(await create(plan.id, { ...VISA, expire_year: 2036 }), 201);
  });

  it('neither stops nor counts one-off payments, and charges of another amount go on at Visa', async () => {
    const { client } = merchant;
    const other = await newPlan(client, { amount: uniqueAmount() });
    for (let times = 0; times < 2; times += 1) {
      const body = paymentRequest({ amount: plan.amount, card: VISA });
      expect(expectStatus(await client('createCardPayment', { body }), 200).body.status).toBe('failed');
    }
    expect(expectStatus(await create(other.id, VISA), 201).body.data.status).toBe('pending');
    expect(await chargesOf([other.amount])).toBe(1);
  });

  it('is not charged for a new cycle of another subscription until the limit allows it', async () => {
    const body = subscriptionBody(plan.id, { card: VISA, trial_period_days: 8 });
    const other = await TestSubscription.create(merchant.client, body);
    await other.advanceDays(9);
    const [cycle] = await other.cycles();
    expect(cycle).toMatchObject({ status: 'open', retry_count: 0, payments: [] });
    expect(cycle?.next_retry_at?.slice(0, 10)).toBe(other.dayAfter(30).slice(0, 10));
  });

  it('of Mastercard is refused for an upgrade and for any other amount', async () => {
    const { client, api } = merchant;
    const active = await TestSubscription.create(
      client,
      subscriptionBody(plan.id, { card: OTHER_GOOD_CARD }),
    );
    const declined = await newPlan(client, { amount: uniqueAmount() });
    const script = { amount: declined.amount, operation: 'charge' } as const;
    await api.engine.simulator.script(script, { decline: '51' }, 0);
    const pending = await TestSubscription.create(
      client,
      subscriptionBody(declined.id, { card: OTHER_GOOD_CARD }),
    );
    await retryUntil(MASTERCARD_DECLINES, pending);
    const dearer = await newPlan(client, { amount: plan.amount * 2 });
    const upgrade = await sendCommand(client, active.id, 'plan', { plan_id: dearer.id });
    expect(expectStatus(upgrade, 409).body.message).toContain('declined too often');
    expect(expectStatus(await create(dearer.id, OTHER_GOOD_CARD), 422).body).toMatchObject(TOO_OFTEN);
    expect(await active.current()).toMatchObject({ status: 'active', plan: { id: plan.id } });
  });
});

describe('each gateway that is tried for one charge', () => {
  it('counts as one more decline, so the last charge is tried at fewer gateways', async () => {
    const { api } = merchant;
    const client = await registerWithGateways(api, ['gateway_1', 'gateway_2', 'gateway_4']);
    const plan = await newPlan(client, { amount: uniqueAmount() });
    const script = { amount: plan.amount, operation: 'charge' } as const;
    await api.engine.simulator.script(script, { decline: '51' });
    await api.engine.simulator.script(script, { decline: '91' }, 0);
    const body = subscriptionBody(plan.id, { card: OTHER_GOOD_CARD });
    const { id } = await TestSubscription.create(client, body);
    expect(await chargesOf([plan.amount])).toBe(1);
    expectStatus(await sendCommand(client, id, 'retry'), 200);
    expect(await chargesOf([plan.amount])).toBe(4);
    expectStatus(await sendCommand(client, id, 'retry'), 200);
    expect(await chargesOf([plan.amount])).toBe(MASTERCARD_DECLINES);
    expectStatus(await sendCommand(client, id, 'retry'), 409);
  });
});

describe('a card that was never approved', () => {
  it.each([
    ['Visa, one amount', VISA, 1, 20, VISA_DECLINES],
    ['Mastercard, any amount', MASTERCARD, 10, 10, MASTERCARD_DECLINES],
  ])(
    '%s: subscriptions created at once never exceed the limit together',
    async (_, card, plans, times, most) => {
      const { client } = merchant;
      const offered = await Promise.all(
        Array.from({ length: plans }, () => newPlan(client, { amount: uniqueAmount() })),
      );
      const fresh = { ...card, expire_year: 2037 };
      const created = await Promise.all(
        Array.from({ length: times }, (__, index) => create(offered[index % plans]?.id ?? '', fresh)),
      );
      expect(created.map(({ status }) => status).every((status) => status === 201 || status === 422)).toBe(
        true,
      );
      expect(await chargesOf(offered.map(({ amount }) => amount))).toBe(most);
    },
  );
});

describe('a card that its network forbids to charge again', () => {
  it('is refused for a new subscription and a card change, and a renewal makes it past due without a charge', async () => {
    const { client } = merchant;
    const plan = await newPlan(client, { amount: uniqueAmount() });
    const body = subscriptionBody(plan.id, { card: HARD_DECLINE_CARD });
    const declined = await TestSubscription.create(client, body);
    expectStatus(await sendCommand(client, declined.id, 'retry'), 409);
    expect(expectStatus(await create(plan.id, HARD_DECLINE_CARD), 422).body).toMatchObject(NEVER);
    const change = await sendCommand(client, declined.id, 'card', { card: HARD_DECLINE_CARD });
    expect(expectStatus(change, 422).body).toMatchObject(NEVER);
    const trial = await TestSubscription.create(client, { ...body, trial_period_days: 40 });
    // Longer than all windows of limits: a prohibition does not end.
    expect(await trial.advanceDays(41)).toMatchObject({ status: 'past_due' });
    expect(await trial.log()).toEqual([
      '+0 created',
      '+0 trial_started',
      '+37 trial_ending',
      '+40 payment.failed',
      '+40 past_due',
    ]);
    expect((await trial.events()).slice(-2)).toMatchObject([
      { final: true, transaction_id: null, decline: null },
      { reason: 'hard_decline' },
    ]);
    expect(await chargesOf([plan.amount])).toBe(1);
    expectStatus(await sendCommand(client, trial.id, 'card', { card: GOOD_CARD }), 200);
    expect(await trial.current()).toMatchObject({ status: 'active' });
  });

  it('is refused with the same answer each time, also if the request waited for the charge that was declined', async () => {
    const { client, api } = merchant;
    const plan = await newPlan(client, { amount: uniqueAmount() });
    const { id } = await TestSubscription.create(client, subscriptionBody(plan.id, { card: VISA }));
    const script = { amount: plan.amount, operation: 'charge' } as const;
    await api.engine.simulator.script(script, { delay_ms: 1_000, decline: '41' });
    const retry = sendCommand(client, id, 'retry');
    const openCharge = `SELECT 1 FROM payments WHERE amount_cents = $1 AND status = 'processing'`;
    await waitFor(async () => (await api.engine.context.db.query(openCharge, [plan.amount])).length === 1);
    const key = randomUUID();
    const change = await sendCommand(client, id, 'card', { card: VISA }, key);
    expect(expectStatus(change, 422).body).toMatchObject(NEVER);
    expectStatus(await retry, 200);
    const again = await sendCommand(client, id, 'card', { card: VISA }, key);
    expect(expectStatus(again, 422).body).toMatchObject(NEVER);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await chargesOf([plan.amount])).toBe(2);
  });
});
