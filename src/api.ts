import { once } from 'node:events';
import { createAppContext } from './composition/app-context';
import { createApiApp } from './composition/api';
import { loadConfig } from './config';
import { closeHttpServer, createHttpServer } from './http/server/server';
import { createLogger } from './log';

/** The process that answers HTTP. As many as wanted run side by side. */
async function main(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger({ level: config.logLevel, part: 'api' });
  const parts = createAppContext(config);
  const { app, warmUp } = createApiApp(config, parts, { logger });
  const server = createHttpServer(app);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  logger.info({ address: config.host, port: config.port }, 'listening');

  try {
    const stopped = stopSignal();
    await Promise.race([stopped, warmUp()]);
    logger.info({ signal: await stopped }, 'stopping');
  } finally {
    await closeHttpServer(server, config.temporal.shutdownGraceMs);
    await Promise.all([parts.temporal.connection.close(), parts.db.close()]);
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
  createLogger({ level: 'info', part: 'api' }).fatal({ err: error }, 'failed');
  process.exitCode = 1;
});
