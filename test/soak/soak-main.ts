import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { residentMib } from '../bench/support/cpu';
import { table } from '../bench/support/table';
import { describeFault, describeRecoveries, seconds } from '../faults/support/fault-descriptions';
import { FaultStack } from '../faults/support/fault-stack';
import { invariantViolations } from '../faults/support/invariants';
import { Operator } from '../faults/support/operator';
import type { Recovery } from '../faults/support/recovery';
import type { FaultProcessName } from '../faults/support/stack-messages';
import { Merchant } from '../support/merchant/merchant';
import { describeCommit } from '../support/stack/commit';
import { DailySubscription } from './support/daily-subscription';
import type { SoakEnvironment } from './support/environment';
import { FaultSchedule } from './support/fault-schedule';
import { filterViolations } from './support/listing';
import { planMonth, SCENARIOS } from './support/month-plan';
import { readRecords, reconcile } from './support/reconciliation';
import { runMonth, type PurchaseResult } from './support/run-month';
import { registerSoakMerchant } from './support/soak-merchant';
import { waitForCompletion } from './support/unfinished-work';

/**
 * `npm run soak -- [--minutes M] [--seed N]`: runs one merchant month after the other, each with a new merchant, on real
 * processes that are killed and frozen meanwhile; and a subscription with daily cycles for a year. Reconciles the records
 * after each month. A month's seed is the first seed plus its number, so `--seed` of a failed month runs it first. Exits
 * with 1 on a violation.
 */

const DEFAULT_MINUTES = '10';
const CONCURRENT_CUSTOMERS = 8;
/** The setting for companies that may use the platform's gateways needs their client ids before the stack starts. */
const MAX_MONTHS = 500;
const MEASURED_PROCESSES: readonly FaultProcessName[] = ['api', 'worker', 'worker-2'];

/** A purchase's result and the payment's status at the end of the month. */
type FinishedPurchase = PurchaseResult & { readonly status: string | undefined };

interface MonthReport {
  readonly seed: number;
  readonly results: readonly FinishedPurchase[];
  readonly recoveries: readonly Recovery[];
  readonly violations: readonly string[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: DEFAULT_MINUTES }, seed: { type: 'string' } },
  });
  const seed = Number(values.seed ?? randomInt(1_000_000_000));
  const endAt = Date.now() + Number(values.minutes) * 60_000;
  console.log(`soak: seed ${seed}, commit ${describeCommit()}`);
  const clientIds = Array.from({ length: MAX_MONTHS }, (_, month) => clientIdOf(month));
  const stack = await FaultStack.start({ settings: { PLATFORM_GATEWAY_COMPANIES: clientIds.join() } });
  try {
    const months = await soak(stack, seed, endAt);
    if (months.every((month) => month.violations.length === 0)) return await stack.stop();
    console.error(`logs and data of the processes are in ${stack.spec.folder}`);
  } catch (error) {
    console.error(error);
  }
  process.exitCode = 1;
  await stack.stopProcesses();
}

/** Runs months until the time is over or a month has a violation. */
async function soak(stack: FaultStack, firstSeed: number, endAt: number): Promise<MonthReport[]> {
  const probeMerchant = await Merchant.register(stack, ['gateway_1', 'gateway_4']);
  const operator = new Operator(stack);
  const months: MonthReport[] = [];
  const subscription = await DailySubscription.start(stack, probeMerchant);
  const memoryBefore = residentMemory(stack);
  do {
    const month = await runOneMonth(stack, firstSeed, months.length, probeMerchant, endAt);
    months.push(month);
    reportMonth(month);
  } while (Date.now() < endAt && months.length < MAX_MONTHS && months.at(-1)?.violations.length === 0);
  await operator.stop();
  months.push(...reportSubscription(firstSeed, await subscription.finish()));
  reportSummary(months, memoryBefore, residentMemory(stack));
  return months;
}

