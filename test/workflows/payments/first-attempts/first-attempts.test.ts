import { randomUUID } from 'node:crypto';
import { FirstAttempts } from '../../../../src/application/payments/first-attempts';
import { createActivityDeps } from '../../../../src/composition/worker';
import { createPayments } from '../../../../src/composition/api-payments';
import { ProcessFirstTasks } from '../../../../src/composition/first-tasks';
import { addEndpoint } from '../../../support/fixtures/webhooks';
import { newCompany, rawCard } from '../../../support/fixtures/payments';
import { ledgerOf, pay, uniqueAmount, type PayResult } from '../../../support/scenarios/pay';
import { requestOperation } from '../../../support/scenarios/purchase';
import { eventTypesOf } from '../../../support/scenarios/runs';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { startWebhookReceiver } from '../../../support/stack/webhook-receiver';
import { waitFor } from '../../../support/stack/wait-for';
import { gatewayKey, paymentStatusKey } from '../../../../workflows/search-attributes';

/** Longer than the timeout of a first task, which is prolonged meanwhile. */
const SLOW_MS = 4_000;
/** The history of a payment that its first task settles: no activity is scheduled, and no update awaits the result. */
const EVENTS_OF_ONE_TASK = [
  'workflowExecutionStarted',
  'workflowTaskScheduled',
  'workflowTaskStarted',
  'workflowTaskCompleted',
  'markerRecorded',
  'upsertWorkflowSearchAttributes',
  'workflowExecutionCompleted',
];

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    GATEWAY_TIMEOUT: '8',
    ABSENCE_PROVEN_AFTER: '10',
    STUCK_AFTER: '12',
    PAYMENT_SYNC_TIMEOUT: '20',
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => engine.stop());

const eventsOf = ({ body }: PayResult) =>
  eventTypesOf(engine.context.temporal, `payment/${body.transaction_id}`);

async function expectOneCharge({ body }: PayResult, at: Engine = engine): Promise<void> {
  expect(await at.simulator.requests(body.transaction_id)).toHaveLength(1);
  expect(await ledgerOf(at, body)).toMatchObject({ captured: body.amount });
}

describe('the first attempt of a payment', () => {
  it('is made inside the first workflow task, and its caller gets the answer that a repeated request gets', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const paid = await pay(engine, company, {}, key);
    expect(paid).toMatchObject({ body: { status: 'approved' }, replayed: false });
    expect(await pay(engine, company, {}, key)).toEqual({ body: paid.body, replayed: true });
    expect(await eventsOf(paid)).toEqual(EVENTS_OF_ONE_TASK);
  });

  it('sends once although its gateway takes longer than the task, and answers its caller', async () => {
    const company = await newCompany(engine);
    const amount = uniqueAmount();
    await engine.simulator.script({ amount, operation: 'charge' }, { delay_ms: SLOW_MS });
    const paid = await pay(engine, company, { amount });
    expect(paid.body.status).toBe('approved');
    await expectOneCharge(paid);
  });

  it('is shown with its gateway in the workflow list, also if a callback made Temporal repeat its task', async () => {
    const company = await newCompany(engine);
    const amount = uniqueAmount();
    await engine.simulator.script({ amount, operation: 'charge' }, { delay_ms: 1_000 });
    const paying = pay(engine, company, { amount });
    const sent = await waitFor(() =>
      engine.context.db.queryOne<{ id: string }>(
        `SELECT p.transaction_id AS id FROM payments p JOIN gateway_attempts a ON a.payment_id = p.id
          WHERE p.company_id = $1 AND a.status = 'sent'`,
        [company.id],
      ),
    );
    const handle = engine.context.temporal.workflow.getHandle(`payment/${sent.id}`);
    await handle.signal('wake');
    const paid = await paying;
    await handle.result();
    const { typedSearchAttributes } = await handle.describe();
    expect(typedSearchAttributes.get(gatewayKey)).toBe('gateway_1');
    expect(typedSearchAttributes.get(paymentStatusKey)).toBe('approved');
    await expectOneCharge(paid);
  });

  it('is followed by an attempt of a worker at the next gateway after a decline', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway: 'gateway_1', amount }, { decline: '91' });
    const paid = await pay(engine, company, { amount });
    expect(paid.body).toMatchObject({ status: 'approved', attempts: 2 });
    expect(await engine.simulator.requests(paid.body.transaction_id)).toHaveLength(2);
    expect((await eventsOf(paid)).filter((type) => type === 'workflowTaskCompleted').length).toBeGreaterThan(
      1,
    );
  });

  it('answers a declined card at once', async () => {
    const paid = await pay(engine, await newCompany(engine), { card: rawCard('4000000000009995') });
    expect(paid.body).toMatchObject({ status: 'failed', code: 'declined' });
    expect(await eventsOf(paid)).toEqual(EVENTS_OF_ONE_TASK);
  });

  it('is made by any worker when this process makes as many as it can', async () => {
    const mostFirstAttempts = 2;
    const busy = await startEngine({}, { mostFirstAttempts });
    try {
      const company = await newCompany(busy);
      const amounts = Array.from({ length: 3 * mostFirstAttempts }, uniqueAmount);
      for (const amount of amounts)
        await busy.simulator.script({ amount, operation: 'charge' }, { delay_ms: 500 });
      const payments = await Promise.all(amounts.map((amount) => pay(busy, company, { amount })));
      expect(payments.map(({ body }) => body.status)).toEqual(amounts.map(() => 'approved'));
      for (const paid of payments) await expectOneCharge(paid, busy);
    } finally {
      await busy.stop();
    }
  });
});

