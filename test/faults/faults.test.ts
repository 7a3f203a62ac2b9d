import { searchForSecrets } from './support/canaries';
import { FaultStack, patientDesk } from './support/fault-stack';
import { Listener } from './support/listener';
import { planAround, VICTIMS } from './support/fault-plan';
import { Round, type RoundReport } from './support/round';
import { FEW_STORIES } from './support/all-scenarios';
import { EVERY_INVARIANT, playStories, type Told } from './support/scenario';

// A well-chosen few; `npm run test:faults` has the long list.

const PLATFORM_CLIENT_ID = 'platform-merchant';
const SEED = 20_261_121;

let stack: FaultStack;
let platform: Listener | undefined;
beforeAll(async () => {
  stack = await FaultStack.start({
    settings: { PLATFORM_GATEWAY_COMPANIES: PLATFORM_CLIENT_ID, ...patientDesk() },
  });
  platform = await Listener.start(stack, ['gateway_1'], PLATFORM_CLIENT_ID);
}, 300_000);
afterAll(async () => {
  platform?.close();
  await stack.stop();
}, 30_000);

describe('at the places where a charge, an operation, an event or a callback could be lost or doubled', () => {
  let told: readonly Told[];
  beforeAll(async () => {
    told = await playStories(stack, FEW_STORIES);
  }, 600_000);

  it.each([...FEW_STORIES.map(({ title }) => title), EVERY_INVARIANT])('%s', (title) => {
    expect(told.find((story) => story.title === title)).toEqual({ title, wrongs: [] });
  });
});

describe(`parts killed under a stream of payments (seed ${SEED})`, () => {
  const victims = VICTIMS.filter((victim) => victim !== 'one worker');
  let report: RoundReport;
  beforeAll(async () => {
    const plan = planAround(
      SEED,
      victims.map((victim) => ({ kind: 'kill' as const, victim })),
    );
    if (platform === undefined) throw new Error('nobody listens');
    report = await Round.play(stack, plan, platform);
  }, 600_000);

  // How soon is measured by the long list, on a machine that does nothing else.
  it.each(victims.map((victim, act) => [victim, act] as const))(
    'payments flow again after kill -9 of the %s',
    (victim, act) => {
      expect(report.recoveries[act]?.fault).toMatchObject({ kind: 'kill', victim });
    },
  );

  it('every acknowledged payment ends once, as the ledger says, with one answer for its key, and is told of', () => {
    expect(report.violations).toEqual([]);
  });

  it('no card number, CVV, API key or gateway secret is in any log, table, file or history', async () => {
    const known = `order-${report.orders[0]?.amount}`;
    const { leaks, sightings } = await searchForSecrets(stack, report.merchants, known);
    expect(leaks).toEqual([]);
    const kinds = [
      'table payments',
      'history of payment/',
      'decoded history of payment/',
      'cluster',
      'temporal.db',
    ];
    for (const kind of kinds) expect(sightings).toContainEqual(expect.stringContaining(kind));
  }, 120_000);
});
