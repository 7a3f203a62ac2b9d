import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/common';
import { expectStatus } from '../../api/support/api-client';
import { registerWithGateways } from '../../api/support/engine-api';
import { uniqueAmount } from '../../support/scenarios/pay';
import { fetchRuns } from '../../support/scenarios/runs';
import { recordStatements, type SentStatements } from '../../support/stack/statements';
import { waitFor } from '../../support/stack/wait-for';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant({ SUBSCRIPTION_JITTER: '0.001' });
});
afterAll(() => merchant.api.stop());

/** Until the workflow has read the new date; then the timer fires. */
const LEAD_MS = 3_000;

/** A subscription whose trial ends soon, and whose workflow sleeps until then. */
async function dueSoon(client = merchant.client): Promise<TestSubscription> {
  const { api } = merchant;
  const plan = await newPlan(client, { amount: uniqueAmount(), trial_period_days: 2 });
  const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));
  const { db } = api.engine.context;
  const isAsleep = `SELECT 1 FROM subscriptions WHERE uuid = $1 AND recover_after > now() + interval '1 minute'`;
  const untilAsleep = () =>
    waitFor(() => db.queryOne(isAsleep, [subscription.id]), { what: 'its workflow to sleep', everyMs: 20 });
  await untilAsleep();
  await db.query(
    `UPDATE subscriptions SET trial_end = due, period_end = due, starts_at = due, due_at = due, recover_after = now(),
            trial_ending_notified = true, card_expiring_notified = true
       FROM (SELECT now() + $2 * interval '1 ms' AS due) AS dates WHERE uuid = $1`,
    [subscription.id, LEAD_MS],
  );
  await api.engine.sweeper.sweepOnce();
  await untilAsleep();
  return subscription;
}

/** What the renewal of a subscription sends to Postgres, from its timer to the workflow's next sleep. */
async function renewal(): Promise<SentStatements & { readonly events: number }> {
  const { temporal, db } = merchant.api.engine.context;
  const { id } = await dueSoon();
  const handle = temporal.workflow.getHandle(`subscription/${id}`);
  const sent = await recordStatements(() =>
    waitFor(
      async () => {
        const { searchAttributes } = await handle.describe();
        return String(searchAttributes['SubscriptionStatus']) === 'active';
      },
      { what: 'its renewal', withinMs: 20_000 },
    ),
  );
  const charged = 'SELECT transaction_id AS id FROM payments WHERE subscription_id = $1';
  const payments = await db.query<{ id: string }>(charged, [id]);
  expect(payments).toHaveLength(1);
  return { ...sent, events: await countEvents(id) };
}

/** Those since the last timer of its workflow. */
async function countEvents(id: string): Promise<number> {
  const runs = await fetchRuns(merchant.api.engine.context.temporal, `subscription/${id}`);
  const events = runs.flatMap((run) => run.events ?? []);
  const fired = events.findLastIndex((event) => event.timerFiredEventAttributes);
  return events.length - fired;
}

describe('a renewal that is approved at once', () => {
  it('needs at most 35 statements in at most five commits, and seven history events', async () => {
    const { statements, commits, events } = await renewal();
    expect(statements.length).toBeLessThanOrEqual(35);
    expect(commits).toBeLessThanOrEqual(5);
    expect(events).toBeLessThanOrEqual(7);
  });
});

async function untilRenewed(subscription: TestSubscription): Promise<string> {
  const isActive = async (): Promise<boolean> => (await subscription.current()).status === 'active';
  await waitFor(isActive, { what: 'its renewal', withinMs: 30_000 });
  const paid = `SELECT transaction_id AS id FROM payments WHERE subscription_id = $1 AND status = 'approved'`;
  const payments = await merchant.api.engine.context.db.query<{ id: string }>(paid, [subscription.id]);
  expect(payments).toHaveLength(1);
  const { totals } = await merchant.api.engine.simulator.ledger(payments[0]?.id ?? '');
  expect(totals.captured).toBeGreaterThan(0);
  return payments[0]?.id ?? '';
}

