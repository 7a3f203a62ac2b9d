import { randomUUID } from 'node:crypto';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { composeParts, type Parts } from '../../src/compose';
import { composePayments } from '../../src/compose-app';
import { composeActivityDeps, composeSweeper, composeWorker } from '../../src/compose-worker';
import { loadConfig, type Config } from '../../src/config';
import type { ActivityDeps } from '../../activities';
import type { PaymentRouteDeps } from '../../src/http/routes/payments';
import { connectDatabase } from '../../src/persistence/database';
import { migrate } from '../../src/persistence/migrator';
import type { Sweeper } from '../../src/sweeper';
import { SimulatorControl } from './simulator';
import { readStack } from './stack';

/** The engine's own parts in this process, on the run's shared Postgres, Temporal and simulator, with a task queue of its own. */
export interface Engine {
  readonly config: Config;
  readonly parts: Parts;
  readonly deps: ActivityDeps;
  readonly payments: PaymentRouteDeps;
  /** The same in a process that dies between the commit and the start of the workflow. */
  readonly idlePayments: PaymentRouteDeps;
  readonly simulator: SimulatorControl;
  readonly sweeper: Sweeper;
  stop(): Promise<void>;
}

/** Shortened so that a test that needs a timeout gets one soon; their proportions are production's. */
const SHORT_TIMES = {
  GATEWAY_TIMEOUT: '0.8',
  SEND_WINDOW: '1',
  ABSENCE_PROVEN_AFTER: '1.9',
  STUCK_AFTER: '3',
  PAYMENT_SYNC_TIMEOUT: '10',
};

/** The settings of an engine under test; nothing of the machine's environment gets in. */
export function testConfig(
  settings: Record<string, string> = {},
  databaseUrl: string = readStack().databaseUrl,
): Config {
  const stack = readStack();
  return loadConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '10',
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_NAMESPACE: stack.temporalNamespace,
    TEMPORAL_TASK_QUEUE: `test-${randomUUID()}`,
    SIMULATOR_PORT: new URL(stack.simulatorUrl).port,
    LOG_LEVEL: 'silent',
    ...SHORT_TIMES,
    ...settings,
  });
}

const ignore = (): void => undefined;
const SILENT = { warn: () => undefined, error: () => undefined };

// Tests make workers lose their activities on purpose; the runtime's own log of that would bury what failed.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
});

/**
 * A database of this test file's own, on the shared server: sweepers take whatever is overdue, so that two engines on
 * one database would take each other's payments.
 */
export async function createTestDatabase(): Promise<string> {
  const { databaseUrl } = readStack();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = connectDatabase(databaseUrl, 1);
  await server.query(`CREATE DATABASE ${name}`);
  await server.close();
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  const sequelize = connectDatabase(url.href, 2);
  await migrate(sequelize);
  await sequelize.close();
  return url.href;
}

/** Starts a worker here; `stop` it in afterAll. The sweeper does not run by itself: call `sweeper.sweepOnce()`. */
export async function startEngine(settings: Record<string, string> = {}): Promise<Engine> {
  const stack = readStack();
  const config = testConfig(settings, await createTestDatabase());
  const parts = composeParts(config);
  const deps = composeActivityDeps(config, parts, SILENT);
  const connection = await NativeConnection.connect({ address: stack.temporalAddress });
  const worker = await composeWorker(config, parts, deps, connection, stack.workflowBundlePath);
  const running = worker.run();
  return {
    config,
    parts,
    deps,
    payments: composePayments(config, parts, ignore),
    idlePayments: composePayments(config, parts, ignore, { awaitResult: () => Promise.resolve('waiting') }),
    simulator: new SimulatorControl(stack.simulatorUrl),
    sweeper: composeSweeper(config, parts, deps, SILENT),
    stop: async () => {
      worker.shutdown();
      await running;
      await Promise.all([deps.http.close(), parts.temporal.connection.close(), parts.db.close()]);
      await connection.close();
    },
  };
}
