import type { SubjectName } from './measure';
import { spreadOf, type Spread } from './statistics';
import {
  CONCURRENCIES,
  COUNTED,
  HEADLINE_CONCURRENCY,
  perSecond,
  STEADY_PER_SECOND,
  Summary,
  type BenchResults,
} from './summary';
import { table } from './table';

/** What is asked of a figure: solid is expected, the goal is where it should get to; null where nothing is asked. */
interface Target {
  readonly what: string;
  readonly value: number;
  readonly solid: number | null;
  readonly goal: number | null;
  readonly better: 'lower' | 'higher';
}

/** The run as text for people; the figures that are compared with a target come first and last. */
export function renderReport(results: BenchResults): string {
  const summary = new Summary(results);
  return [
    `Approved card payments: ${results.machine}`,
    `Temporal: ${results.temporal}. Postgres: ${results.postgres}. Commit ${results.commit}.`,
    'T: a bare workflow with one activity on the same Temporal. F: Express, two commits around the gateway call.',
    'Medians of the rounds (lowest to highest).',
    '',
    ...cpuLines(summary),
    '',
    ...rateLines(summary),
    '',
    ...latencyLines(summary),
    '',
    ...targetLines(targets(results, summary)),
    '',
    ...verdictLines(results),
  ].join('\n');
}

function cpuLines(summary: Summary): string[] {
  const c = HEADLINE_CONCURRENCY;
  const cell = (subject: SubjectName, process: string): string =>
    showSpread(summary.cpuMs(subject, c, process));
  return [
    ...table([
      [`CPU ms per payment, c=${c}`, 'engine', 'T', 'F'],
      ['api (T: client, F: server)', cell('engine', 'api'), cell('T', 'load'), cell('F', 'floor')],
      ['worker', cell('engine', 'worker'), cell('T', 'bare worker'), ''],
      ['Temporal server', cell('engine', 'temporal'), cell('T', 'temporal'), ''],
      ['Postgres', cell('engine', 'postgres'), cell('T', 'postgres'), cell('F', 'postgres')],
      ['  for Temporal', cell('engine', 'postgres/temporal'), cell('T', 'postgres/temporal'), ''],
      [
        '  for its lists',
        cell('engine', 'postgres/temporal_visibility'),
        cell('T', 'postgres/temporal_visibility'),
        '',
      ],
      ['  for payments', cell('engine', 'postgres/payments'), '', cell('F', 'postgres/floor')],
      [
        'all of these',
        ...(Object.keys(COUNTED) as SubjectName[]).map((name) => showSpread(summary.totalCpuMs(name, c))),
      ],
      ['not counted: simulator', cell('engine', 'simulator'), '', cell('F', 'simulator')],
      ['not counted: load client', cell('engine', 'load'), '', cell('F', 'load')],
    ]),
    '',
    ...table([
      ['CPU ms per payment, all', 'engine', 'T', 'engine / T'],
      ...CONCURRENCIES.map((concurrency) => [
        `c=${concurrency}`,
        showSpread(summary.totalCpuMs('engine', concurrency)),
        showSpread(summary.totalCpuMs('T', concurrency)),
        showSpread(summary.cpuRatio(concurrency)),
      ]),
    ]),
  ];
}

function rateLines(summary: Summary): string[] {
  const rate = (subject: SubjectName, c: number): string =>
    showSpread(spreadOf(perSecond(summary.closed(subject, c))));
  return table([
    ['payments/s, closed loop', 'engine', 'T', 'F', 'engine / T', 'engine / F'],
    ...CONCURRENCIES.map((c) => [
      `c=${c}`,
      rate('engine', c),
      rate('T', c),
      rate('F', c),
      showSpread(summary.rateRatio('T', c)),
      showSpread(summary.rateRatio('F', c)),
    ]),
  ]);
}

