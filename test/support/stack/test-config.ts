import { randomUUID } from 'node:crypto';
import { loadSandboxConfig, type Config } from '../../../src/config';
import { connectDatabase } from '../../../src/persistence/sql/database';
import { MIGRATED_DATABASE, readStack } from './stack';

/** Shortened so that a test that needs a timeout gets one soon; their proportions are production's. */
const SHORT_TIMES = {
  GATEWAY_TIMEOUT: '0.8',
  SEND_WINDOW: '1',
  ABSENCE_PROVEN_AFTER: '1.9',
  STUCK_AFTER: '3',
  PAYMENT_SYNC_TIMEOUT: '10',
  CALLBACK_HINT_PAUSE: '2',
};

/** The settings of an engine under test; nothing of the machine's environment gets in. */
export function testConfig(
  settings: Record<string, string> = {},
  databaseUrl: string = readStack().databaseUrl,
): Config {
  const stack = readStack();
  return loadSandboxConfig({
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

/**
 * A database of this test file's own, on the shared server: sweepers take whatever is overdue, so that two engines on
 * one database would take each other's payments.
 */
export function createTestDatabase(): Promise<string> {
  return process.env[ONE_DATABASE] === undefined ? newDatabase() : (shared ??= newDatabase());
}

/** Set where the tests of many files share one process: a process has one set of models, bound to one database. */
const ONE_DATABASE = 'ONE_TEST_DATABASE';
let shared: Promise<string> | undefined;

/** A database without any migration. */
export const createEmptyDatabase = (): Promise<string> => newDatabase('template0');

async function newDatabase(template = MIGRATED_DATABASE): Promise<string> {
  const { databaseUrl } = readStack();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = connectDatabase(databaseUrl, 1);
  // A connection left open would keep jest from ending.
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${template}`).finally(() => server.close());
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
