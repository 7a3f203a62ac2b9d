import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { residentMib } from '../bench/support/cpu';
import { table } from '../bench/support/table';
import { FaultStack } from '../faults/support/fault-stack';
import { violations } from '../faults/support/invariants';
import { Merchant } from '../faults/support/merchant';
import { Person } from '../faults/support/operator';
import type { Recovery } from '../faults/support/recovery';
import { describeFault, describeRecoveries, seconds } from '../faults/support/notifications';
import { describeCommit } from '../support/stack/commit';
import { compareBooks, readBooks } from './support/reconciliation';
import { DailyLife } from './support/daily-subscription';
import { Disturbance } from './support/fault-schedule';
import { untilOver } from './support/unfinished-work';
import { filterViolations } from './support/listing';
import { planMonth } from './support/month';
import { playMonth, type Told } from './support/run-month';
import { openShop } from './support/soak-merchant';
import { STORIES } from './support/scenarios';
import type { World } from './support/environment';
import type { ProcessName } from '../faults/support/stack-messages';

/**
 * `npm run soak -- [--minutes M] [--seed N]`: a shop's month again and again, each of a new shop, on real processes that
 * are killed and frozen meanwhile, as is a subscription that is charged every day of a year. When a month is over its books are compared. A month's seed is the first one plus its
 * number: `--seed` of the month that failed plays it first. Exits with 1 on a violation.
 */

const DEFAULT_MINUTES = 10;
const CUSTOMERS_AT_ONCE = 8;
/** Companies that may use the platform's gateways are named beforehand. */
const MOST_MONTHS = 500;
const WATCHED: readonly ProcessName[] = ['api', 'worker', 'worker-2'];

