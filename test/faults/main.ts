import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { searchForSecrets } from './support/canaries';
import { onStack, patientDesk, type FaultStack } from './support/fault-stack';
import { Listener } from './support/listener';
import { planRound } from './support/fault-plan';
import { isKill } from './support/recovery';
import { Round, type RoundReport } from './support/round';
import { playScenarios, SCENARIOS } from './support/network-scenarios';
import { ALL_STORIES } from './support/all-scenarios';
import { playStories, type Story } from './support/scenario';
import { describeFault, describeRecoveries, seconds } from './support/notifications';
import { describeCommit } from '../support/stack/commit';

/**
 * `npm run test:faults -- [--stories TEXT] [--scenarios TEXT] [--seed N] [--rounds K | --minutes M]`: the long list.
 * First the stories, then the scenarios whose title contains the text (`none`: none of them), then rounds. Every round
 * draws its merchants, payments, gateway troubles, and what is killed or frozen when, from its own seed, which is the
 * first round's plus its number: `--seed` of a failed round with `--rounds 1` plays that round again.
 */

const PLATFORM_CLIENT_ID = 'platform-merchant';
const DEFAULT_MINUTES = 10;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      rounds: { type: 'string' },
      minutes: { type: 'string' },
      stories: { type: 'string', default: '' },
      scenarios: { type: 'string', default: '' },
    },
  });
  const seed = Number(values.seed ?? randomInt(1_000_000_000));
  const rounds = Number(values.rounds ?? Infinity);
  const minutes = values.rounds === undefined ? Number(values.minutes ?? DEFAULT_MINUTES) : Infinity;
  console.log(`fault suite: seed ${seed}, commit ${describeCommit()}`);
  await playList(named(ALL_STORIES, values.stories));
  await playScenarios(named(SCENARIOS, values.scenarios));
  await playRounds(seed, rounds, Date.now() + minutes * 60_000);
  console.log(`fault suite: passed (seed ${seed}, commit ${describeCommit()})`);
}

function named<T extends { readonly title: string }>(items: readonly T[], text: string): T[] {
  return text === 'none' ? [] : items.filter(({ title }) => title.includes(text));
}

/** So many at a time: what is wrong is told soon, and their preparations do not keep the stack busy. */
const STORIES_AT_ONCE = 8;

async function playList(stories: readonly Story[]): Promise<void> {
  if (stories.length === 0) return;
  await onStack({ settings: patientDesk(), throughNetworks: true }, async (stack) => {
    for (let next = 0; next < stories.length; next += STORIES_AT_ONCE) {
      for (const { title, wrongs } of await playStories(stack, stories.slice(next, next + STORIES_AT_ONCE))) {
        if (wrongs.length > 0) throw new Error(`${title}:\n  ${wrongs.join('\n  ')}`);
        console.log(`${title}: yes`);
      }
    }
  });
}

async function playRounds(seed: number, rounds: number, endAt: number): Promise<void> {
  if (rounds <= 0) return;
  const recoveries: number[] = [];
  const settings = { PLATFORM_GATEWAY_COMPANIES: PLATFORM_CLIENT_ID, ...patientDesk() };
  await onStack({ settings }, async (stack) => {
    const platform = await Listener.start(stack, ['gateway_1'], PLATFORM_CLIENT_ID);
    for (let round = 0; round < rounds && Date.now() < endAt; round += 1) {
      recoveries.push(...(await playRound(stack, seed + round, platform)));
    }
    platform.close();
  });
  console.log(`recovery: ${describeRecoveries(recoveries)}`);
}

async function playRound(stack: FaultStack, seed: number, platform: Listener): Promise<readonly number[]> {
  const plan = planRound(seed);
  const failed = (why: string, cause?: unknown): Error =>
    new Error(
      `round with seed ${seed}, commit ${describeCommit()}: ${why}\nplan: ${JSON.stringify(plan)}\n` +
        `again: npm run test:faults -- --stories none --scenarios none --rounds 1 --seed ${seed}`,
      { cause },
    );
  let report: RoundReport;
  try {
    report = await Round.play(stack, plan, platform);
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error), error);
  }
  const { leaks } = await searchForSecrets(stack, report.merchants, 'order-');
  const slow = report.recoveries
    .filter(({ ms, limitMs }) => ms > limitMs)
    .map(
      ({ fault, ms, limitMs }) =>
        `payments flow again only ${ms} ms after ${describeFault(fault)}, not within ${limitMs} ms`,
    );
  const wrong = [...report.violations, ...leaks.map((place) => `I8: a secret is in ${place}`), ...slow];
  if (wrong.length > 0) throw failed(`\n  ${wrong.join('\n  ')}`);
  const told = report.recoveries.map(({ fault, ms }) => `${describeFault(fault)}: ${seconds(ms)}`);
  console.log(
    `seed ${seed}: ${report.orders.length} payments, ${report.askedOfPerson} asked of a person; ${told.join('; ')}`,
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
