import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { loadSandboxConfig } from '../../src/config';
import { build } from '../../src/dev/build/build';
import { projectRoot } from '../../src/paths';
import { connectDatabase } from '../../src/persistence/sql/database';
import { Database } from '../../src/persistence/sql/transaction';
import { createDataConverter, createTemporalClient } from '../../src/temporal/client';
import { APPROVED_CARD, rawCard } from '../support/fixtures/payments';
import { Merchant, transactionIdOf, type MerchantOrder } from '../support/merchant/merchant';
import { expectResponse } from '../support/merchant/requests';
import { makeStackFolder, removeAbandonedStacks } from '../support/processes/stack-folder';
import { NAMESPACE } from '../support/processes/stack-processes';
import {
  readLedger,
  SELECT_RECORDED_PAYMENTS,
  verifyApproved,
  type RecordedPayment,
} from '../support/scenarios/reconciliation';
import { describeCommit } from '../support/stack/commit';
import { SimulatorControl } from '../support/stack/simulator';
import { waitFor } from '../support/stack/wait-for';
import { advanceClock } from '../support/subscriptions/advance-clock';
import { buildRelease, readReleases } from './support/releases';
import { Switch } from './support/switch';
import { TwoBuilds, type Build } from './support/two-builds';

/**
 * `npm run test:deploy`: deploys what is checked out beside the newest release, by the steps of docs/operations/deploying.md, with
 * payments and a subscription going on all the time, and compares everything with the gateways' ledger.
 */

const FOLDER_PREFIX = 'payment-engine-deploy-';
const PAYMENT_EVERY_MS = 500;
const CYCLES = 8;
const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;
const SETTLED_WITHIN_MS = 240_000;
const SLOW_MS = 8_000;

interface Scene {
  readonly stack: TwoBuilds;
  readonly balancer: Switch;
  readonly merchant: Merchant;
  readonly db: Database;
  readonly temporal: Client;
  readonly simulator: SimulatorControl;
}