/** The types of the activities that the payment's workflow has scheduled, each once; null if it never ran. */
async function activitiesOf(transactionId: string): Promise<string[] | null> {
  const handle = merchant.api.engine.context.temporal.workflow.getHandle(`payment/${transactionId}`);
  try {
    await handle.describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
  const { events } = await handle.fetchHistory();
  const types = (events ?? []).map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name);
  return [...new Set(types.filter((type) => typeof type === 'string'))];
}

describe('the payment of a renewal', () => {
  afterEach(() => jest.restoreAllMocks());

  it('has no workflow while nothing is left to do, and gets one for a refund', async () => {
    const id = await untilRenewed(await dueSoon());
    expect(await activitiesOf(id)).toBeNull();
    const refund = { params: { id }, headers: { 'Idempotency-Key': randomUUID() }, body: {} };
    expectStatus(await merchant.client('refundPayment', refund), 200);
    expect(await activitiesOf(id)).not.toBeNull();
  });

  it('is charged by its workflow if too many charges are made in steps', async () => {
    jest.spyOn(merchant.api.engine.deps.chargeSlots, 'acquire').mockResolvedValue(null);
    expect(await activitiesOf(await untilRenewed(await dueSoon()))).toEqual(['attemptPayment']);
  });

  it('is charged by its workflow if the database fails before anything is sent', async () => {
    const subscription = await dueSoon();
    const { attempts } = merchant.api.engine.deps;
    jest.spyOn(attempts, 'insertAndRead').mockRejectedValueOnce(new Error('the database is away'));
    expect(await activitiesOf(await untilRenewed(subscription))).toEqual(['attemptPayment']);
  });

  it('goes on in its workflow if the first gateway declines and another one may approve', async () => {
    const client = await registerWithGateways(merchant.api, ['gateway_1', 'gateway_2']);
    const subscription = await dueSoon(client);
    const { amount } = subscription.created.plan;
    const decline = { amount, operation: 'charge', gateway: 'gateway_1' } as const;
    await merchant.api.engine.simulator.script(decline, { decline: '91' });
    expect(await activitiesOf(await untilRenewed(subscription))).toEqual(['attemptPayment']);
  });

  it('keeps an answer in its workflow that the database does not take, also at a gateway without inquiries', async () => {
    const subscription = await dueSoon(await registerWithGateways(merchant.api, ['gateway_3']));
    const record = jest.spyOn(merchant.api.engine.deps.idempotency, 'recordAnswer');
    for (let time = 1; time <= 5; time += 1) record.mockRejectedValueOnce(new Error('the database is away'));
    expect(await activitiesOf(await untilRenewed(subscription))).toEqual(['recordAnswer']);
  });
});

describe('a subscription whose run began in an older version', () => {
  it('continues as new after its next cycle, and then after several', async () => {
    const { client, api } = merchant;
    const { workflow } = api.engine.context.temporal;
    const plan = await newPlan(client, { amount: uniqueAmount(), trial_period_days: 2 });
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));
    const handle = workflow.getHandle(`subscription/${subscription.id}`);
    const { taskQueue } = await handle.describe();
    const company = 'SELECT company_id AS "companyId" FROM subscriptions WHERE uuid = $1';
    const owner = await api.engine.context.db.queryOne<{ companyId: number }>(company, [subscription.id]);
    await handle.terminate('by a test');
    const args = [{ ...owner, subscriptionId: subscription.id }];
    const { firstExecutionRunId } = await workflow.start('subscription', {
      workflowId: handle.workflowId,
      taskQueue,
      args,
    });
    await subscription.advanceDays(24);
    expect(await subscription.cycles()).toHaveLength(4);
    // The first run ends when no request waits for it any more.
    const runs = () => fetchRuns(api.engine.context.temporal, handle.workflowId, firstExecutionRunId);
    await waitFor(async () => (await runs()).length > 1, { what: 'the next run', withinMs: 30_000 });
    expect(await runs()).toHaveLength(2);
  });
});
