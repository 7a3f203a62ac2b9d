import { randomUUID } from 'node:crypto';
import { expectStatus } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { ask, GOOD_CARD, OTHER_GOOD_CARD, RUNS_DRY } from './command-requests';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionShop,
} from './subscription-merchant';

const AT_ONCE = 20;

let shop: SubscriptionShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.api.stop());

async function bodyOf(change: object = {}): Promise<ReturnType<typeof subscriptionBody>> {
  const plan = await newPlan(shop.client, { amount: uniqueAmount() });
  return subscriptionBody(plan.id, change);
}

const create = (body: object, key: string) =>
  shop.client('createSubscription', { body, headers: { 'Idempotency-Key': key } });

/** Charges that its gateway has received for a subscription. */
async function chargesSent(id: string): Promise<number> {
  const { parts, simulator } = shop.api.engine;
  const payments = await parts.db.query<{ id: string }>(
    'SELECT transaction_id AS id FROM payments WHERE subscription_id = $1',
    [id],
  );
  const requests = await Promise.all(payments.map((payment) => simulator.requests(payment.id)));
  return requests.flat().filter(({ operation }) => operation === 'charge').length;
}

/** Ends the workflow from outside, and takes it out of Temporal's memory. */
async function forgetWorkflow(id: string): Promise<void> {
  const { parts, config } = shop.api.engine;
  const { workflow, workflowService } = parts.temporal;
  const { namespace } = config.temporal;
  const workflowId = `subscription/${id}`;
  const { runId } = await workflow.getHandle(workflowId).describe();
  await workflow.getHandle(workflowId, runId).terminate('by a test');
  const execution = { workflowId, runId };
  await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: execution });
  await waitFor(
    () =>
      workflowService.describeWorkflowExecution({ namespace, execution }).then(
        () => false,
        () => true,
      ),
    { what: 'Temporal to have forgotten the workflow' },
  );
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

const isReplayed = ({ headers }: Answered): boolean => headers.get('idempotency-replayed') === 'true';

/** All of them the same, to the letter. */
function theOne(answers: readonly Answered[], status: number): unknown {
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
  const withoutRequestId = answers.map(({ body }) => {
    const { request_id: _each, ...answer } = body as { request_id?: string };
    return JSON.stringify(answer);
  });
  expect(new Set(withoutRequestId).size).toBe(1);
  return answers[0]?.body;
}

describe('the creation of a subscription', () => {
  it(`sent ${AT_ONCE} times at once with one key makes one, charges once, and gives one body`, async () => {
    const key = randomUUID();
    const body = await bodyOf();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => create(body, key)));
    const { data } = theOne(answers, 201) as { data: { id: string; status: string } };
    expect(data.status).toBe('active');
    const query = { plan_id: body.plan_id };
    expect(expectStatus(await shop.client('listSubscriptions', { query }), 200).body.meta.total).toBe(1);
    expect(await chargesSent(data.id)).toBe(1);
  });

  it('sent again after it is over, and after Temporal has forgotten it, gets the first answer', async () => {
    const key = randomUUID();
    const body = await bodyOf();
    const first = expectStatus(await create(body, key), 201);
    expect(isReplayed(first)).toBe(false);
    const { id } = first.body.data;
    expectStatus(await ask(shop.client, id, 'pause'), 200);
    const again = await create(body, key);
    expect(isReplayed(again)).toBe(true);
    await forgetWorkflow(id);
    const { cvv: _unsent, ...card } = body.card;
    const later = await create({ ...body, card: { ...card, cvv: '999' } }, key);
    theOne([first, again, later], 201);
    expect(await chargesSent(id)).toBe(1);
  });

  it('that is declined gives that answer again, and charges nothing more', async () => {
    const key = randomUUID();
    const body = await bodyOf({ card: { ...GOOD_CARD, number: '4000000000000002' } });
    const first = expectStatus(await create(body, key), 201);
    expect(first.body.data.status).toBe('pending');
    const again = await create(body, key);
    theOne([first, again], 201);
    expect(isReplayed(again)).toBe(true);
    expect(await chargesSent(first.body.data.id)).toBe(1);
  });

  it('with a trial gives its answer again after the trial was charged', async () => {
    const key = randomUUID();
    const body = await bodyOf({ trial_period_days: 2 });
    const subscription = await TestSubscription.create(shop.client, body, key);
    await subscription.liveTo(2);
    expect(expectStatus(await create(body, key), 201).body.data).toEqual(subscription.created);
  });

  it('with another body under the same key is 422, and makes nothing', async () => {
    const key = randomUUID();
    const body = await bodyOf();
    expectStatus(await create(body, key), 201);
    const other = await create({ ...body, billing_day: 3 }, key);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    const payment = await ask(shop.client, randomUUID(), 'pause', {}, key);
    expect(payment.status).toBe(404);
  });

  it('that is refused leaves the key free', async () => {
    const key = randomUUID();
    const body = await bodyOf();
    expectStatus(await create({ ...body, coupon_code: 'NOSUCHCOUPON' }, key), 422);
    expectStatus(await create({ ...body, plan_id: randomUUID() }, key), 422);
    expectStatus(await create(body, key), 201);
  });
});

