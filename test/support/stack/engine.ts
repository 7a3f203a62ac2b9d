import { NativeConnection } from '@temporalio/worker';
import { FirstAttempts } from '../../../src/application/payments/first-attempts';
import { createAppContext, type AppContext } from '../../../src/composition/app-context';
import { closeActivityDeps } from '../../../src/composition/close-activity-deps';
import { createEagerWorkflows } from '../../../src/composition/first-attempt-worker';
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
  /** Made by the worker of this engine, if it has one. */
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
  { workers: which = 'payments', change = {}, config: changed = (config) => config }: EngineOptions = {},
): Promise<Engine> {
  const stack = readStack();
  const config = changed(testConfig(settings, await createTestDatabase()));
  const tracing = startTracing(config.tracing, 'test');
  const context = createAppContext(config, tracing.spans);
  const connection = await NativeConnection.connect({
    address: config.temporal.address ?? stack.temporalAddress,
  });
  const eager = which === 'none' ? null : createEagerWorkflows(config, context, connection);
  const mayStart = (): boolean => config.payments.firstAttemptsInApi && context.currentBuild.isCurrent();
  const firstAttempts = new FirstAttempts(() => (mayStart() ? eager : null), 1_000);
  const deps = {
    ...createActivityDeps(config, context, SILENT, { connection }),
    callers: firstAttempts,
    ...change,
  };
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
      await closeActivityDeps(deps, context);
      await connection.close();
      await tracing.stop();
    },
  };
}
