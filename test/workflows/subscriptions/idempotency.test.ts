import { randomUUID } from 'node:crypto';
import type { SubscriptionRequest } from '../../../src/application/subscriptions/subscription-request';
import { createSubscriptions } from '../../../src/composition/api-subscriptions';
import { toStart } from '../../../src/application/subscriptions/subscription-answer';
import { SubscriptionWorkflows } from '../../../src/temporal/subscriptions';
import { expectStatus } from '../../api/support/api-client';
import { withKeyReadBefore } from '../../support/scenarios/interleaving';
import { uniqueAmount } from '../../support/scenarios/pay';
import { deleteWorkflowRun } from '../../support/stack/delete-workflow-run';
import { sendCommand, GOOD_CARD, OTHER_GOOD_CARD, DECLINED_ON_RENEWAL_CARD } from './command-requests';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

const CONCURRENT_REQUESTS = 20;

const SILENT = { warn: () => undefined, error: () => undefined };

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant();
});
afterAll(() => merchant.api.stop());

async function bodyOf(change: object = {}): Promise<ReturnType<typeof subscriptionBody>> {
  const plan = await newPlan(merchant.client, { amount: uniqueAmount() });
  return subscriptionBody(plan.id, change);
}

const create = (body: object, key: string) =>
  merchant.client('createSubscription', { body, headers: { 'Idempotency-Key': key } });

/** Number of charges that the gateway received for a subscription. */
async function chargesSent(id: string): Promise<number> {
  const { context, simulator } = merchant.api.engine;
  const payments = await context.db.query<{ id: string }>(
    'SELECT transaction_id AS id FROM payments WHERE subscription_id = $1',
    [id],
  );
  const requests = await Promise.all(payments.map((payment) => simulator.requests(payment.id)));
  return requests.flat().filter(({ operation }) => operation === 'charge').length;
}

/** Terminates the workflow and deletes it from Temporal. */
async function deleteWorkflow(id: string): Promise<void> {
  const { engine } = merchant.api;
  const workflowId = `subscription/${id}`;
  await engine.context.temporal.workflow.getHandle(workflowId).terminate('by a test');
  await deleteWorkflowRun(engine, workflowId);
}

interface ReceivedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

const isReplayed = ({ headers }: ReceivedAnswer): boolean => headers.get('idempotency-replayed') === 'true';

/** Checks that all answers have that status and the same body, and returns it. */
function expectSameAnswer(answers: readonly ReceivedAnswer[], status: number): unknown {
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
  const withoutRequestId = answers.map(({ body }) => {
    const { request_id: _each, ...answer } = body as { request_id?: string };
    return JSON.stringify(answer);
  });
  expect(new Set(withoutRequestId).size).toBe(1);
  return answers[0]?.body;
}

