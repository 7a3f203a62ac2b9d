import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { residentMib } from '../bench/support/cpu';
import { FaultStack } from '../faults/support/fault-stack';
import { invariantViolations } from '../faults/support/invariants';
import { Operator } from '../faults/support/operator';
import type { FaultProcessName } from '../faults/support/stack-messages';
import { Merchant } from '../support/merchant/merchant';
import { describeCommit } from '../support/stack/commit';
import { planRoutes } from '../support/subscriptions/route-plan';
import { runRoutes, type RoutesReport } from '../support/subscriptions/routes';
import { DailySubscription } from './support/daily-subscription';
import { disputeViolations } from './support/disputes/dispute-checks';
import type { SoakEnvironment } from './support/environment';
import { FaultSchedule } from './support/fault-schedule';
import { filterViolations } from './support/listing';
import { planMonth } from './support/month-plan';
import {
  reportMonth,
  reportSummary,
  reportViolations,
  slowRecovery,
  type Memory,
  type MonthReport,
} from './support/month-report';
import { readRecords, reconcile, withoutCharges } from './support/reconciliation';
import { runMonth } from './support/run-month';
import { registerSoakMerchant } from './support/soak-merchant';
import { StatementKills } from './support/statements/statement-kills';
import { settleMonth } from './support/statements/month-statements';
import { statementViolations } from './support/statements/statement-checks';
import { waitForCompletion } from './support/unfinished-work';

/**
 * `npm run soak -- [--minutes M] [--seed N]`: runs one merchant month after the other, each with a new merchant, on real
 * processes that are killed and frozen meanwhile, one of the two workers for longer than its tasks may take; pairs of
 * subscriptions that change plans by different routes; and a subscription with daily cycles for a year. Reconciles the records
 * after each month. A month's seed is the first seed plus its number, so `--seed` of a failed month runs it first. Exits
 * with 1 on a violation.
 */

const DEFAULT_MINUTES = '10';
const CONCURRENT_CUSTOMERS = 8;
/** The setting for companies that may use the platform's gateways needs their client ids before the stack starts. */
const MAX_MONTHS = 500;
/** Run one after the other. */
const PAIRS_OF_SUBSCRIPTIONS = 3;
/** Each has every kind of error once. */
const ROUNDS_OF_STATEMENT_ERRORS = 2;
const MEASURED_PROCESSES: readonly FaultProcessName[] = ['api', 'worker', 'worker-2'];

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
    const isClean = months.every(({ violations, slow }) => violations.length + slow.length === 0);
    if (isClean) return await stack.stop();
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
  // Of all months: the mistakes of gateways, which their ledger keeps.
  const secondCharges = new Set<string>();
  do {
    const month = await runOneMonth(stack, firstSeed, months.length, probeMerchant, endAt, secondCharges);
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
  secondCharges: Set<string>,
): Promise<MonthReport> {
  const seed = firstSeed + number;
  const { origin: baseUrl } = new URL(stack.apiUrl);
  const { db, temporal, simulator } = stack;
  const environment: SoakEnvironment = { baseUrl, db, temporal, simulator, withFaults: true };
  const merchant = await registerSoakMerchant(environment, { clientId: clientIdOf(number) });
  const faults = new FaultSchedule(stack, probeMerchant, seed);
  const mayStart = (): boolean => Date.now() < endAt;
  const changing = changePlans(stack, seed, probeMerchant, mayStart);
  const startedAt = Date.now();
  const results = await runMonth(merchant, planMonth(seed), CONCURRENT_CUSTOMERS, mayStart);
  const playedMs = Date.now() - startedAt;
  const kills = new StatementKills(stack, merchant.companyId, seed);
  const [statements, routes] = await Promise.all([
    settleMonth(merchant, { seed, rounds: ROUNDS_OF_STATEMENT_ERRORS, beforeDay: () => kills.beforeDay() }),
    changing,
  ]);
  const settledMs = Date.now() - startedAt - playedMs;
  await faults.stop();
  await stack.workersReady();
  const unfinished = await waitForCompletion(merchant);
  for (const charge of statements.planted.secondCharges) secondCharges.add(charge);
  const records = withoutCharges(await readRecords(merchant), secondCharges);
  const statuses = new Map(records.apiPayments.map((payment) => [payment.transaction_id, payment.status]));
  const violations = [
    ...routes.flatMap(({ violations: ofRoutes }) => ofRoutes),
    ...results.flatMap(({ violation }) => violation ?? []),
    ...unfinished,
    ...reconcile(records),
    ...(await disputeViolations(merchant, records)),
    ...(await statementViolations(merchant, statements)),
    ...(await filterViolations(merchant, records.listing)),
    ...(await merchant.backend.resendAll()),
    ...(await invariantViolations(stack, faults.probes, undefined, secondCharges)),
  ];
  merchant.office.webhooks.close();
  return {
    seed,
    results: results.map((result) => ({ ...result, status: statuses.get(result.transactionId ?? '') })),
    routes,
    disputes: merchant.office.disputes.length,
    settlements: statements.settlements.length,
    planted: statements.planted.differences.length,
    statementKills: kills.count,
    playedMs,
    settledMs,
    recoveries: faults.recoveries,
    violations,
    slow: faults.recoveries.filter(({ ms, limitMs }) => ms > limitMs).map(slowRecovery),
  };
}

/** Runs pairs of subscriptions until none is left or `mayStart` returns false. */
async function changePlans(
  stack: FaultStack,
  seed: number,
  merchant: Merchant,
  mayStart: () => boolean,
): Promise<RoutesReport[]> {
  const reports: RoutesReport[] = [];
  for (const plan of planRoutes(seed, PAIRS_OF_SUBSCRIPTIONS)) {
    if (mayStart()) reports.push(await runRoutes(stack, merchant, plan));
  }
  return reports;
}

/** Violations of the subscription are reported, and counted, as a month of their own. */
function reportSubscription(
  seed: number,
  { cycles, violations }: Awaited<ReturnType<DailySubscription['finish']>>,
): MonthReport[] {
  console.log(`daily subscription: ${cycles} cycles charged`);
  if (violations.length === 0) return [];
  reportViolations(seed, violations);
  const none = {
    results: [],
    routes: [],
    disputes: 0,
    settlements: 0,
    planted: 0,
    recoveries: [],
    slow: [],
    statementKills: 0,
    playedMs: 0,
    settledMs: 0,
  };
  return [{ seed, violations, ...none }];
}

function clientIdOf(month: number): string {
  return `shop-of-month-${month}`;
}

function residentMemory(stack: FaultStack): Memory {
  return new Map(MEASURED_PROCESSES.map((name) => [name, residentMib(stack.processOf(name).pid)]));
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
