import { showNumber } from '../support/format';
import { spreadOf } from '../support/statistics';
import { HEADLINE_CONCURRENCY, STEADY_PER_SECOND, Summary, type BenchResults } from './summary';
import { table } from '../support/table';

/** What is asked of a card payment's figure: solid is expected, the goal is where it should get to; null where nothing is asked. */
export interface Target {
  readonly what: string;
  readonly value: number;
  readonly solid: number | null;
  readonly goal: number | null;
  readonly better: 'lower' | 'higher';
}

export function targets(results: BenchResults): Target[] {
  const summary = new Summary(results);
  const steady = summary.open('card', 'steady');
  const p50 = spreadOf(steady.map(({ p50Ms }) => p50Ms)).median;
  const p99 = spreadOf(steady.map(({ p99Ms }) => p99Ms)).median;
  const loaded = spreadOf(summary.open('card', 'loaded').map(({ p99Ms }) => p99Ms)).median;
  const knee = summary.kneePerSecond('card');
  return [
    lower('CPU per payment / T', summary.cpuRatio('card', HEADLINE_CONCURRENCY).median, 1.6, 0.9),
    higher('payments/s / T, at the knees', knee / summary.kneePerSecond('T'), 0.6, 1),
    higher('payments/s / F, at the knees', knee / summary.kneePerSecond('F'), 0.08, 0.3),
    lower(`p50 ms at ${STEADY_PER_SECOND}/s`, p50, 60, 25),
    lower(`p99 ms at ${STEADY_PER_SECOND}/s`, p99, null, 60),
    lower('p99 ms at 70% of the knee', loaded, 800, 250),
    lower('history events per payment', results.historyEvents.card, 14, null),
    lower('Postgres commits per payment', results.commits.card, 6, null),
  ];
}

const lower = (what: string, value: number, solid: number | null, goal: number | null): Target => ({
  ...{ what, value, solid, goal },
  better: 'lower',
});
const higher = (what: string, value: number, solid: number | null, goal: number | null): Target => ({
  ...{ what, value, solid, goal },
  better: 'higher',
});

export function targetLines(results: BenchResults): string[] {
  const asked = targets(results);
  const summary = new Summary(results);
  const [card, F] = [summary.kneePerSecond('card'), summary.kneePerSecond('F')];
  return [
    ...table([
      ['card payment', 'this run', 'solid', 'goal', 'reached'],
      ...asked.map((target) => [
        target.what,
        showNumber(target.value),
        target.solid === null ? '' : String(target.solid),
        target.goal === null ? '' : String(target.goal),
        reached(target),
      ]),
    ]),
    '',
    `payments/s / F: ${showNumber(card / F)} (${showNumber(card)}/s of ${showNumber(F)}/s)`,
    columnLine('Solid', 'solid', asked),
    columnLine('Goal', 'goal', asked),
  ];
}

function reached(target: Target): string {
  if (holds(target, 'goal') === true) return 'goal';
  const solid = holds(target, 'solid');
  if (solid === null) return 'not yet';
  return solid ? 'solid' : 'NO';
}

/** Which of a column's lines hold. */
function columnLine(title: string, column: 'solid' | 'goal', asked: readonly Target[]): string {
  const lines = asked.filter((target) => target[column] !== null);
  const missed = lines.filter((target) => holds(target, column) === false).map(({ what }) => what);
  const held = `${title}: ${lines.length - missed.length} of ${lines.length} lines hold`;
  return missed.length === 0 ? held : `${held}, not: ${missed.join('; ')}`;
}

/** Null where nothing is asked. */
function holds(target: Target, column: 'solid' | 'goal'): boolean | null {
  const limit = target[column];
  if (limit === null) return null;
  return target.better === 'lower' ? target.value <= limit : target.value >= limit;
}