describe('the creation of a subscription', () => {
  it(`creates one subscription and charges it once if it is sent ${CONCURRENT_REQUESTS} times at once with one key`, async () => {
    const key = randomUUID();
    const body = await bodyOf();
    const answers = await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, () => create(body, key)));
    const { data } = expectSameAnswer(answers, 201) as { data: { id: string; status: string } };
    expect(data.status).toBe('active');
    const query = { plan_id: body.plan_id };
    expect(expectStatus(await merchant.client('listSubscriptions', { query }), 200).body.meta.total).toBe(1);
    expect(await chargesSent(data.id)).toBe(1);
  });

  it('gets the first answer again after later changes and after its workflow was deleted', async () => {
    const key = randomUUID();
    const body = await bodyOf();
    const first = expectStatus(await create(body, key), 201);
    expect(isReplayed(first)).toBe(false);
    const { id } = first.body.data;
    expectStatus(await sendCommand(merchant.client, id, 'pause'), 200);
    const again = await create(body, key);
    expect(isReplayed(again)).toBe(true);
    await deleteWorkflow(id);
    const { cvv: _cvv, ...card } = body.card;
    const later = await create({ ...body, card: { ...card, cvv: '999' } }, key);
    expectSameAnswer([first, again, later], 201);
    expect(await chargesSent(id)).toBe(1);
  });

  it('gets the same answer again after a decline and charges nothing more', async () => {
    const key = randomUUID();
    const body = await bodyOf({ card: { ...GOOD_CARD, number: '4000000000000002' } });
    const first = expectStatus(await create(body, key), 201);
    expect(first.body.data.status).toBe('pending');
    const again = await create(body, key);
    expectSameAnswer([first, again], 201);
    expect(isReplayed(again)).toBe(true);
    expect(await chargesSent(first.body.data.id)).toBe(1);
  });

  it('with a trial gets the first answer again after the trial was charged', async () => {
    const key = randomUUID();
    const body = await bodyOf({ trial_period_days: 2 });
    const subscription = await TestSubscription.create(merchant.client, body, key);
    await subscription.advanceDays(2);
    expect(expectStatus(await create(body, key), 201).body.data).toEqual(subscription.created);
  });

  it('with another body under the same key is answered 422 and creates nothing', async () => {
    const key = randomUUID();
    const body = await bodyOf();
    expectStatus(await create(body, key), 201);
    const other = await create({ ...body, billing_day: 3 }, key);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    const payment = await sendCommand(merchant.client, randomUUID(), 'pause', {}, key);
    expect(payment.status).toBe(404);
  });

  it('that is refused does not claim the key', async () => {
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
    ...command: Parameters<typeof sendCommand> extends [unknown, unknown, ...infer Command] ? Command : never
  ) => Promise.all(Array.from({ length: times }, () => sendCommand(merchant.client, id, ...command)));

  it('that charges for a plan change is executed once, even after its workflow was deleted', async () => {
    const body = await bodyOf();
    const subscription = await TestSubscription.create(merchant.client, body);
    const dearer = await newPlan(merchant.client, { amount: uniqueAmount() * 2 });
    const key = randomUUID();
    const change = { plan_id: dearer.id };
    const answers = await send(subscription.id, 10, 'plan', change, key);
    expectSameAnswer(answers, 200);
    expect(await chargesSent(subscription.id)).toBe(2);
    await deleteWorkflow(subscription.id);
    const [again] = await send(subscription.id, 1, 'plan', change, key);
    if (again === undefined) throw new Error('no answer');
    expectSameAnswer([...answers, again], 200);
    expect(isReplayed(again)).toBe(true);
    expect(await chargesSent(subscription.id)).toBe(2);
    const changes = (await subscription.events()).filter(
      ({ event }) => event === 'subscription.plan_changed',
    );
    expect(changes).toHaveLength(1);
  });

  it('that changes the card of an unpaid cycle charges the cycle once', async () => {
    const subscription = await TestSubscription.create(
      merchant.client,
      await bodyOf({ card: DECLINED_ON_RENEWAL_CARD }),
    );
    await subscription.advanceDays(7);
    const sent = await chargesSent(subscription.id);
    const answers = await send(subscription.id, 10, 'card', { card: OTHER_GOOD_CARD }, randomUUID());
    expectSameAnswer(answers, 200);
    expect(await chargesSent(subscription.id)).toBe(sent + 1);
    expect(await subscription.current()).toMatchObject({ dunning: null, card: { last_4_digits: '4444' } });
  });

  it('that retries a charge charges once and gets the same answer after later charges', async () => {
    const subscription = await TestSubscription.create(
      merchant.client,
      await bodyOf({ card: DECLINED_ON_RENEWAL_CARD }),
    );
    await subscription.advanceDays(7);
    const sent = await chargesSent(subscription.id);
    const key = randomUUID();
    const answers = await send(subscription.id, 10, 'retry', undefined, key);
    expectSameAnswer(answers, 200);
    expect(await chargesSent(subscription.id)).toBe(sent + 1);
    await subscription.advanceDays(9);
    expectSameAnswer([...answers, ...(await send(subscription.id, 1, 'retry', undefined, key))], 200);
    expect(await chargesSent(subscription.id)).toBe(sent + 2);
  });

  it('whose charge was declined is refused again with the same answer and charges nothing more', async () => {
    const subscription = await TestSubscription.create(
      merchant.client,
      await bodyOf({ card: DECLINED_ON_RENEWAL_CARD }),
    );
    const dearer = await newPlan(merchant.client, { amount: uniqueAmount() * 2 });
    const key = randomUUID();
    const change = { plan_id: dearer.id };
    const answers = await send(subscription.id, 5, 'plan', change, key);
    expectSameAnswer(answers, 409);
    expectStatus(await sendCommand(merchant.client, subscription.id, 'card', { card: GOOD_CARD }), 200);
    const [again] = await send(subscription.id, 1, 'plan', change, key);
    if (again === undefined) throw new Error('no answer');
    expectSameAnswer([...answers, again], 409);
    expect(isReplayed(again)).toBe(true);
    expect(await chargesSent(subscription.id)).toBe(2);
    expectStatus(await sendCommand(merchant.client, subscription.id, 'plan', change, randomUUID()), 200);
  });

  it('that is refused because of the status does not claim the key', async () => {
    const subscription = await TestSubscription.create(merchant.client, await bodyOf());
    const key = randomUUID();
    expectStatus(await sendCommand(merchant.client, subscription.id, 'resume', undefined, key), 409);
    expectStatus(await sendCommand(merchant.client, subscription.id, 'pause'), 200);
    expectStatus(await sendCommand(merchant.client, subscription.id, 'resume', undefined, key), 200);
  });

  it('whose key was used for another subscription or command is answered 422', async () => {
    const [one, two] = [
      await TestSubscription.create(merchant.client, await bodyOf()),
      await TestSubscription.create(merchant.client, await bodyOf()),
    ];
    const key = randomUUID();
    expectStatus(await sendCommand(merchant.client, one.id, 'pause', {}, key), 200);
    const others = [
      await sendCommand(merchant.client, two.id, 'pause', {}, key),
      await sendCommand(merchant.client, one.id, 'resume', undefined, key),
      await create(await bodyOf(), key),
    ];
    for (const other of others) {
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    }
    expect((await two.current()).status).toBe('active');
  });

  it('is executed by a new workflow after the previous one was deleted', async () => {
    const subscription = await TestSubscription.create(merchant.client, await bodyOf());
    await deleteWorkflow(subscription.id);
    expectStatus(await sendCommand(merchant.client, subscription.id, 'pause', {}, randomUUID()), 200);
    await deleteWorkflow(subscription.id);
    expectStatus(await sendCommand(merchant.client, subscription.id, 'resume', undefined, randomUUID()), 200);
    expect(await subscription.log()).toEqual([
      '+0 created',
      '+0 payment.success',
      '+0 activated',
      '+0 paused',
      '+0 resumed',
    ]);
  });
});

