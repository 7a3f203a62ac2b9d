import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { composeParts } from './compose';
import { composeActivityDeps, composeSweeper, composeWorker } from './compose-worker';
import { loadConfig } from './config';
import { createLogger, type Logger } from './log';
import { workflowBundlePath } from './paths';

/** The process that runs workflows and talks to gateways. As many as wanted run side by side. */
async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, part: 'worker' });
  logTemporalRuntime(log);
  const parts = composeParts(config);
  const deps = composeActivityDeps(config, parts, log);
  const connection = await NativeConnection.connect({ address: config.temporal.address ?? '' });
  const worker = await composeWorker(config, parts, deps, connection, workflowBundlePath);
  const sweeper = composeSweeper(config, parts, deps, log);

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping');
      worker.shutdown();
    });
  }
  sweeper.start(config.payments.sweepIntervalMs);
  log.info('ready');
  try {
    await worker.run();
  } finally {
    await sweeper.stop();
    await Promise.all([deps.http.close(), parts.temporal.connection.close(), parts.db.close()]);
    await connection.close();
  }
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
