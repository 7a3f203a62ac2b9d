import { once } from 'node:events';
import { noChargeSlots } from '../activities/subscriptions/charge-slots';
import { FirstAttempts } from './application/payments/first-attempts';
import { createAppContext } from './composition/app-context';
import { closeActivityDeps } from './composition/close-activity-deps';
import { createApiApp, loadRequestValidation } from './composition/api';
import { mostFirstAttempts, ProcessFirstTasks } from './composition/first-tasks';
import { startMetricsServer } from './composition/metrics';
import { requireMigratedMode } from './composition/require-migrated-mode';
import { requireUsedKeys } from './composition/secret-keys';
import { RESTORE_STATE_INTERVAL_MS } from './composition/restore-state-interval';
import { warnOfDatabaseRole } from './composition/warn-of-database-role';
import { createActivityDeps } from './composition/worker';
import { loadConfig } from './config';
import { closeHttpServer, createHttpServer } from './http/server/server';
import { createLogger } from './log';
import { startTracing } from './tracing/tracing';

/** The HTTP API process, which also makes first attempts; any number can run in parallel. */
async function main(): Promise<void> {
  const config = loadConfig();
  const tracing = startTracing(config.tracing, 'api', () => logger.warn('traces are not sent'));
  const traceId = (): string | undefined => tracing.spans.traceId();
  const logger = createLogger({ level: config.logLevel, process: 'api', traceId });
  const context = createAppContext(config, tracing.spans);
  await requireMigratedMode(config, context, logger);
  await context.restoreState.watch(RESTORE_STATE_INTERVAL_MS);
  await requireUsedKeys(config, context, logger);
  void context.currentBuild.watch();
  const metricsServer = await startMetricsServer(config, context, [], tracing);
  const firstAttempts = new FirstAttempts(() => firstTasks.paymentStarter(), mostFirstAttempts(config));
  const deps = {
    ...createActivityDeps(config, context, logger, () => firstTasks.deliveryStarter()),
    callers: firstAttempts,
    // Its slots are for the payments that are created here.
    chargeSlots: noChargeSlots,
  };
  const firstTasks = new ProcessFirstTasks(config, context, deps, logger);
  const requestValidation = loadRequestValidation(config);
  const app = createApiApp(config, context, { logger, requestValidation, firstAttempts });
  const server = createHttpServer(app);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  logger.info({ address: config.host, port: config.port }, 'listening');
  void warnOfDatabaseRole(config, context, logger);

  try {
    const stopped = stopSignal();
    await Promise.race([stopped, requestValidation.warmUp()]);
    logger.info({ signal: await stopped }, 'stopping');
  } finally {
    await Promise.all([closeHttpServer(server, config.temporal.shutdownGraceMs), firstTasks.stop()]);
    await Promise.all([closeActivityDeps(deps, context), metricsServer?.close(), tracing.stop()]);
  }
}

async function stopSignal(): Promise<string> {
  const stop = new AbortController();
  const names = ['SIGTERM', 'SIGINT'] as const;
  const [signal] = (await Promise.race(
    names.map((name) => once(process, name, { signal: stop.signal })),
  )) as [string];
  stop.abort();
  return signal;
}

main().catch((error: unknown) => {
  createLogger({ level: 'info', process: 'api' }).fatal({ err: error }, 'failed');
  // What the start has begun, such as timers, would keep a process alive that does nothing, and nothing would restart it.
  process.exit(1);
});
