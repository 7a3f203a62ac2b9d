import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { FAILPOINT_SCENARIOS } from './support/all-scenarios';
import { FIRST_ATTEMPT_SCENARIOS } from './support/first-attempt-scenarios';
import { describeFault, describeRecoveries, seconds } from './support/fault-descriptions';
import { planRound } from './support/fault-plan';
import { lenientStuckAfter, withFaultStack, type FaultStack } from './support/fault-stack';
import { OUTAGE_SCENARIOS, runOutageScenarios } from './support/outage-scenarios';
import { isKill } from './support/recovery';
import { Round, type RoundReport } from './support/round';
import { runScenarios, type FailpointScenario } from './support/scenario';
import { searchForSecrets } from './support/secret-search';
import { WebhookListener } from './support/webhook-listener';
import { describeCommit } from '../support/stack/commit';

const USAGE = `npm run test:faults -- [options]: the full fault-injection suite.

Runs the failpoint scenarios, then the outage scenarios, then random rounds. A round takes its
merchants, payments, gateway behaviors and process faults from its seed, which is the first
seed plus the round's number.

  --failpoints TEXT  only failpoint scenarios whose title contains TEXT ("none": none)
  --outages TEXT     only outage scenarios whose title contains TEXT ("none": none)
  --seed N           the seed of the first round; default: random
  --rounds K         the number of rounds
  --minutes M        without --rounds: how long rounds are started; default: 10
  --help             print this text

--seed of a failed round with --rounds 1 repeats it.`;

const PLATFORM_CLIENT_ID = 'platform-merchant';
const DEFAULT_MINUTES = '10';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      rounds: { type: 'string' },
      minutes: { type: 'string', default: DEFAULT_MINUTES },
      failpoints: { type: 'string', default: '' },
      outages: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const seed = Number(values.seed ?? randomInt(1_000_000_000));
  const rounds = Number(values.rounds ?? Infinity);
  const minutes = values.rounds === undefined ? Number(values.minutes) : Infinity;
  console.log(`fault suite: seed ${seed}, commit ${describeCommit()}`);
  await runFailpointScenarios(withTitle(FIRST_ATTEMPT_SCENARIOS, values.failpoints), 'api');
  await runFailpointScenarios(withTitle(FAILPOINT_SCENARIOS, values.failpoints), 'worker');
  await runOutageScenarios(withTitle(OUTAGE_SCENARIOS, values.outages));
  await runRounds(seed, rounds, Date.now() + minutes * 60_000);
  console.log(`fault suite: passed (seed ${seed}, commit ${describeCommit()})`);
}

function withTitle<T extends { readonly title: string }>(items: readonly T[], text: string): T[] {
  return text === 'none' ? [] : items.filter(({ title }) => title.includes(text));
}

/** In groups, so that a violation is reported early and the preparations do not overload the stack. */
const SCENARIOS_PER_GROUP = 8;

/** @param maker which processes make the first attempts of payments */
async function runFailpointScenarios(
  scenarios: readonly FailpointScenario[],
  maker: 'api' | 'worker',
): Promise<void> {
  if (scenarios.length === 0) return;
  const settings = { ...lenientStuckAfter(), FIRST_ATTEMPTS_IN_API: String(maker === 'api') };
  await withFaultStack({ settings, proxied: true }, async (stack) => {
    for (let next = 0; next < scenarios.length; next += SCENARIOS_PER_GROUP) {
      const group = scenarios.slice(next, next + SCENARIOS_PER_GROUP);
      for (const { title, violations } of await runScenarios(stack, group)) {
        if (violations.length > 0) throw new Error(`${title}:\n  ${violations.join('\n  ')}`);
        console.log(`passed: ${title}`);
      }
    }
  });
}

async function runRounds(seed: number, rounds: number, endAt: number): Promise<void> {
  if (rounds <= 0) return;
  const recoveries: number[] = [];
  const settings = { PLATFORM_GATEWAY_COMPANIES: PLATFORM_CLIENT_ID, ...lenientStuckAfter() };
  await withFaultStack({ settings }, async (stack) => {
    const platform = await WebhookListener.start(stack, ['gateway_1'], PLATFORM_CLIENT_ID);
    for (let round = 0; round < rounds && Date.now() < endAt; round += 1) {
      recoveries.push(...(await runRound(stack, seed + round, platform)));
    }
    platform.close();
  });
  console.log(`recovery: ${describeRecoveries(recoveries)}`);
}

/** Returns the recovery times after kills, in ms. */
async function runRound(
  stack: FaultStack,
  seed: number,
  platform: WebhookListener,
): Promise<readonly number[]> {
  const plan = planRound(seed);
  const failed = (reason: string, cause?: unknown): Error =>
    new Error(
      `round with seed ${seed}, commit ${describeCommit()}: ${reason}\nplan: ${JSON.stringify(plan)}\n` +
        `repeat: npm run test:faults -- --failpoints none --outages none --rounds 1 --seed ${seed}`,
      { cause },
    );
  let report: RoundReport;
  try {
    report = await Round.run(stack, plan, platform);
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error), error);
  }
  const { leaks } = await searchForSecrets(stack, report.merchants, 'order-');
  const slow = report.recoveries
    .filter(({ ms, limitMs }) => ms > limitMs)
    .map(
      ({ fault, ms, limitMs }) =>
        `payments were approved again ${ms} ms after ${describeFault(fault)}; the limit is ${limitMs} ms`,
    );
  const violations = [...report.violations, ...leaks.map((place) => `I8: a secret is in ${place}`), ...slow];
  if (violations.length > 0) throw failed(`\n  ${violations.join('\n  ')}`);
  const recoveries = report.recoveries.map(({ fault, ms }) => `${describeFault(fault)}: ${seconds(ms)}`);
  console.log(
    `seed ${seed}: ${report.orders.length} payments, ${report.manualReviews} manual reviews; ` +
      `recovery after ${recoveries.join(', ')}`,
  );
  return report.recoveries.filter(({ fault }) => isKill(fault)).map(({ ms }) => ms);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