interface Month {
  readonly seed: number;
  readonly told: ReadonlyArray<Told & { readonly status: string | undefined }>;
  readonly recoveries: readonly Recovery[];
  readonly violations: readonly string[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
  const seed = Number(values.seed ?? randomInt(1_000_000_000));
  const endAt = Date.now() + Number(values.minutes ?? DEFAULT_MINUTES) * 60_000;
  console.log(`soak: seed ${seed}, commit ${describeCommit()}`);
  const stack = await FaultStack.start({
    settings: { PLATFORM_GATEWAY_COMPANIES: Array.from({ length: MOST_MONTHS }, (_, n) => shopOf(n)).join() },
  });
  try {
    const months = await soak(stack, seed, endAt);
    if (months.every((month) => month.violations.length === 0)) return await stack.stop();
    console.error(`what every part wrote is in ${stack.order.folder}`);
  } catch (error) {
    console.error(error);
  }
  process.exitCode = 1;
  await stack.end();
}

/** Until the time is over, or a month went wrong. */
async function soak(stack: FaultStack, firstSeed: number, endAt: number): Promise<Month[]> {
  const probing = await Merchant.register(stack, ['gateway_1', 'gateway_4']);
  const person = new Person(stack);
  const months: Month[] = [];
  const daily = await DailyLife.begin(stack, probing);
  const before = residentMemory(stack);
  do {
    const month = await playOneMonth(stack, firstSeed, months.length, probing, endAt);
    months.push(month);
    tellMonth(month);
  } while (Date.now() < endAt && months.length < MOST_MONTHS && months.at(-1)?.violations.length === 0);
  await person.leave();
  const life = await daily.end();
  months.push(...tellLife(firstSeed, life));
  tellAll(months, before, residentMemory(stack));
  return months;
}

async function playOneMonth(
  stack: FaultStack,
  firstSeed: number,
  number: number,
  probing: Merchant,
  endAt: number,
): Promise<Month> {
  const seed = firstSeed + number;
  const { origin: baseUrl } = new URL(stack.apiUrl);
  const { db, temporal, simulator } = stack;
  const world: World = { baseUrl, db, temporal, simulator, disturbed: true };
  const shop = await openShop(world, { clientId: shopOf(number) });
  const disturbance = new Disturbance(stack, probing, seed);
  const told = await playMonth(shop, planMonth(seed), CUSTOMERS_AT_ONCE, () => Date.now() < endAt);
  await disturbance.end();
  await stack.workersReady();
  const leftovers = await untilOver(shop);
  const books = await readBooks(shop);
  const statuses = new Map(books.told.map(({ transaction_id, status }) => [transaction_id, status]));
  return {
    seed,
    told: told.map((one) => ({ ...one, status: statuses.get(one.transactionId ?? '') })),
    recoveries: disturbance.recoveries,
    violations: [
      ...told.flatMap(({ violation }) => violation ?? []),
      ...leftovers,
      ...compareBooks(books),
      ...(await filterViolations(shop, books.listing)),
      ...(await shop.backend.sendEverythingAgain()),
      ...(await violations(stack, disturbance.probes)),
      ...disturbance.recoveries.filter(({ ms, limitMs }) => ms > limitMs).map(tooSlow),
    ],
  };
}

/** A year that went wrong is told, and counts, as a month that did. */
function tellLife(
  seed: number,
  { cycles, violations: wrong }: Awaited<ReturnType<DailyLife['end']>>,
): Month[] {
  console.log(`a subscription charged daily: ${cycles} cycles`);
  if (wrong.length === 0) return [];
  console.error(`  ${wrong.join('\n  ')}\nagain: npm run soak -- --seed ${seed}`);
  return [{ seed, told: [], recoveries: [], violations: wrong }];
}

function shopOf(month: number): string {
  return `shop-of-month-${month}`;
}

function tooSlow({ fault, ms }: Recovery): string {
  return `payments flow again only ${seconds(ms)} after ${describeFault(fault)}`;
}

function tellMonth({ seed, told, recoveries, violations: wrong }: Month): void {
  const faults = recoveries.map(({ fault, ms }) => `${describeFault(fault)}: ${seconds(ms)}`);
  console.log(
    `month with seed ${seed}: ${told.length} payments; payments flow again after ${faults.join('; ')}`,
  );
  if (wrong.length > 0) console.error(`  ${wrong.join('\n  ')}\nagain: npm run soak -- --seed ${seed}`);
}

type Memory = ReadonlyMap<ProcessName, number>;

function residentMemory(stack: FaultStack): Memory {
  return new Map(WATCHED.map((part) => [part, residentMib(stack.processOf(part).pid)]));
}

const STATUSES = ['approved', 'refunded', 'authorized', 'canceled', 'pending', 'failed'] as const;

function tellAll(months: readonly Month[], before: Memory, after: Memory): void {
  const told = months.flatMap((month) => month.told);
  const recoveries = months.flatMap((month) => month.recoveries);
  const row = (name: string, of: Month['told']): string[] => [
    name,
    String(of.length),
    ...STATUSES.map((wanted) => String(of.filter(({ status }) => status === wanted).length)),
  ];
  const rows = STORIES.map(({ name }) =>
    row(
      name,
      told.filter(({ planned }) => planned.story.name === name),
    ),
  );
  const ofKind = (kind: string): number[] =>
    recoveries.filter(({ fault }) => fault.kind === kind).map(({ ms }) => ms);
  const wrong = months.flatMap((month) => month.violations).length;
  const mib = (memory: Memory, part: ProcessName): string => `${(memory.get(part) ?? 0).toFixed(0)} MiB`;
  console.log(
    [
      '',
      ...table([['the customer', 'payments', ...STATUSES], ...rows, row('all', told)]),
      '',
      `violations: ${wrong === 0 ? 'none' : wrong}`,
      `recovery: ${describeRecoveries(ofKind('kill'))}; longest after a freeze ${seconds(Math.max(0, ...ofKind('freeze')))}`,
      ...WATCHED.map(
        (part) => `resident, ${part}: ${mib(before, part)} at the start, ${mib(after, part)} at the end`,
      ),
    ].join('\n'),
  );
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