describe('a command with a key', () => {
  const send = async (
    id: string,
    times: number,
    ...what: Parameters<typeof ask> extends [unknown, unknown, ...infer RecoverySchedule]
      ? RecoverySchedule
      : never
  ) => Promise.all(Array.from({ length: times }, () => ask(shop.client, id, ...what)));

  it('that charges for a plan change is carried out once, however often it is sent, also when its workflow is gone', async () => {
    const body = await bodyOf();
    const subscription = await TestSubscription.create(shop.client, body);
    const dearer = await newPlan(shop.client, { amount: uniqueAmount() * 2 });
    const key = randomUUID();
    const change = { plan_id: dearer.id };
    const answers = await send(subscription.id, 10, 'plan', change, key);
    theOne(answers, 200);
    expect(await chargesSent(subscription.id)).toBe(2);
    await forgetWorkflow(subscription.id);
    const [again] = await send(subscription.id, 1, 'plan', change, key);
    if (again === undefined) throw new Error('no answer');
    theOne([...answers, again], 200);
    expect(isReplayed(again)).toBe(true);
    expect(await chargesSent(subscription.id)).toBe(2);
    const told = (await subscription.events()).filter(({ event }) => event === 'subscription.plan_changed');
    expect(told).toHaveLength(1);
  });

  it('that changes the card of an unpaid cycle charges it once', async () => {
    const subscription = await TestSubscription.create(shop.client, await bodyOf({ card: RUNS_DRY }));
    await subscription.liveTo(7);
    const sent = await chargesSent(subscription.id);
    const answers = await send(subscription.id, 10, 'card', { card: OTHER_GOOD_CARD }, randomUUID());
    theOne(answers, 200);
    expect(await chargesSent(subscription.id)).toBe(sent + 1);
    expect(await subscription.now()).toMatchObject({ dunning: null, card: { last_4_digits: '4444' } });
  });

  it('that retries charges once, and gives its answer again after later charges', async () => {
    const subscription = await TestSubscription.create(shop.client, await bodyOf({ card: RUNS_DRY }));
    await subscription.liveTo(7);
    const sent = await chargesSent(subscription.id);
    const key = randomUUID();
    const answers = await send(subscription.id, 10, 'retry', undefined, key);
    theOne(answers, 200);
    expect(await chargesSent(subscription.id)).toBe(sent + 1);
    await subscription.liveTo(9);
    theOne([...answers, ...(await send(subscription.id, 1, 'retry', undefined, key))], 200);
    expect(await chargesSent(subscription.id)).toBe(sent + 2);
  });

  it('whose charge was declined is refused again with the same words, and charges nothing more', async () => {
    const subscription = await TestSubscription.create(shop.client, await bodyOf({ card: RUNS_DRY }));
    const dearer = await newPlan(shop.client, { amount: uniqueAmount() * 2 });
    const key = randomUUID();
    const change = { plan_id: dearer.id };
    const answers = await send(subscription.id, 5, 'plan', change, key);
    theOne(answers, 409);
    expectStatus(await ask(shop.client, subscription.id, 'card', { card: GOOD_CARD }), 200);
    const [again] = await send(subscription.id, 1, 'plan', change, key);
    if (again === undefined) throw new Error('no answer');
    theOne([...answers, again], 409);
    expect(isReplayed(again)).toBe(true);
    expect(await chargesSent(subscription.id)).toBe(2);
    expectStatus(await ask(shop.client, subscription.id, 'plan', change, randomUUID()), 200);
  });

  it('that its state forbids leaves the key free for when it is allowed', async () => {
    const subscription = await TestSubscription.create(shop.client, await bodyOf());
    const key = randomUUID();
    expectStatus(await ask(shop.client, subscription.id, 'resume', undefined, key), 409);
    expectStatus(await ask(shop.client, subscription.id, 'pause'), 200);
    expectStatus(await ask(shop.client, subscription.id, 'resume', undefined, key), 200);
  });

  it('for another subscription, or to do something else, is 422', async () => {
    const [one, two] = [
      await TestSubscription.create(shop.client, await bodyOf()),
      await TestSubscription.create(shop.client, await bodyOf()),
    ];
    const key = randomUUID();
    expectStatus(await ask(shop.client, one.id, 'pause', {}, key), 200);
    const others = [
      await ask(shop.client, two.id, 'pause', {}, key),
      await ask(shop.client, one.id, 'resume', undefined, key),
      await create(await bodyOf(), key),
    ];
    for (const other of others) {
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    }
    expect((await two.now()).status).toBe('active');
  });

  it('is answered when its workflow was ended from outside: a new run takes it up where the old one was', async () => {
    const subscription = await TestSubscription.create(shop.client, await bodyOf());
    await forgetWorkflow(subscription.id);
    expectStatus(await ask(shop.client, subscription.id, 'pause', {}, randomUUID()), 200);
    await forgetWorkflow(subscription.id);
    expectStatus(await ask(shop.client, subscription.id, 'resume', undefined, randomUUID()), 200);
    expect(await subscription.log()).toEqual([
      '+0 created',
      '+0 payment.success',
      '+0 activated',
      '+0 paused',
      '+0 resumed',
    ]);
  });
});
