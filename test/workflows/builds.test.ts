import { randomUUID } from 'node:crypto';
import type { AuthenticatedCompany } from '../../src/domain/companies/company';
import { ProcessFirstTasks } from '../../src/composition/first-tasks';
import { CurrentBuild } from '../../src/temporal/current-build';
import { WorkerDeployment } from '../../src/temporal/worker-deployment';
import { registerWithGateways, startEngineApi, type EngineApi } from '../api/support/engine-api';
import { newCompany } from '../support/fixtures/payments';
import { ledgerOf, pay, type PayResult } from '../support/scenarios/pay';
import { advanceClockBy, purchase, type Purchase } from '../support/scenarios/purchase';
import { startEngine, type Engine } from '../support/stack/engine';
import { waitFor } from '../support/stack/wait-for';
import { newPlan, subscriptionBody, TestSubscription } from './subscriptions/subscription-merchant';

/** Long enough for a busy machine. */
const PROMOTED_WITHIN_MS = 60_000;
const HOUR_MS = 3_600_000;

let api: EngineApi;
let old: Engine;
let newer: Engine | undefined;
let deployment: WorkerDeployment;
let company: AuthenticatedCompany;
let oldStopped: Promise<void> | undefined;
beforeAll(async () => {
  api = await startEngineApi({ BUILD_ID: '1.0.0' });
  old = api.engine;
  const { taskQueue } = old.config.temporal;
  deployment = new WorkerDeployment(old.context.temporal, taskQueue);
  company = await newCompany(old);
});
afterAll(async () => {
  await newer?.stop();
  await (oldStopped ??= api.stop());
});

function startLatest(): Promise<Engine> {
  const { temporal, databaseUrl = '' } = old.config;
  return startEngine(
    { BUILD_ID: '1.1.0', TEMPORAL_TASK_QUEUE: temporal.taskQueue, DATABASE_URL: databaseUrl },
    { workers: 'all' },
  );
}

async function promote(engine: Engine): Promise<void> {
  const { buildId } = engine.config.temporal;
  await deployment.promote(buildId ?? '', PROMOTED_WITHIN_MS);
  await waitFor(() => engine.context.currentBuild.isCurrent());
}

/** The builds that completed tasks of a workflow's last run, and whether the process that started it got its first task. */
async function runOf(workflowId: string): Promise<{ builds: string[]; eager: boolean }> {
  const { events } = await old.context.temporal.workflow.getHandle(workflowId).fetchHistory();
  const completed = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: task }) =>
    task ? [task.deploymentVersion?.buildId ?? 'none'] : [],
  );
  const [first] = events ?? [];
  return {
    builds: [...new Set(completed)],
    eager: first?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted === true,
  };
}

const runOfPayment = ({ body }: PayResult | Purchase) => runOf(`payment/${body.transaction_id}`);

describe('two builds whose workers run side by side', () => {
  it('finish payments where they began, move subscriptions on, and start payments eagerly on the current build alone', async () => {
    expect(await deployment.currentBuild()).toBeNull();
    await promote(old);
    const begun = await purchase(old, company, 'pix');
    const left = await purchase(old, company, 'pix');
    const paidOnOld = await pay(old, company);
    const client = await registerWithGateways(api);
    const plan = await newPlan(client);
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));

    const latest = (newer = await startLatest());
    await deployment.promote('1.0.0', PROMOTED_WITHIN_MS);
    const paidBefore = await pay(latest, company);
    const ofApi = new ProcessFirstTasks(latest.config, latest.context, latest.deps, {
      warn: () => undefined,
    });
    expect(ofApi.paymentStarter()).toBeNull();
    await promote(latest);
    expect(ofApi.paymentStarter()).not.toBeNull();
    await ofApi.stop();
    await waitFor(() => !old.context.currentBuild.isCurrent());
    const paidAfter = await pay(latest, company);
    const paidLate = await pay(old, company);
    await old.simulator.pay(begun.body.transaction_id);
    expect(await advanceClockBy(old, begun, HOUR_MS)).toMatchObject({ status: 'approved' });
    await subscription.advanceDays(7);

    expect(await runOfPayment(begun)).toMatchObject({ builds: ['1.0.0'] });
    expect(await runOfPayment(paidOnOld)).toEqual({ builds: ['1.0.0'], eager: true });
    expect(await runOfPayment(paidBefore)).toEqual({ builds: ['1.0.0'], eager: false });
    expect(await runOfPayment(paidAfter)).toEqual({ builds: ['1.1.0'], eager: true });
    expect(await runOfPayment(paidLate)).toEqual({ builds: ['1.1.0'], eager: false });
    expect((await runOf(`subscription/${subscription.id}`)).builds).toContain('1.1.0');
    for (const paid of [paidOnOld, paidBefore, paidAfter, paidLate])
      expect(await ledgerOf(old, paid.body)).toMatchObject({ captured: paid.body.amount });

    await subscription.command('cancel');
    await expect(deployment.promote('1.2.0', 0)).rejects.toThrow('no worker of 1.2.0 polls');
    await expect(deployment.moveOpenRuns('1.1.0', PROMOTED_WITHIN_MS)).rejects.toThrow('current build');
    expect(await deployment.moveOpenRuns('1.0.0', PROMOTED_WITHIN_MS)).toBeGreaterThanOrEqual(1);
    await (oldStopped ??= api.stop());
    await latest.simulator.pay(left.body.transaction_id);
    expect(await advanceClockBy(latest, left, HOUR_MS)).toMatchObject({ status: 'approved' });
  }, 180_000);
});

describe('a process', () => {
  it('does not take its build for the current one while Temporal does not say so', async () => {
    const buildId = randomUUID();
    const silent = new CurrentBuild(buildId, { currentBuild: () => Promise.reject(new Error('away')) });
    expect(silent.isCurrent()).toBe(false);
    await silent.watch();
    expect(silent.isCurrent()).toBe(false);
    silent.close();
    expect(new CurrentBuild(null, { currentBuild: () => Promise.resolve(buildId) }).isCurrent()).toBe(true);
  });
});