async function runOneMonth(
  stack: FaultStack,
  firstSeed: number,
  number: number,
  probeMerchant: Merchant,
  endAt: number,
): Promise<MonthReport> {
  const seed = firstSeed + number;
  const { origin: baseUrl } = new URL(stack.apiUrl);
  const { db, temporal, simulator } = stack;
  const environment: SoakEnvironment = { baseUrl, db, temporal, simulator, withFaults: true };
  const merchant = await registerSoakMerchant(environment, { clientId: clientIdOf(number) });
  const faults = new FaultSchedule(stack, probeMerchant, seed);
  const results = await runMonth(merchant, planMonth(seed), CONCURRENT_CUSTOMERS, () => Date.now() < endAt);
  await faults.stop();
  await stack.workersReady();
  const unfinished = await waitForCompletion(merchant);
  const records = await readRecords(merchant);
  const statuses = new Map(records.apiPayments.map((payment) => [payment.transaction_id, payment.status]));
  return {
    seed,
    results: results.map((result) => ({ ...result, status: statuses.get(result.transactionId ?? '') })),
    recoveries: faults.recoveries,
    violations: [
      ...results.flatMap(({ violation }) => violation ?? []),
      ...unfinished,
      ...reconcile(records),
      ...(await filterViolations(merchant, records.listing)),
      ...(await merchant.backend.resendAll()),
      ...(await invariantViolations(stack, faults.probes)),
      ...faults.recoveries.filter(({ ms, limitMs }) => ms > limitMs).map(slowRecovery),
    ],
  };
}

/** Violations of the subscription are reported, and counted, as a month of their own. */
function reportSubscription(
  seed: number,
  { cycles, violations }: Awaited<ReturnType<DailySubscription['finish']>>,
): MonthReport[] {
  console.log(`daily subscription: ${cycles} cycles charged`);
  if (violations.length === 0) return [];
  reportViolations(seed, violations);
  return [{ seed, results: [], recoveries: [], violations }];
}

function clientIdOf(month: number): string {
  return `shop-of-month-${month}`;
}

function slowRecovery({ fault, ms, limitMs }: Recovery): string {
  return `payments were approved again ${seconds(ms)} after ${describeFault(fault)}; the limit is ${seconds(limitMs)}`;
}

function reportMonth({ seed, results, recoveries, violations }: MonthReport): void {
  const faults = recoveries.map(({ fault, ms }) => `${describeFault(fault)}: ${seconds(ms)}`);
  console.log(`month with seed ${seed}: ${results.length} payments; recovery after ${faults.join(', ')}`);
  if (violations.length > 0) reportViolations(seed, violations);
}

function reportViolations(seed: number, violations: readonly string[]): void {
  console.error(`  ${violations.join('\n  ')}\nrepeat: npm run soak -- --seed ${seed}`);
}

/** In MiB. */
type Memory = ReadonlyMap<FaultProcessName, number>;

function residentMemory(stack: FaultStack): Memory {
  return new Map(MEASURED_PROCESSES.map((name) => [name, residentMib(stack.processOf(name).pid)]));
}

const STATUSES = ['approved', 'refunded', 'authorized', 'canceled', 'pending', 'failed'] as const;

function reportSummary(months: readonly MonthReport[], before: Memory, after: Memory): void {
  const recoveries = months.flatMap((month) => month.recoveries);
  const recoveryTimes = (kind: string): number[] =>
    recoveries.filter(({ fault }) => fault.kind === kind).map(({ ms }) => ms);
  const violations = months.flatMap((month) => month.violations).length;
  const mib = (memory: Memory, name: FaultProcessName): string => `${(memory.get(name) ?? 0).toFixed(0)} MiB`;
  console.log(
    [
      '',
      ...scenarioTable(months.flatMap((month) => month.results)),
      '',
      `violations: ${violations === 0 ? 'none' : violations}`,
      `recovery: ${describeRecoveries(recoveryTimes('kill'))}; maximum after a freeze ${seconds(Math.max(0, ...recoveryTimes('freeze')))}`,
      ...MEASURED_PROCESSES.map(
        (name) =>
          `resident memory, ${name}: ${mib(before, name)} at the start, ${mib(after, name)} at the end`,
      ),
    ].join('\n'),
  );
}

/** Payments per scenario and status. */
function scenarioTable(results: readonly FinishedPurchase[]): string[] {
  const row = (name: string, of: readonly FinishedPurchase[]): string[] => [
    name,
    String(of.length),
    ...STATUSES.map((wanted) => String(of.filter(({ status }) => status === wanted).length)),
  ];
  const rows = SCENARIOS.map(({ name }) =>
    row(
      name,
      results.filter(({ planned }) => planned.scenario.name === name),
    ),
  );
  return table([['scenario', 'payments', ...STATUSES], ...rows, row('total', results)]);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
