import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src/dev/ports';
import { startSimulator } from '../../../src/simulator/server';
import { pixPayment, VendorClient } from './vendor-client';

it('a simulator without control routes charges, and answers 404 to whoever would read or script it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-without-control-'));
  const simulator = await startSimulator({
    port: await freePort(),
    folder,
    paysAfterMs: null,
    controlRoutes: false,
    baseUrl: null,
    webhookSecret: () => null,
  });
  await new VendorClient(simulator.url, 'gateway_5').charge(pixPayment().body);
  for (const [method, route] of [
    ['GET', 'ledger'],
    ['GET', 'requests'],
    ['POST', 'pay'],
    ['POST', 'scripts'],
    ['POST', 'outages'],
    ['POST', 'accounts'],
  ] as const) {
    const { status } = await fetch(`${simulator.url}/_admin/${route}`, {
      method,
      ...(method === 'POST' && { body: '{}' }),
    });
    expect(status).toBe(404);
  }
  await simulator.stop();
  rmSync(folder, { recursive: true, force: true });
});