describe('a refund of a payment whose workflow has ended', () => {
  it('is sent inside the first task of the next run, and its caller gets the answer that a repeated request gets', async () => {
    const company = await newCompany(engine);
    const { body } = await pay(engine, company);
    await engine.context.temporal.workflow.getHandle(`payment/${body.transaction_id}`).result();
    const key = randomUUID();
    const refunded = await requestOperation(engine, { company, body }, 'refund', { key });
    expect(refunded).toMatchObject({ status: 200, replayed: false, body: { status: 'refunded' } });
    expect(await requestOperation(engine, { company, body }, 'refund', { key })).toEqual({
      ...refunded,
      replayed: true,
    });
    expect(await engine.simulator.requests(body.transaction_id)).toHaveLength(2);
    expect(await eventsOf({ body, replayed: false })).toEqual(EVENTS_OF_ONE_TASK);
  });
});

describe('an answer that the database does not take', () => {
  function failToRecord(times: number): void {
    const record = jest.spyOn(engine.deps.idempotency, 'recordAnswer');
    for (let time = 1; time <= times; time += 1)
      record.mockRejectedValueOnce(new Error('the database is away'));
  }

  it('is recorded again inside the first task', async () => {
    failToRecord(2);
    const paid = await pay(engine, await newCompany(engine));
    expect(paid.body.status).toBe('approved');
    await expectOneCharge(paid);
    expect(await eventsOf(paid)).not.toContain('activityTaskScheduled');
  });

  it('is kept by the workflow until a regular activity has recorded it, also at a gateway without inquiries', async () => {
    failToRecord(5);
    const paid = await pay(engine, await newCompany(engine, ['gateway_3']));
    expect(paid.body.status).toBe('approved');
    await expectOneCharge(paid);
    expect(await eventsOf(paid)).toContain('activityTaskScheduled');
  });
});

describe('an API process', () => {
  /** One beside the engine's own worker, which runs no deliveries. */
  function startApi() {
    const { config, context } = engine;
    const firstAttempts = new FirstAttempts(() => firstTasks.paymentStarter(), 10);
    const log = { warn: () => undefined, error: () => undefined };
    const deps = {
      ...createActivityDeps(config, context, log, () => firstTasks.deliveryStarter()),
      callers: firstAttempts,
    };
    const firstTasks = new ProcessFirstTasks(config, context, deps, log);
    const payments = createPayments(config, context, () => undefined, { firstAttempts });
    const stop = async (): Promise<void> => {
      await firstTasks.stop();
      await deps.dispatchesSettled();
      await Promise.all([deps.http.close(), deps.safeFetch.close()]);
    };
    return { api: { ...engine, payments }, firstTasks, stop };
  }

  it('finishes the attempt in progress when it stops, answers its caller, and leaves later ones to others', async () => {
    const { api, firstTasks, stop } = startApi();
    const company = await newCompany(engine);
    const amount = uniqueAmount();
    await engine.simulator.script({ amount, operation: 'charge' }, { delay_ms: 1_000 });

    const paying = pay(api, company, { amount });
    await waitFor(() =>
      engine.context.db.queryOne('SELECT 1 FROM gateway_attempts WHERE company_id = $1', [company.id]),
    );
    await stop();
    const paid = await paying;
    expect(paid.body.status).toBe('approved');
    await expectOneCharge(paid);
    expect(await eventsOf(paid)).toEqual(EVENTS_OF_ONE_TASK);

    expect(firstTasks.paymentStarter()).toBeNull();
    expect((await pay(api, company)).body.status).toBe('approved');
  });

  it('delivers the events of the payments that it makes', async () => {
    const receiver = await startWebhookReceiver();
    const { api, stop } = startApi();
    const company = await newCompany(engine);
    await addEndpoint(engine, company, receiver.url);
    const { body } = await pay(api, company);
    await waitFor(() =>
      engine.context.db.queryOne(`SELECT 1 FROM webhook_deliveries WHERE id = $1 AND status = 'delivered'`, [
        body.webhook?.id,
      ]),
    );
    await stop();
    receiver.close();
  });
});
