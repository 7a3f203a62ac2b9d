import { createSubscriptionActivities } from '../../../activities/subscriptions/subscriptions';
import type { SubscriptionId } from '../../../src/domain/shared/ids';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../../api/support/api-client';
import { sendCommand, type CommandName } from './command-requests';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant({ SUBSCRIPTION_JITTER: '1800' });
});
afterAll(() => merchant.api.stop());

/** A subscription whose period has ended and whose renewal is delayed by jitter. */
async function subscriptionDue(): Promise<TestSubscription> {
  const plan = await newPlan(merchant.client);
  const subscription = await TestSubscription.create(merchant.client, subscriptionBody(plan.id));
  await waitFor(async () => (await subscription.current()).status === 'active');
  await merchant.api.engine.context.db.query('UPDATE subscriptions SET period_end = now() WHERE uuid = $1', [
    subscription.id,
  ]);
  return subscription;
}

async function countCharges({ id }: TestSubscription): Promise<number> {
  const rows = await merchant.api.engine.context.db.query(
    'SELECT 1 FROM payments WHERE subscription_id = $1',
    [id],
  );
  return rows.length;
}

describe('a command while a renewal is due and not charged yet', () => {
  it.each<[CommandName, object, string]>([
    ['cancel', {}, 'canceled'],
    ['cancel', { at_period_end: true }, 'canceled'],
    ['pause', {}, 'paused'],
  ])('%s %j takes effect before the renewal, and nothing is charged', async (command, body, status) => {
    const subscription = await subscriptionDue();
    expectStatus(await sendCommand(merchant.client, subscription.id, command, body), 200);
    await waitFor(async () => (await subscription.current()).status === status);
    expect(await countCharges(subscription)).toBe(1);
  });

  it('a change to a cheaper plan makes the renewal charge the cheaper price', async () => {
    const subscription = await subscriptionDue();
    const cheaper = await newPlan(merchant.client, { amount: 4_000 });
    expectStatus(await sendCommand(merchant.client, subscription.id, 'plan', { plan_id: cheaper.id }), 200);
    const [renewal] = await waitFor(async () => {
      const cycles = await subscription.cycles();
      return cycles.length === 2 && cycles.filter(({ number }) => number === 2);
    });
    expect(renewal).toMatchObject({ amount: 4_000 });
  });
});

describe('a command in the delay after paused_until', () => {
  it.each<[CommandName, object, string]>([
    ['pause', {}, 'paused'],
    ['cancel', { at_period_end: true }, 'canceled'],
  ])('%s takes effect before the resumed subscription is charged', async (command, body, status) => {
    const subscription = await subscriptionDue();
    expectStatus(await sendCommand(merchant.client, subscription.id, 'pause'), 200);
    await merchant.api.engine.context.db.query(
      'UPDATE subscriptions SET paused_until = now() WHERE uuid = $1',
      [subscription.id],
    );
    expectStatus(await sendCommand(merchant.client, subscription.id, command, body), 200);
    await waitFor(async () => (await subscription.current()).status === status);
    expect((await subscription.current()).paused_until).toBeNull();
    expect(await countCharges(subscription)).toBe(1);
  });
});

/** Stores a command five minutes ago, as an API process whose clock differs by `skew` does. */
async function store(
  { id }: TestSubscription,
  details: { readonly kind: string; readonly atPeriodEnd?: boolean },
  skew = '0 s',
) {
  await merchant.api.engine.context.db.query(
    `INSERT INTO subscription_commands
       (id, subscription_id, company_id, kind, details, status, requested_at, created_at, updated_at)
     SELECT uuidv7($4::interval), id, company_id, $2, $3, 'requested', at, at, at
       FROM subscriptions, LATERAL (SELECT now() - interval '5 minutes' AS at) t WHERE uuid = $1`,
    [id, details.kind, JSON.stringify(details), skew],
  );
}

/** A subscription without anything due, for whose commands no workflow was started. */
async function subscriptionAway(): Promise<TestSubscription> {
  const plan = await newPlan(merchant.client);
  const subscription = await TestSubscription.create(merchant.client, subscriptionBody(plan.id));
  await waitFor(async () => (await subscription.current()).status === 'active');
  await merchant.api.engine.context.db.query(
    "UPDATE subscriptions SET recover_after = now(), last_transition_at = now() - interval '1 hour' WHERE uuid = $1",
    [subscription.id],
  );
  return subscription;
}

describe('a command that was stored in time while workers were away', () => {
  it('precedes the end of the period that it is about', async () => {
    const subscription = await subscriptionAway();
    await merchant.api.engine.context.db.query(
      `UPDATE subscriptions SET cancel_at_period_end = true, period_end = now() - interval '1 minute' WHERE uuid = $1`,
      [subscription.id],
    );
    await store(subscription, { kind: 'uncancel' });
    await merchant.api.engine.sweeper.sweepOnce();
    await waitFor(async () => (await countCharges(subscription)) === 2);
    expect(await subscription.current()).toMatchObject({ status: 'active', cancel_at: null });
  });

  it('follows the commands that were stored before, although its id is older by the clock of its API process', async () => {
    const subscription = await subscriptionAway();
    await store(subscription, { kind: 'cancel', atPeriodEnd: true });
    await store(subscription, { kind: 'uncancel' }, '-1 min');
    await merchant.api.engine.sweeper.sweepOnce();
    await waitFor(async () => (await subscription.current()).pending_action === null);
    expect(await subscription.current()).toMatchObject({ status: 'active', cancel_at: null });
  });
});

it('a step that was repeated for hours, because the database was unavailable, begins its charge when it succeeds', async () => {
  const id = (await subscriptionDue()).id as SubscriptionId;
  const { context, deps } = merchant.api.engine;
  const begun = Date.now() - 2 * 3_600_000;
  const owner = 'SELECT company_id AS "companyId" FROM subscriptions WHERE uuid = $1';
  const companyId = (await context.db.queryOne<{ companyId: number }>(owner, [id]))?.companyId ?? 0;
  const input = { companyId, subscriptionId: id, now: begun, offsetMs: 0 };
  const step = await createSubscriptionActivities(deps).advanceSubscription(input);
  expect(step.events.join(' ')).toContain('payment.success');
  const billed = 'SELECT billed_at AS at FROM payments WHERE subscription_id = $1 ORDER BY id DESC LIMIT 1';
  const at = (await context.db.queryOne<{ at: Date }>(billed, [id]))?.at;
  expect(Math.abs(+(at ?? 0) - Date.now())).toBeLessThan(60_000);
});
