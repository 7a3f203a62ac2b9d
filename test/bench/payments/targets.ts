import { showNumber } from '../support/format';
import { spreadOf } from '../support/statistics';
import { HEADLINE_CONCURRENCY, STEADY_PER_SECOND, Summary, type BenchResults } from './summary';
import { table } from '../support/table';

/** A measured value of the card payment with its limits; null without a limit. */
export interface PerformanceTarget {
  readonly metric: string;
  readonly value: number;
  readonly acceptable: number | null;
  readonly goal: number | null;
  readonly better: 'lower' | 'higher';
}

export function targets(results: BenchResults): PerformanceTarget[] {
  const summary = new Summary(results);
  const steady = summary.open('card', 'steady');
  const p50 = spreadOf(steady.map(({ p50Ms }) => p50Ms)).median;
  const p99 = spreadOf(steady.map(({ p99Ms }) => p99Ms)).median;
  const loaded = spreadOf(summary.open('card', 'loaded').map(({ p99Ms }) => p99Ms)).median;
  const peak = summary.peakPerSecond('card');
  return [
    lower('CPU per payment / T', summary.cpuRatio('card', HEADLINE_CONCURRENCY).median, 1.6, 0.9),
    higher('payments/s / T, highest rates', peak / summary.peakPerSecond('T'), 0.6, 1),
    higher('payments/s / F, highest rates', peak / summary.peakPerSecond('F'), 0.08, 0.3),
    lower(`p50 ms at ${STEADY_PER_SECOND}/s`, p50, 60, 25),
    lower(`p99 ms at ${STEADY_PER_SECOND}/s`, p99, null, 60),
    lower('p99 ms at 70% of the highest rate', loaded, 800, 250),
    lower('history events per payment', results.historyEvents.card, 14, null),
    lower('Postgres commits per payment', results.commits.card, 6, null),
  ];
}

const lower = (
  metric: string,
  value: number,
  acceptable: number | null,
  goal: number | null,
): PerformanceTarget => ({
  ...{ metric, value, acceptable, goal },
  better: 'lower',
});
const higher = (
  metric: string,
  value: number,
  acceptable: number | null,
  goal: number | null,
): PerformanceTarget => ({
  ...{ metric, value, acceptable, goal },
  better: 'higher',
});

export function targetLines(results: BenchResults): string[] {
  const rows = targets(results);
  const summary = new Summary(results);
  const [card, F] = [summary.peakPerSecond('card'), summary.peakPerSecond('F')];
  return [
    ...table([
      ['card payment', 'this run', 'acceptable', 'goal', 'result'],
      ...rows.map((target) => [
        target.metric,
        showNumber(target.value),
        target.acceptable === null ? '' : String(target.acceptable),
        target.goal === null ? '' : String(target.goal),
        rating(target),
      ]),
    ]),
    '',
    `payments/s / F: ${showNumber(card / F)} (${showNumber(card)}/s of ${showNumber(F)}/s)`,
    summaryLine('Acceptable', 'acceptable', rows),
    summaryLine('Goal', 'goal', rows),
  ];
}

function rating(target: PerformanceTarget): string {
  if (isMet(target, 'goal') === true) return 'goal';
  const acceptable = isMet(target, 'acceptable');
  if (acceptable === null) return 'goal missed';
  return acceptable ? 'acceptable' : 'MISSED';
}

/** How many of a column's limits are met, and which are not. */
function summaryLine(
  title: string,
  column: 'acceptable' | 'goal',
  targetRows: readonly PerformanceTarget[],
): string {
  const limited = targetRows.filter((target) => target[column] !== null);
  const missed = limited.filter((target) => isMet(target, column) === false).map(({ metric }) => metric);
  const summary = `${title}: ${limited.length - missed.length} of ${limited.length} met`;
  return missed.length === 0 ? summary : `${summary}; missed: ${missed.join('; ')}`;
}

/** Null without a limit. */
function isMet(target: PerformanceTarget, column: 'acceptable' | 'goal'): boolean | null {
  const limit = target[column];
  if (limit === null) return null;
  return target.better === 'lower' ? target.value <= limit : target.value >= limit;
}