describe('a repeated creation whose answer is recorded after it read its key', () => {
  /** Creates the subscription as an API process that hears this from Temporal. */
  async function execute(
    request: SubscriptionRequest,
    idempotencyKey: string,
    wait: () => Promise<void>,
    context = merchant.api.engine.context,
  ) {
    const row = await context.db.queryOne<{ clientId: string }>(
      'SELECT client_id AS "clientId" FROM companies c JOIN plans p ON p.company_id = c.id WHERE p.uuid = $1',
      [request.plan_id],
    );
    const keys = await context.companies.findByClientId(row?.clientId ?? '');
    if (keys === null) throw new Error('no company');
    const workflows = { awaitCharge: wait, awaitCommand: wait, wake: wait };
    const { createSubscription } = createSubscriptions(
      merchant.api.engine.config,
      context,
      SILENT,
      workflows,
    );
    return createSubscription.execute({ ...keys, idempotencyKey, request, receivedAt: new Date() });
  }

  it.each([
    ['the first time', 1, () => Promise.reject(new Error('Temporal is down'))],
    ['again, after it waited in vain', 2, () => Promise.resolve()],
  ] as const)(
    'gets that answer, and not the subscription as it was paused meanwhile, if it read the key %s',
    async (_when, nth, wait) => {
      const key = randomUUID();
      const request = (await bodyOf()) as SubscriptionRequest;
      const created = await execute(request, key, () => Promise.resolve());
      if (created.kind !== 'subscription') throw new Error('already answered');
      const { uuid } = created.subscription.row;
      const chargeAndPause = async (): Promise<void> => {
        const { config, context } = merchant.api.engine;
        const workflows = new SubscriptionWorkflows(context.temporal, config.temporal.taskQueue);
        await workflows.awaitCharge(toStart(created.subscription), new Date(Date.now() + 10_000));
        expectStatus(await sendCommand(merchant.client, uuid, 'pause'), 200);
      };
      const context = withKeyReadBefore(merchant.api.engine.context, nth, chargeAndPause);
      const answer = await execute(request, key, wait, context);
      expect(answer).toMatchObject({ kind: 'recorded', body: { data: { id: uuid, status: 'active' } } });
    },
  );
});
