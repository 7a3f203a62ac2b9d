import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { startEngine, type Engine } from '../../support/stack/engine';
import { startOwnTemporal } from '../../support/stack/own-temporal';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  requestOperation,
  waitForPayment,
  deleteWorkflow,
  reloadPurchase,
  purchase,
  advanceClockBy,
  signalWorkflow,
  type Purchase,
} from '../../support/scenarios/purchase';
import { waitFor } from '../../support/stack/wait-for';

let engine: Engine;
let company: AuthenticatedCompany;
beforeAll(async () => {
  engine = await startEngine();
  company = await newCompany(engine);
});
/** Stops what the tests have started, last first, even after a failure. */
const started: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const stop of started.reverse()) await stop();
  await engine.stop();
});

async function startAnother(settings: Record<string, string>): Promise<Engine> {
  const another = await startEngine(settings);
  started.push(() => another.stop());
  return another;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const handleOf = ({ body }: Purchase, { context } = engine) =>
  context.temporal.workflow.getHandle(`payment/${body.transaction_id}`);

describe('a waiting payment', () => {
  it('it keeps its clock and due instants when the workflow continues as new', async () => {
    // Temporal's own limit is 4,096 events.
    const temporal = await startOwnTemporal(['limit.historyCount.suggestContinueAsNew=40']);
    started.push(() => temporal.stop());
    const tight = await startAnother({ TEMPORAL_ADDRESS: temporal.address });
    const subject = await purchase(tight, await newCompany(tight), 'pix');
    const handle = handleOf(subject, tight);
    const runIds = new Set([(await handle.describe()).runId]);
    const before = await advanceClockBy(tight, subject, 2 * HOUR_MS);
    while (runIds.size < 3) {
      await signalWorkflow(tight, subject);
      runIds.add((await handle.describe()).runId);
    }
    expect((await reloadPurchase(tight, subject)).clock).toEqual(before.clock);
    // A wake signal that arrives at the end of a run is passed to the next one.
    const hasPolled = async (): Promise<boolean> => {
      const { events } = await handle.fetchHistory();
      return (events ?? []).some(
        ({ activityTaskScheduledEventAttributes: scheduled }) =>
          scheduled?.activityType?.name === 'pollPaymentStatus',
      );
    };
    await waitFor(hasPolled, { what: 'the new run to poll' });
    await tight.simulator.pay(subject.body.transaction_id);
    expect(await advanceClockBy(tight, subject, HOUR_MS)).toMatchObject({ status: 'approved' });
    expect(await handle.result()).toEqual({ status: 'approved' });
  }, 60_000);

  it('it keeps its clock and due instants across a restart of the worker', async () => {
    const { databaseUrl, temporal } = engine.config;
    const old = await startEngine({
      TEMPORAL_TASK_QUEUE: `${temporal.taskQueue}-old`,
      DATABASE_URL: databaseUrl ?? '',
    });
    const pix = await purchase(old, company, 'pix');
    const authorization = await purchase(old, company, 'authorization');
    const before = await advanceClockBy(old, pix, 2 * HOUR_MS);
    await old.stop();
    const next = await startAnother({
      TEMPORAL_TASK_QUEUE: old.config.temporal.taskQueue,
      DATABASE_URL: databaseUrl ?? '',
    });
    await next.simulator.pay(pix.body.transaction_id);
    expect((await reloadPurchase(next, pix)).clock).toEqual(before.clock);
    expect(await advanceClockBy(next, pix, HOUR_MS)).toMatchObject({ status: 'approved' });
    expect(await requestOperation(next, authorization, 'capture')).toMatchObject({ status: 200 });
    await ledgerOf(next, authorization.body);
  }, 60_000);

  it.each([
    ['terminated', (subject: Purchase) => handleOf(subject).terminate('terminated by a test')],
    ['deleted', (subject: Purchase) => deleteWorkflow(engine, subject)],
  ])('the sweeper restarts its workflow after the run was %s', async (_, end) => {
    const subject = await purchase(engine, company, 'pix');
    await advanceClockBy(engine, subject, 2 * HOUR_MS);
    await end(subject);
    const { transaction_id } = subject.body;
    const row = await engine.context.payments.find(company.id, transaction_id);
    const recoverAfter = row?.recoverAfter?.getTime() ?? 0;
    // Recovery is due after the next poll by the payment's clock, which is two hours ahead.
    expect(recoverAfter - Date.now()).toBeGreaterThan(0);
    expect(recoverAfter - Date.now()).toBeLessThan(HOUR_MS + 3 * MINUTE_MS);
    await engine.simulator.pay(transaction_id);
    await engine.context.db.query('UPDATE payments SET recover_after = now() WHERE transaction_id = $1', [
      transaction_id,
    ]);
    await engine.sweeper.sweepOnce();
    await waitFor(async () => (await handleOf(subject).describe()).status.name === 'RUNNING');
    expect(await advanceClockBy(engine, subject, HOUR_MS)).toMatchObject({ status: 'approved' });
  });

  it('the next request starts its workflow without the sweeper', async () => {
    const subject = await purchase(engine, company, 'authorization');
    await deleteWorkflow(engine, subject);
    expect(await requestOperation(engine, subject, 'capture')).toMatchObject({ status: 200 });
    await signalWorkflow(engine, subject);
    await waitForPayment(engine, subject, { status: 'approved' });
  });
});
