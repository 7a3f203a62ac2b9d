import { DefaultLogger, NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { createAppContext } from './composition/app-context';
import {
  createActivityDeps,
  createDeliveryWorker,
  createSweeper,
  createPaymentWorker,
} from './composition/worker';
import { loadConfig } from './config';
import { createLogger, type Logger } from './log';
import { workflowBundlePath } from './paths';

/** The process that runs workflows and talks to gateways and to companies' webhook receivers. As many as wanted run side by side. */
async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, part: 'worker' });
  logTemporalRuntime(log);
  const parts = createAppContext(config);
  const connection = await NativeConnection.connect({ address: config.temporal.address ?? '' });
  const deps = createActivityDeps(config, parts, log, connection);
  const workers = await Promise.all(
    [createPaymentWorker, createDeliveryWorker].map((compose) =>
      compose(config, parts, deps, connection, workflowBundlePath),
    ),
  );
  const sweeper = createSweeper(config, parts, deps, log);

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping');
      for (const worker of workers) worker.shutdown();
    });
  }
  sweeper.start(config.payments.sweepIntervalMs);
  log.info('ready');
  try {
    await runAll(workers);
  } finally {
    await sweeper.stop();
    await deps.dispatchesSettled();
    await Promise.all([
      deps.http.close(),
      deps.safeFetch.close(),
      parts.temporal.connection.close(),
      parts.db.close(),
    ]);
    await connection.close();
  }
}

/** Until all have stopped; one that fails stops the others, and whoever watches this process starts it again. */
async function runAll(workers: readonly Worker[]): Promise<void> {
  const stopAll = (error: unknown): never => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    throw error;
  };
  const ends = await Promise.allSettled(workers.map((worker) => worker.run().catch(stopAll)));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** The runtime's own lines, in our shape; only their fixed texts, since their details may quote what they failed on. */
function logTemporalRuntime(log: Logger): void {
  const logger = new DefaultLogger('WARN', ({ level, message }) => {
    log[level === 'ERROR' ? 'error' : 'warn'](message);
  });
  Runtime.install({ logger, telemetryOptions: { logging: { filter: 'WARN', forward: {} } } });
}

main().catch((error: unknown) => {
  createLogger({ level: 'info', part: 'worker' }).fatal({ err: error }, 'failed');
  process.exitCode = 1;
});
