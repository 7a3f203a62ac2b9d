import { NativeConnection } from '@temporalio/worker';
import { createAppContext } from './composition/app-context';
import { closeActivityDeps } from './composition/close-activity-deps';
import {
  createActivityDeps,
  createDeliveryWorker,
  createSweeper,
  createPaymentWorker,
} from './composition/worker';
import { ProcessFirstTasks } from './composition/first-tasks';
import { startMetricsServer } from './composition/metrics';
import { requireMigratedMode } from './composition/require-migrated-mode';
import { requireUsedKeys } from './composition/secret-keys';
import { RESTORE_STATE_INTERVAL_MS } from './composition/restore-state-interval';
import { runWorkers, stopWorkers } from './composition/run-workers';
import { installTemporalRuntime } from './composition/temporal-runtime';
import { warnOfDatabaseRole } from './composition/warn-of-database-role';
import { loadConfig } from './config';
import { createLogger } from './log';
import { startTracing } from './tracing/tracing';
import { workflowBundlePath } from './paths';

/** The worker process: runs workflows, calls gateways and sends webhooks. Any number can run in parallel. */
async function main(): Promise<void> {
  const config = loadConfig();
  const tracing = startTracing(config.tracing, 'worker', () => log.warn('traces are not sent'));
  const traceId = (): string | undefined => tracing.spans.traceId();
  const log = createLogger({ level: config.logLevel, process: 'worker', traceId });
  const sources = await installTemporalRuntime(config, log);
  const context = createAppContext(config, tracing.spans);
  await requireMigratedMode(config, context, log);
  await context.restoreState.watch(RESTORE_STATE_INTERVAL_MS);
  await requireUsedKeys(config, context, log);
  void context.currentBuild.watch();
  const metricsServer = await startMetricsServer(config, context, sources, tracing);
  const connection = await NativeConnection.connect({ address: config.temporal.address ?? '' });
  const deps = createActivityDeps(config, context, log, () => firstTasks.deliveryStarter());
  const firstTasks = new ProcessFirstTasks(config, context, deps, log);
  const workers = await Promise.all(
    [createPaymentWorker, createDeliveryWorker].map((createWorker) =>
      createWorker({ config, context, deps, connection, bundlePath: workflowBundlePath }),
    ),
  );
  const sweeper = createSweeper(config, context, deps, log);

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping');
      stopWorkers(workers);
    });
  }
  sweeper.start(config.payments.sweepIntervalMs);
  log.info('ready');
  void warnOfDatabaseRole(config, context, log);
  try {
    await runWorkers(workers);
  } finally {
    await sweeper.stop();
    await firstTasks.stop();
    await Promise.all([closeActivityDeps(deps, context), metricsServer?.close(), tracing.stop()]);
    await connection.close();
  }
}

main().catch((error: unknown) => {
  createLogger({ level: 'info', process: 'worker' }).fatal({ err: error }, 'failed');
  // What the start has begun, such as timers, would keep a process alive that does nothing, and nothing would restart it.
  process.exit(1);
});
