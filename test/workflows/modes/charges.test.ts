import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { GATEWAY_SLUGS } from '../../../src/domain/shared/gateway-slug';
import { freePort } from '../../../src/dev/ports';
import { startSimulator, type RunningSimulator } from '../../../src/simulator/server';
import { addGateway, newCompany } from '../../support/fixtures/payments';
import { pay, uniqueAmount } from '../../support/scenarios/pay';
import { startEngine, type Engine } from '../../support/stack/engine';
import { SimulatorControl } from '../../support/stack/simulator';

let engine: Engine;
let folder: string;
let simulator: RunningSimulator;
let gatewayOfOther: SimulatorControl;
let own: AuthenticatedCompany;
let other: AuthenticatedCompany;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-modes-'));
  simulator = await startSimulator({
    port: await freePort(),
    folder,
    paysAfterMs: null,
    baseUrl: null,
    webhookSecret: () => null,
  });
  gatewayOfOther = new SimulatorControl(simulator.url);
  // The deployment's own mode is test here and live in production: what keeps the modes apart is the same.
  engine = await startEngine(
    {},
    {
      config: (config) => ({
        ...config,
        otherGateways: {
          ...config.gateways,
          endpoints: new Map(GATEWAY_SLUGS.map((slug) => [slug, { api: `${simulator.url}/${slug}` }])),
        },
      }),
    },
  );
  own = await newCompany(engine);
  await engine.context.db.inTransaction((tx) => engine.context.companies.addMode(tx, own.id, 'live'));
  other = { ...own, id: -own.id };
  await addGateway(engine, other, 'gateway_1', 1);
});
afterAll(async () => {
  await engine.stop();
  await simulator.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a charge reaches the gateway for the mode of its company, and never that of the other mode', async () => {
  for (const [company, its, others] of [
    [own, engine.simulator, gatewayOfOther],
    [other, gatewayOfOther, engine.simulator],
  ] as const) {
    const { body } = await pay(engine, company, { amount: uniqueAmount() });
    expect(body.status).toBe('approved');
    const { entries } = await its.ledger(body.transaction_id);
    expect(entries).not.toEqual([]);
    expect((await others.ledger(body.transaction_id)).entries).toEqual([]);
  }
});

it('an outage of one mode’s gateway leaves the other mode’s charges alone', async () => {
  await gatewayOfOther.startOutage('gateway_1', '503', 60);
  const down = await pay(engine, other, { amount: uniqueAmount() });
  const up = await pay(engine, own, { amount: uniqueAmount() });
  expect(down.body.status).not.toBe('approved');
  expect(up.body.status).toBe('approved');
});