function latencyLines(summary: Summary): string[] {
  const row = (title: string, subject: SubjectName, which: 'steady' | 'loaded'): string[] => {
    const rounds = summary.open(subject, which);
    return [
      title,
      showSpread(spreadOf(rounds.map(({ p50Ms }) => p50Ms))),
      showSpread(spreadOf(rounds.map(({ p95Ms }) => p95Ms))),
      showSpread(spreadOf(rounds.map(({ p99Ms }) => p99Ms))),
    ];
  };
  const knee = summary.kneePerSecond('engine').toFixed(1);
  return table([
    ['latency ms, open loop, gateway at 0 ms', 'p50', 'p95', 'p99'],
    row(`engine, ${STEADY_PER_SECOND}/s`, 'engine', 'steady'),
    row(`T, ${STEADY_PER_SECOND}/s`, 'T', 'steady'),
    row(`F, ${STEADY_PER_SECOND}/s`, 'F', 'steady'),
    row(`engine, 70% of its knee (${knee}/s)`, 'engine', 'loaded'),
  ]);
}

function targets({ historyEvents, commitsPerPayment }: BenchResults, summary: Summary): Target[] {
  const steady = summary.open('engine', 'steady');
  const p50 = spreadOf(steady.map(({ p50Ms }) => p50Ms)).median;
  const p99 = spreadOf(steady.map(({ p99Ms }) => p99Ms)).median;
  const loaded = spreadOf(summary.open('engine', 'loaded').map(({ p99Ms }) => p99Ms)).median;
  const knee = (subject: SubjectName): number => summary.kneePerSecond(subject);
  return [
    {
      what: 'CPU per payment / T',
      value: summary.cpuRatio(HEADLINE_CONCURRENCY).median,
      solid: 1.6,
      goal: 0.9,
      better: 'lower',
    },
    {
      what: 'payments/s / T, at the knees',
      value: knee('engine') / knee('T'),
      solid: 0.6,
      goal: 1,
      better: 'higher',
    },
    {
      what: 'payments/s / F, at the knees',
      value: knee('engine') / knee('F'),
      solid: 0.08,
      goal: 0.3,
      better: 'higher',
    },
    { what: `p50 ms at ${STEADY_PER_SECOND}/s`, value: p50, solid: 60, goal: 25, better: 'lower' },
    { what: `p99 ms at ${STEADY_PER_SECOND}/s`, value: p99, solid: null, goal: 60, better: 'lower' },
    { what: 'p99 ms at 70% of the knee', value: loaded, solid: 800, goal: 250, better: 'lower' },
    {
      what: 'history events per payment',
      value: historyEvents.engine,
      solid: 14,
      goal: null,
      better: 'lower',
    },
    { what: 'Postgres commits per payment', value: commitsPerPayment, solid: 6, goal: null, better: 'lower' },
  ];
}

function targetLines(rows: readonly Target[]): string[] {
  return table([
    ['measure', 'this run', 'solid', 'goal', 'reached'],
    ...rows.map((target) => [
      target.what,
      showNumber(target.value),
      target.solid === null ? '' : String(target.solid),
      target.goal === null ? '' : String(target.goal),
      reached(target),
    ]),
  ]);
}

function reached({ value, solid, goal, better }: Target): string {
  const meets = (limit: number): boolean => (better === 'lower' ? value <= limit : value >= limit);
  if (goal !== null && meets(goal)) return 'goal';
  if (solid === null) return 'not yet';
  return meets(solid) ? 'solid' : 'NO';
}

function verdictLines({ payments, violations, elapsedSeconds }: BenchResults): string[] {
  const duration = `${Math.round(elapsedSeconds)} s`;
  if (violations.length === 0) {
    return [
      `All ${payments} acknowledged payments are approved and captured once: ledger = database. ${duration}`,
    ];
  }
  return [`${violations.length} DISAGREEMENTS between ledger and database:`, ...violations.slice(0, 20)];
}

function showSpread({ median, min, max }: Spread): string {
  return `${showNumber(median)} (${showNumber(min)} to ${showNumber(max)})`;
}

/** Three figures are more than a shared machine can tell. */
function showNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
