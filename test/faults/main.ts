import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { searchForSecrets } from './support/canaries';
import { FaultStack, PATIENT_DESK } from './support/fault-stack';
import { Merchant } from './support/merchant';
import { planRound } from './support/plan';
import { RECOVERED_WITHIN_MS } from './support/recovery';
import { Round, type RoundReport } from './support/round';
import { playScenarios } from './support/scenarios';
import { commit, describeFault, describeRecoveries, seconds } from './support/telling';

/**
 * `npm run test:faults -- [--seed N] [--rounds K | --minutes M] [--scenarios TEXT]`: the long list. First the
 * scenarios whose title contains the text (`none`: no scenario), then rounds. Every round draws its
 * merchants, payments, gateway troubles, and what is killed or frozen when, from its own seed, which is the first
 * round's plus its number: `--seed` of a failed round with `--rounds 1` plays that round again.
 */

const PLATFORM_CLIENT_ID = 'platform-merchant';
const DEFAULT_MINUTES = 10;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      rounds: { type: 'string' },
      minutes: { type: 'string' },
      scenarios: { type: 'string', default: '' },
    },
  });
  const seed = Number(values.seed ?? randomInt(1_000_000_000));
  const rounds = Number(values.rounds ?? Infinity);
  const minutes = values.rounds === undefined ? Number(values.minutes ?? DEFAULT_MINUTES) : Infinity;
  console.log(`fault suite: seed ${seed}, commit ${commit()}`);
  await playScenarios(values.scenarios);
  await playRounds(seed, rounds, Date.now() + minutes * 60_000);
  console.log(`fault suite: passed (seed ${seed}, commit ${commit()})`);
}

async function playRounds(seed: number, rounds: number, endAt: number): Promise<void> {
  const stack = await FaultStack.start({
    settings: { PLATFORM_GATEWAY_COMPANIES: PLATFORM_CLIENT_ID, ...PATIENT_DESK },
  });
  const recoveries: number[] = [];
  try {
    const platformMerchant = await Merchant.register(stack, ['gateway_1'], PLATFORM_CLIENT_ID);
    for (let round = 0; round < rounds && Date.now() < endAt; round += 1) {
      recoveries.push(...(await playRound(stack, seed + round, platformMerchant)));
    }
  } catch (error) {
    await stack.end();
    console.error(`what every part wrote is in ${stack.order.folder}`);
    throw error;
  }
  await stack.stop();
  console.log(`recovery: ${describeRecoveries(recoveries)}`);
}

async function playRound(
  stack: FaultStack,
  seed: number,
  platformMerchant: Merchant,
): Promise<readonly number[]> {
  const plan = planRound(seed);
  const failed = (why: string, cause?: unknown): Error =>
    new Error(
      `round with seed ${seed}, commit ${commit()}: ${why}\nplan: ${JSON.stringify(plan)}\n` +
        `again: npm run test:faults -- --scenarios none --rounds 1 --seed ${seed}`,
      { cause },
    );
  let report: RoundReport;
  try {
    report = await Round.play(stack, plan, platformMerchant);
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error), error);
  }
  const { leaks } = await searchForSecrets(stack, report.merchants, 'order-');
  const slow = report.recoveries
    .filter(({ ms, limitMs }) => ms > limitMs)
    .map(({ fault, ms }) => `payments flow again only ${ms} ms after ${describeFault(fault)}`);
  const wrong = [...report.violations, ...leaks.map((place) => `I8: a secret is in ${place}`), ...slow];
  if (wrong.length > 0) throw failed(`\n  ${wrong.join('\n  ')}`);
  const told = report.recoveries.map(({ fault, ms }) => `${describeFault(fault)}: ${seconds(ms)}`);
  console.log(
    `seed ${seed}: ${report.orders.length} payments, ${report.askedOfPerson} asked of a person; ${told.join('; ')}`,
  );
  return report.recoveries.filter(({ limitMs }) => limitMs === RECOVERED_WITHIN_MS).map(({ ms }) => ms);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
