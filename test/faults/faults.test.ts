import { FAULT_TARGETS, planFaults } from './support/fault-plan';
import { FaultStack, lenientStuckAfter } from './support/fault-stack';
import { Round, type RoundReport } from './support/round';
import { SELECTED_SCENARIOS } from './support/all-scenarios';
import { EVERY_INVARIANT, runScenarios, type ScenarioResult } from './support/scenario';
import { searchForSecrets } from './support/secret-search';
import { WebhookListener } from './support/webhook-listener';

// A selection; `npm run test:faults` runs all scenarios.

const PLATFORM_CLIENT_ID = 'platform-merchant';
const SEED = 20_261_121;

let stack: FaultStack;
let platform: WebhookListener | undefined;
beforeAll(async () => {
  stack = await FaultStack.start({
    settings: { PLATFORM_GATEWAY_COMPANIES: PLATFORM_CLIENT_ID, ...lenientStuckAfter() },
  });
  platform = await WebhookListener.start(stack, ['gateway_1'], PLATFORM_CLIENT_ID);
}, 300_000);
afterAll(async () => {
  platform?.close();
  await stack.stop();
}, 30_000);

describe('a fault at a failpoint where a charge, operation, event or callback could be lost or duplicated', () => {
  let results: readonly ScenarioResult[];
  beforeAll(async () => {
    results = await runScenarios(stack, SELECTED_SCENARIOS);
  }, 600_000);

  it.each([...SELECTED_SCENARIOS.map(({ title }) => title), EVERY_INVARIANT])('%s', (title) => {
    expect(results.find((result) => result.title === title)).toEqual({ title, violations: [] });
  });
});

describe(`kill -9 of each process under a stream of payments (seed ${SEED})`, () => {
  const targets = FAULT_TARGETS.filter((target) => target !== 'one worker');
  let report: RoundReport;
  beforeAll(async () => {
    const plan = planFaults(
      SEED,
      targets.map((target) => ({ kind: 'kill' as const, target })),
    );
    if (platform === undefined) throw new Error('the webhook listener did not start');
    report = await Round.run(stack, plan, platform);
  }, 600_000);

  // `npm run test:faults` checks the recovery times, on a machine without other load.
  it.each(targets.map((target, phase) => [target, phase] as const))(
    'payments are approved again after kill -9 of the %s',
    (target, phase) => {
      expect(report.recoveries[phase]?.fault).toMatchObject({ kind: 'kill', target });
    },
  );

  it('every acknowledged payment ends once, agrees with the ledger, has one result for its key, and is notified', () => {
    expect(report.violations).toEqual([]);
  });

  it('no log, table, file or workflow history contains a card number, CVV, API key or gateway secret', async () => {
    const control = `order-${report.orders[0]?.amount}`;
    const { leaks, controlMatches } = await searchForSecrets(stack, report.merchants, control);
    expect(leaks).toEqual([]);
    const kinds = [
      'table payments',
      'history of payment/',
      'decoded history of payment/',
      'cluster',
      'temporal.db',
    ];
    for (const kind of kinds) expect(controlMatches).toContainEqual(expect.stringContaining(kind));
  }, 120_000);
});