async function main(): Promise<void> {
  await removeAbandonedStacks(FOLDER_PREFIX);
  const [release] = readReleases(readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8'));
  if (release === undefined) throw new Error('CHANGELOG.md names no release');
  const folder = makeStackFolder(FOLDER_PREFIX);
  const old: Build = { buildId: release.version, root: join(folder, 'release') };
  const latest: Build = { buildId: 'checked-out', root: projectRoot };
  console.log(`deploying ${describeCommit()} beside ${release.version} (${release.commit.slice(0, 8)})`);
  const stack = new TwoBuilds(folder);
  try {
    buildRelease(release, old.root);
    await build(console.log);
    await stack.startServers();
    await stack.run(old, 'migrate');
    await stack.startWorker(old);
    const balancer = await Switch.to(await stack.startApi(old));
    await stack.run(old, 'deployment', 'promote');
    const violations = await deploy(await enter(stack, balancer), old, latest);
    balancer.close();
    if (violations.length > 0) throw new Error(violations.join('\n'));
  } catch (error) {
    await stack.stopAll();
    console.error(`logs and data of the processes are in ${folder}`);
    throw error;
  }
  await stack.stopAll();
  rmSync(folder, { recursive: true, force: true });
  console.log('deployed: nothing was lost, nothing was charged twice');
}

async function enter(stack: TwoBuilds, balancer: Switch): Promise<Scene> {
  const db = new Database(connectDatabase(stack.databaseUrl, 3));
  const merchant = await Merchant.register({ apiUrl: `${balancer.url}/api/v1`, db }, [
    'gateway_1',
    'gateway_2',
  ]);
  const { secrets } = loadSandboxConfig({});
  const address = { address: stack.temporalAddress, namespace: NAMESPACE };
  const temporal = createTemporalClient(address, createDataConverter(secrets.codecKeys));
  return { stack, balancer, merchant, db, temporal, simulator: new SimulatorControl(stack.simulatorUrl) };
}

/** Returns what is wrong in the end. */
async function deploy(scene: Scene, old: Build, latest: Build): Promise<string[]> {
  const { stack, balancer, merchant, db, temporal, simulator } = scene;
  const load = new Load(merchant);
  const finishes = await orderPix(merchant);
  const moves = await orderPix(merchant);
  const subscription = await subscribe(merchant);
  const until = new Date(Date.now() + CYCLES * WEEK_MS + HOUR_MS);
  await advanceClock(merchant, subscription, until);

  await step('migrate while the release serves', () => stack.run(latest, 'migrate'));
  await step('start new workers beside the old ones', () => stack.startWorker(latest));
  const slow = merchant.order({ capture: true });
  await simulator.script({ amount: slow.amount, operation: 'charge' }, { delay_ms: SLOW_MS });
  const inFlight = merchant.pay(slow);
  await delay(SLOW_MS / 8);
  await step('make them current', () => stack.run(latest, 'deployment', 'promote'));
  await step('replace the API', async () => {
    balancer.turnTo(await stack.startApi(latest));
    await stack.stopProgram('api', old);
  });
  await inFlight;
  await payPix(scene, finishes);
  await step('retire the release', () => stack.run(latest, 'deployment', 'retire', old.buildId));
  await step('stop its workers', () => stack.stopProgram('worker', old));
  await payPix(scene, moves);
  await load.stop();
  await waitForSubscription(merchant, subscription, until);

  const payments = await db.query<RecordedPayment>(SELECT_RECORDED_PAYMENTS);
  const ofSubscription = await db.query<{ id: string }>(
    "SELECT transaction_id AS id FROM payments WHERE subscription_id IS NOT NULL AND status = 'approved'",
  );
  const acknowledged = [...load.orders, slow, finishes, moves].map(transactionIdOf);
  const ledger = await readLedger(stack.simulatorUrl);
  const builds = {
    begun: await buildsOf(temporal, finishes),
    slow: await buildsOf(temporal, slow),
    moved: await buildsOf(temporal, moves),
    first: await buildsOf(temporal, load.orders[0]),
    last: await buildsOf(temporal, load.orders.at(-1)),
  };
  console.log(
    `${load.orders.length} payments, ${ofSubscription.length} cycles, builds ${JSON.stringify(builds)}`,
  );
  await Promise.all([db.close(), temporal.connection.close()]);
  const expected = {
    begun: [old.buildId],
    slow: [old.buildId],
    moved: [old.buildId, latest.buildId],
    first: [old.buildId],
    last: [latest.buildId],
  };
  return [
    ...verifyApproved([...acknowledged, ...ofSubscription.map(({ id }) => id)], payments, ledger),
    ...(ofSubscription.length === CYCLES + 1
      ? []
      : [`the subscription was charged ${ofSubscription.length} times`]),
    ...(JSON.stringify(builds) === JSON.stringify(expected) ? [] : [`expected ${JSON.stringify(expected)}`]),
  ];
}

async function step(name: string, work: () => Promise<void>): Promise<void> {
  console.log(name);
  await work();
}

/** Begins a card payment every half second until it is stopped. */
class Load {
  readonly orders: MerchantOrder[] = [];
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(private readonly merchant: Merchant) {
    this.running = this.run();
  }

  /** Returns when every order has its result. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const paying: Promise<void>[] = [];
    while (!this.stopping.signal.aborted) {
      const order = this.merchant.order();
      this.orders.push(order);
      paying.push(this.merchant.pay(order));
      await delay(PAYMENT_EVERY_MS);
    }
    await Promise.all(paying);
  }
}

async function orderPix(merchant: Merchant): Promise<MerchantOrder> {
  const order = merchant.order({ method: 'pix' });
  await merchant.pay(order);
  return order;
}

/** The simulator notifies nobody here, so a test clock brings the next inquiry forward. */
async function payPix({ merchant, simulator }: Scene, order: MerchantOrder): Promise<void> {
  const id = transactionIdOf(order);
  await simulator.pay(id);
  const body = { advance_to: new Date(Date.now() + HOUR_MS).toISOString() };
  await expectResponse({ ...merchant.authorizedRequest('POST', `/payments/${id}/clock`), body }, 200);
  await waitFor(async () => (await merchant.find(id)).status === 'approved', {
    what: `the pix ${id} to be approved`,
    withinMs: SETTLED_WITHIN_MS,
  });
}

async function subscribe(merchant: Merchant): Promise<string> {
  const planBody = { name: 'Weekly', amount: 1_990, currency: 'BRL', interval: 'weekly' };
  const plan = await expectResponse<{ data: { id: string } }>(
    { ...merchant.authorizedRequest('POST', '/subscriptions/plans'), body: planBody },
    201,
  );
  const customer = { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' };
  const body = { plan_id: plan.data.id, customer, card: rawCard(APPROVED_CARD) };
  const created = await expectResponse<{ data: { id: string } }>(
    { ...merchant.authorizedRequest('POST', '/subscriptions'), body },
    201,
  );
  return created.data.id;
}

async function waitForSubscription(merchant: Merchant, id: string, until: Date): Promise<void> {
  await waitFor(
    async () => {
      const request = merchant.authorizedRequest('GET', `/subscriptions/${id}`);
      const { data } = await expectResponse<{ data: { clock: { now: string; reached: boolean } } }>(
        request,
        200,
      );
      return data.clock.reached && Date.parse(data.clock.now) >= until.getTime();
    },
    { what: 'the subscription to go on', withinMs: SETTLED_WITHIN_MS },
  );
}

/** The builds whose workers completed tasks of a payment's last run, in order. */
async function buildsOf({ workflow }: Client, order: MerchantOrder | undefined): Promise<string[]> {
  if (order === undefined) return [];
  const { events } = await workflow.getHandle(`payment/${transactionIdOf(order)}`).fetchHistory();
  const builds = (events ?? []).flatMap(
    ({ workflowTaskCompletedEventAttributes: task }) => task?.deploymentVersion?.buildId ?? [],
  );
  return [...new Set(builds)];
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
