import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { startEngine, type Engine } from '../../support/stack/engine';
import { startOwnTemporal } from '../../support/stack/own-temporal';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  ask,
  becomes,
  forgetWorkflow,
  now,
  purchase,
  timePasses,
  wake,
  type Purchase,
} from '../../support/scenarios/purchase';
import { waitFor } from '../../support/stack/wait-for';

let engine: Engine;
let company: AuthenticatedCompany;
beforeAll(async () => {
  engine = await startEngine();
  company = await newCompany(engine);
});
/** What a test has started for itself; ended last first, also when it fails. */
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

const handleOf = ({ body }: Purchase, { parts } = engine) =>
  parts.temporal.workflow.getHandle(`payment/${body.transaction_id}`);

describe('a payment that waits is carried', () => {
  it('into the next runs when its history grows long, with its clock and what is due', async () => {
    // Temporal's own limit is 4,096 events.
    const temporal = await startOwnTemporal(['limit.historyCount.suggestContinueAsNew=40']);
    started.push(() => temporal.stop());
    const tight = await startAnother({ TEMPORAL_ADDRESS: temporal.address });
    const subject = await purchase(tight, await newCompany(tight), 'pix');
    const handle = handleOf(subject, tight);
    const runIds = new Set([(await handle.describe()).runId]);
    const before = await timePasses(tight, subject, 2 * HOUR_MS);
    while (runIds.size < 3) {
      await wake(tight, subject);
      runIds.add((await handle.describe()).runId);
    }
    expect((await now(tight, subject)).clock).toEqual(before.clock);
    // The wake that came while the last run ended is not lost with it.
    const looked = async (): Promise<boolean> => {
      const { events } = await handle.fetchHistory();
      return (events ?? []).some(
        ({ activityTaskScheduledEventAttributes: scheduled }) =>
          scheduled?.activityType?.name === 'pollPaymentStatus',
      );
    };
    await waitFor(looked, { what: 'the new run to look' });
    await tight.simulator.pay(subject.body.transaction_id);
    expect(await timePasses(tight, subject, HOUR_MS)).toMatchObject({ status: 'approved' });
    expect(await handle.result()).toEqual({ status: 'approved' });
  }, 60_000);

  it('over a restart of its worker, with its clock and what is due', async () => {
    const { databaseUrl, temporal } = engine.config;
    const old = await startEngine({
      TEMPORAL_TASK_QUEUE: `${temporal.taskQueue}-old`,
      DATABASE_URL: databaseUrl ?? '',
    });
    const pix = await purchase(old, company, 'pix');
    const authorization = await purchase(old, company, 'authorization');
    const before = await timePasses(old, pix, 2 * HOUR_MS);
    await old.stop();
    const next = await startAnother({
      TEMPORAL_TASK_QUEUE: old.config.temporal.taskQueue,
      DATABASE_URL: databaseUrl ?? '',
    });
    await next.simulator.pay(pix.body.transaction_id);
    expect((await now(next, pix)).clock).toEqual(before.clock);
    expect(await timePasses(next, pix, HOUR_MS)).toMatchObject({ status: 'approved' });
    expect(await ask(next, authorization, 'capture')).toMatchObject({ status: 200 });
    await ledgerOf(next, authorization.body);
  }, 60_000);

  it.each([
    ['terminated in the UI', (subject: Purchase) => handleOf(subject).terminate('as a person might')],
    ['forgotten by Temporal', (subject: Purchase) => forgetWorkflow(engine, subject)],
  ])('by the sweeper, when its run was %s', async (_, end) => {
    const subject = await purchase(engine, company, 'pix');
    await timePasses(engine, subject, 2 * HOUR_MS);
    await end(subject);
    const { transaction_id } = subject.body;
    const row = await engine.parts.payments.find(company.id, transaction_id);
    const recoverAfter = row?.recoverAfter?.getTime() ?? 0;
    // Nobody is missed before the next look is due by the payment's own clock, two hours ahead.
    expect(recoverAfter - Date.now()).toBeGreaterThan(0);
    expect(recoverAfter - Date.now()).toBeLessThan(HOUR_MS + 3 * MINUTE_MS);
    await engine.simulator.pay(transaction_id);
    await engine.parts.db.query('UPDATE payments SET recover_after = now() WHERE transaction_id = $1', [
      transaction_id,
    ]);
    await engine.sweeper.sweepOnce();
    await waitFor(async () => (await handleOf(subject).describe()).status.name === 'RUNNING');
    expect(await timePasses(engine, subject, HOUR_MS)).toMatchObject({ status: 'approved' });
  });

  it('also when nobody swept: whatever comes next starts its run', async () => {
    const subject = await purchase(engine, company, 'authorization');
    await forgetWorkflow(engine, subject);
    expect(await ask(engine, subject, 'capture')).toMatchObject({ status: 200 });
    await wake(engine, subject);
    await becomes(engine, subject, { status: 'approved' });
  });
});
