import { NativeConnection } from '@temporalio/worker';
import { FirstAttempts } from '../../../src/application/payments/first-attempts';
import { createAppContext, type AppContext } from '../../../src/composition/app-context';
import { closeActivityDeps } from '../../../src/composition/close-activity-deps';
import { ProcessFirstTasks } from '../../../src/composition/first-tasks';
import { createPayments } from '../../../src/composition/api-payments';
import {
  createActivityDeps,
  createDeliveryWorker,
  createSweeper,
  createPaymentWorker,
  type WorkerDeps,
} from '../../../src/composition/worker';
import type { Config } from '../../../src/config';
import type { PaymentCommandRouteDeps } from '../../../src/http/routes/payment-commands';
import type { PaymentRouteDeps } from '../../../src/http/routes/payments';
import type { Sweeper } from '../../../src/sweeper';
import type { StartedSpans } from '../../../src/tracing/started-spans';
import { startTracing } from '../../../src/tracing/tracing';
import './quiet-runtime';
import { SimulatorControl } from './simulator';
import { readStack } from './stack';
import { createTestDatabase, testConfig } from './test-config';

/** The engine's own context in this process, on the run's shared Postgres, Temporal and simulator, with a task queue of its own. */
export interface Engine {
  readonly config: Config;
  readonly context: AppContext;
  readonly deps: WorkerDeps;
  readonly tracing: StartedSpans;
  /** Made here if the engine has workers. */
  readonly firstAttempts: FirstAttempts;
  readonly payments: PaymentRouteDeps & PaymentCommandRouteDeps;
  /** The same in a process that dies between the commit and the start of the workflow. */
  readonly idlePayments: PaymentRouteDeps & PaymentCommandRouteDeps;
  readonly simulator: SimulatorControl;
  readonly sweeper: Sweeper;
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** Which workers run here: for payments alone unless given, for deliveries too, or none. */
  readonly workers?: 'none' | 'payments' | 'all';
  /** What activities work with instead of their own. */
  readonly change?: Partial<WorkerDeps>;
  readonly mostFirstAttempts?: number;
  /** Whether this process makes the first tasks of the workflows that it starts, if it has workers; true unless given. */
  readonly firstTasksHere?: boolean;
  /** What the engine has instead of its settings. */
  readonly config?: (config: Config) => Config;
}

const COMPOSERS = {
  none: [],
  payments: [createPaymentWorker],
  all: [createPaymentWorker, createDeliveryWorker],
} as const;

const ignore = (): void => undefined;
const SILENT = { warn: () => undefined, error: () => undefined };

/** `stop` it in afterAll. The sweeper does not run by itself: call `sweeper.sweepOnce()`. */
export async function startEngine(
  settings: Record<string, string> = {},
  {
    workers: which = 'payments',
    change = {},
    config: changed = (config) => config,
    mostFirstAttempts = 1_000,
    firstTasksHere = true,
  }: EngineOptions = {},
): Promise<Engine> {
  const stack = readStack();
  const config = changed(testConfig(settings, await createTestDatabase()));
  const tracing = startTracing(config.tracing, 'test');
  const context = createAppContext(config, tracing.spans);
  const connection = await NativeConnection.connect({
    address: config.temporal.address ?? stack.temporalAddress,
  });
  const firstAttempts = new FirstAttempts(
    () => (firstTasksHere && which !== 'none' ? firstTasks.paymentStarter() : null),
    mostFirstAttempts,
  );
  const findDeliveryStarter = () => (firstTasksHere && which === 'all' ? firstTasks.deliveryStarter() : null);
  const deps = {
    ...createActivityDeps(config, context, SILENT, findDeliveryStarter),
    callers: firstAttempts,
    ...change,
  };
  const firstTasks = new ProcessFirstTasks(config, context, deps, SILENT);
  const workers = await Promise.all(
    COMPOSERS[which].map((compose) =>
      compose({ config, context, deps, connection, bundlePath: stack.workflowBundlePath }),
    ),
  );
  const running = Promise.all(workers.map((worker) => worker.run()));
  await context.currentBuild.watch();
  return {
    config,
    context,
    tracing,
    deps,
    firstAttempts,
    payments: createPayments(config, context, ignore, { firstAttempts }),
    idlePayments: createPayments(config, context, ignore, {
      workflows: {
        awaitResult: () => Promise.resolve('pending'),
        awaitStarted: () => Promise.resolve('pending'),
        awaitOperation: () => Promise.resolve('pending'),
        awaitStartedOperation: () => Promise.resolve('pending'),
        wake: () => Promise.resolve(),
      },
    }),
    simulator: new SimulatorControl(stack.simulatorUrl),
    sweeper: createSweeper(config, context, deps, SILENT),
    stop: async () => {
      for (const worker of workers) worker.shutdown();
      await running;
      await firstTasks.stop();
      await closeActivityDeps(deps, context);
      await connection.close();
      await tracing.stop();
    },
  };
}
