import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nodeProcess } from '../../../src/dev/node-process';
import { freePort } from '../../../src/dev/ports';
import { projectRoot } from '../../../src/paths';
import { migrate } from '../../../src/persistence/sql/migrator';
import { PRODUCTION, productionSecret } from '../../support/fixtures/production';
import { makeStackFolder } from '../../support/processes/stack-folder';
import { StackProcesses } from '../../support/processes/stack-processes';
import { uniqueAmount } from '../../support/scenarios/pay';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import { readStack } from '../../support/stack/stack';
import { createEmptyDatabase } from '../../support/stack/test-config';
import { waitFor } from '../../support/stack/wait-for';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import { pendingRequest, sale, to } from '../support/payment-scenario';
import { registerUser } from '../users/user-api';

/* An API and a worker as production runs them: processes with NODE_ENV=production and secrets of their own. Live data has one gateway,
   test data another. */

const START_WITHIN_MS = 240_000;

let liveGateway: OwnSimulator;
let testGateway: OwnSimulator;
let processes: StackProcesses<'api' | 'worker'>;
let baseUrl: string;
let settings: Readonly<Record<string, string>>;
let live: ApiClient;
let test: ApiClient;

beforeAll(async () => {
  const webhookSecret = productionSecret();
  [liveGateway, testGateway] = await Promise.all([startOwnSimulator(), startOwnSimulator()]);
  const databaseUrl = await createEmptyDatabase();
  await migrate(databaseUrl, 'live');
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  const stack = readStack();
  settings = {
    ...PRODUCTION,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '5',
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_NAMESPACE: stack.temporalNamespace,
    TEMPORAL_TASK_QUEUE: `production-${port}`,
    PORT: String(port),
    PUBLIC_BASE_URL: baseUrl,
    GATEWAY_1_DRIVER: 'simulator',
    GATEWAY_1_URL: `${liveGateway.url}/gateway_1`,
    TEST_GATEWAY_URL: testGateway.url,
    TEST_GATEWAY_WEBHOOK_SECRET: webhookSecret,
  };
  processes = new StackProcesses(makeStackFolder('payment-engine-production-'));
  const start = (name: 'api' | 'worker', ready: () => Promise<boolean>) =>
    processes.start(
      name,
      nodeProcess({
        name,
        entry: `src/${name}`,
        from: 'source',
        settings,
        logFile: processes.logFile(name),
        ready,
      }),
    );
  await Promise.all([
    start('api', async () => (await fetch(`${baseUrl}/health/ready`)).ok),
    // It serves nothing; what it does, the tests see.
    start('worker', () => delay(1_000, true)),
  ]);
  await register();
}, START_WITHIN_MS);

afterAll(async () => {
  await processes.stop(['api', 'worker'], 5_000);
  processes.removeRecord();
  await Promise.all([liveGateway.dispose(), testGateway.dispose()]);
  rmSync(processes.folder, { recursive: true, force: true });
}, START_WITHIN_MS);

/** Registers a company, with a key and a gateway of each mode. */
async function register(): Promise<void> {
  const { registered, client } = await registerUser({ anonymous: apiClient(baseUrl), baseUrl });
  const { client_id: clientId, api_key: liveKey } = registered.company;
  expect(liveKey).toMatch(/^sk_live_/);
  const body = { name: 'Test', mode: 'test' };
  const { data } = expectStatus(await client('createApiKey', { body }), 201).body;
  expect(data.api_key).toMatch(/^sk_test_/);
  const byKey = (key: string) => apiClient(baseUrl, { 'X-Client-ID': clientId, 'X-API-Key': key });
  [live, test] = [byKey(liveKey), byKey(data.api_key)];
  for (const one of [live, test]) {
    const gateways = [{ gateway_slug: 'gateway_1', secret_key: 'sk_of_the_company' }];
    expectStatus(await one('saveGateways', { body: { gateways } }), 200);
  }
}

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

describe('a process with NODE_ENV=production and a gateway for test data', () => {
  it('charges live data at the live gateway and test data at the other, and neither key sees the other’s payment', async () => {
    const [ofLive, ofTest] = [
      await sale(live, { amount: uniqueAmount() }),
      await sale(test, { amount: uniqueAmount() }),
    ];
    const captured = async (gateway: OwnSimulator, { transaction_id: id }: { transaction_id: string }) =>
      (await gateway.control.ledger(id)).totals.captured;
    expect(await captured(liveGateway, ofLive)).toBe(ofLive.amount);
    expect(await captured(testGateway, ofTest)).toBe(ofTest.amount);
    expect(await captured(testGateway, ofLive)).toBe(0);
    expect(await captured(liveGateway, ofTest)).toBe(0);
    expectStatus(await live('getPayment', to(ofTest)), 404);
    expectStatus(await test('getPayment', to(ofLive)), 404);
  });

  it('has the clock routes for test data alone: a test pix expires on its clock, and a live one has none', async () => {
    const pix = async (client: ApiClient) => {
      const body = pendingRequest({ amount: uniqueAmount(), pix_expires_in: 1_800 });
      return expectStatus(await client('createPixPayment', { body }), 200).body;
    };
    const [ofLive, ofTest] = [await pix(live), await pix(test)];
    const body = { advance_to: inAnHour() };
    expectStatus(await test('movePaymentClock', to(ofTest, { body })), 200);
    await waitFor(
      async () => expectStatus(await test('getPayment', to(ofTest)), 200).body.status === 'failed',
    );
    expectStatus(await live('movePaymentClock', to(ofLive, { body })), 404);
    expect(expectStatus(await live('getPayment', to(ofLive)), 200).body).toMatchObject({
      status: 'pending',
      clock: null,
    });
  });

  it('has none of the sandbox’s routes', async () => {
    expect((await fetch(`${baseUrl}/_sandbox/outbox`)).status).toBe(404);
  });
});

it.each(['api', 'worker'])(
  'the %s ends with an error if it cannot reach Postgres when it starts, so that it is restarted',
  async (name) => {
    const nowhere = `postgres://payments:secret@127.0.0.1:${await freePort()}/payments`;
    const { status, signal, stdout } = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(projectRoot, 'src', `${name}.ts`)],
      {
        env: { ...settings, PORT: String(await freePort()), DATABASE_URL: nowhere },
        encoding: 'utf8',
        timeout: START_WITHIN_MS / 4,
      },
    );
    expect({ status, signal }).toEqual({ status: 1, signal: null });
    expect(stdout).toContain('ECONNREFUSED');
  },
  START_WITHIN_MS,
);
