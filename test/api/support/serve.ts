import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createApiApp } from '../../../src/composition/api';
import { closeHttpServer, createHttpServer } from '../../../src/http/server/server';
import { createLogger } from '../../../src/log';
import type { Engine } from '../../support/stack/engine';
import { checkResponses } from './check-answers';
import { requestValidation } from './contract';

/** Starts the API of an engine; a second call acts as another API process. */
export async function serve({
  config,
  context,
  firstAttempts,
}: Pick<Engine, 'config' | 'context'> & Partial<Pick<Engine, 'firstAttempts'>>): Promise<{
  readonly baseUrl: string;
  close(): Promise<void>;
}> {
  const logger = createLogger({ level: 'silent', process: 'api' });
  const app = createApiApp(config, context, { logger, requestValidation, firstAttempts });
  const server = createHttpServer(checkResponses(app)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl, close: () => closeHttpServer(server, 0) };
}
