import { table } from '../../bench/support/table';
import { describeFault, describeRecoveries, seconds } from '../../faults/support/fault-descriptions';
import type { Recovery } from '../../faults/support/recovery';
import type { FaultProcessName } from '../../faults/support/stack-messages';
import type { RoutesReport } from '../../support/subscriptions/routes';
import { behaviorsOf } from './fault-injection';
import { SCENARIOS } from './month-plan';
import type { PurchaseResult } from './run-month';

/** A purchase's result and the payment's status at the end of the month. */
type FinishedPurchase = PurchaseResult & { readonly status: string | undefined };

export interface MonthReport {
  readonly seed: number;
  readonly results: readonly FinishedPurchase[];
  readonly routes: readonly RoutesReport[];
  /** How many were played, reconciled and planted. */
  readonly disputes: number;
  readonly settlements: number;
  readonly planted: number;
  /** How many workers were killed while they reconciled a statement. */
  readonly statementKills: number;
  readonly playedMs: number;
  /** From the last purchase until every statement is reconciled. */
  readonly settledMs: number;
  readonly recoveries: readonly Recovery[];
  readonly violations: readonly string[];
  /** Recoveries that took too long, perhaps because the machine was busy: they fail the soak and do not end it. */
  readonly slow: readonly string[];
}

/** Of each process, in MiB. */
export type Memory = ReadonlyMap<FaultProcessName, number>;

const STATUSES = ['approved', 'refunded', 'authorized', 'canceled', 'pending', 'failed'] as const;

export function reportMonth(month: MonthReport): void {
  const { seed, results, recoveries, violations, slow, playedMs, settledMs } = month;
  const faults = recoveries.map(({ fault, ms }) => `${describeFault(fault)}: ${seconds(ms)}`);
  const took = `${results.length} payments in ${seconds(playedMs)}, statements in ${seconds(settledMs)}`;
  console.log(`month with seed ${seed}: ${took}; recovery after ${faults.join(', ')}`);
  if (violations.length + slow.length > 0) reportViolations(seed, [...violations, ...slow]);
}

export function reportViolations(seed: number, violations: readonly string[]): void {
  console.error(`  ${violations.join('\n  ')}\nrepeat: npm run soak -- --seed ${seed}`);
}

export function slowRecovery({ fault, ms, limitMs }: Recovery): string {
  return `payments were approved again ${seconds(ms)} after ${describeFault(fault)}; the limit is ${seconds(limitMs)}`;
}

export function reportSummary(months: readonly MonthReport[], before: Memory, after: Memory): void {
  const recoveries = months.flatMap((month) => month.recoveries);
  const recoveryTimes = (kind: string): number[] =>
    recoveries.filter(({ fault }) => fault.kind === kind).map(({ ms }) => ms);
  const results = months.flatMap((month) => month.results);
  const violations = months.flatMap((month) => month.violations).length;
  const slow = months.flatMap((month) => month.slow).length;
  const mib = (memory: Memory, name: FaultProcessName): string => `${(memory.get(name) ?? 0).toFixed(0)} MiB`;
  console.log(
    [
      '',
      ...scenarioTable(results),
      '',
      describeRoutes(months.flatMap(({ routes }) => routes)),
      `disputes: ${total(months, 'disputes')}; statements: ${total(months, 'settlements')} with ${total(months, 'planted')} planted differences, ${total(months, 'statementKills')} workers killed at them`,
      `faults of processes: ${describeCounts(recoveries.map(({ fault }) => processFault(fault)))}`,
      `faults of gateways, as planned: ${describeCounts(results.flatMap(({ planned }) => behaviorsOf(planned)))}`,
      `violations: ${violations === 0 ? 'none' : violations}; slow recoveries: ${slow === 0 ? 'none' : slow}`,
      `recovery: ${describeRecoveries(recoveryTimes('kill'))}; maximum after a freeze ${seconds(Math.max(0, ...recoveryTimes('freeze')))}`,
      ...[...after.keys()].map(
        (name) =>
          `resident memory, ${name}: ${mib(before, name)} at the start, ${mib(after, name)} at the end`,
      ),
    ].join('\n'),
  );
}

function total(
  months: readonly MonthReport[],
  what: 'disputes' | 'settlements' | 'planted' | 'statementKills',
): number {
  return months.reduce((sum, month) => sum + month[what], 0);
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

function describeRoutes(routes: readonly RoutesReport[]): string {
  const subscriptions = routes.reduce((sum, route) => sum + route.subscriptions, 0);
  const compared = routes.filter((route) => route.compared).length;
  return `subscriptions that changed plans: ${subscriptions}; pairs whose routes were compared: ${compared}`;
}

function processFault(fault: Recovery['fault']): string {
  return fault.kind === 'failpoint'
    ? `${fault.action} at a failpoint`
    : `${fault.kind} of ${fault.target}${fault.kind === 'freeze' && fault.forMs > 15_000 ? ' for more than 15 s' : ''}`;
}

/** How often each text occurs, the most frequent first. */
function describeCounts(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([text, count]) => `${count} ${text}`).join(', ') || 'none';
}
