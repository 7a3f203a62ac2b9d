import { once } from 'node:events';
import { createAppContext } from './composition/app-context';
import { createApiApp, loadRequestValidation } from './composition/api';
import { warnOfDatabaseRole } from './composition/warn-of-database-role';
import { loadConfig } from './config';
import { closeHttpServer, createHttpServer } from './http/server/server';
import { createLogger } from './log';

/** The HTTP API process; any number can run in parallel. */
async function main(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger({ level: config.logLevel, process: 'api' });
  const context = createAppContext(config);
  const requestValidation = loadRequestValidation(config);
  const server = createHttpServer(createApiApp(config, context, { logger, requestValidation }));
  server.listen(config.port, config.host);
  await once(server, 'listening');
  logger.info({ address: config.host, port: config.port }, 'listening');
  void warnOfDatabaseRole(config, context, logger);

  try {
    const stopped = stopSignal();
    await Promise.race([stopped, requestValidation.warmUp()]);
    logger.info({ signal: await stopped }, 'stopping');
  } finally {
    await closeHttpServer(server, config.temporal.shutdownGraceMs);
    await Promise.all([context.temporal.connection.close(), context.db.close()]);
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
  process.exitCode = 1;
});
