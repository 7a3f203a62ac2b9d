import { showSpread } from '../support/format';
import type { SubjectName } from './measure';
import { describeNeighbours } from '../support/neighbours';
import { kindLines } from './report-kinds';
import { spreadOf } from '../support/statistics';
import {
  CONCURRENCIES,
  HEADLINE_CONCURRENCY,
  isClosed,
  perSecond,
  STEADY_PER_SECOND,
  Summary,
  type BenchResults,
} from './summary';
import { table } from '../support/table';

/** The run as text. */
export function renderReport(results: BenchResults): string {
  const summary = new Summary(results);
  return [
    `Payments benchmark: ${results.machine}`,
    `Temporal: ${results.temporal}. Postgres: ${results.postgres}. Commit ${results.commit}.`,
    'Baseline T: a bare workflow with one activity on the same Temporal. Baseline F: Express, two commits around the gateway call.',
    'Medians of the rounds (minimum to maximum).',
    '',
    ...cpuLines(summary),
    '',
    ...rateLines(summary),
    '',
    ...latencyLines(summary),
    '',
    ...kindLines(results),
    '',
    ...neighbourLines(summary),
    '',
    ...reconciliationLines(results),
  ].join('\n');
}

function cpuLines(summary: Summary): string[] {
  const c = HEADLINE_CONCURRENCY;
  const cell = (subject: SubjectName, process: string): string =>
    showSpread(summary.cpuMs(subject, c, process));
  return [
    ...table([
      [`CPU ms per payment, c=${c}`, 'card', 'T', 'F'],
      ['api (T: client, F: server)', cell('card', 'api'), cell('T', 'load'), cell('F', 'baseline service')],
      ['worker', cell('card', 'worker'), cell('T', 'bare worker'), ''],
      ['Temporal server', cell('card', 'temporal'), cell('T', 'temporal'), ''],
      ['Postgres', cell('card', 'postgres'), cell('T', 'postgres'), cell('F', 'postgres')],
      ['  for Temporal history', cell('card', 'postgres/temporal'), cell('T', 'postgres/temporal'), ''],
      [
        '  for Temporal visibility',
        cell('card', 'postgres/temporal_visibility'),
        cell('T', 'postgres/temporal_visibility'),
        '',
      ],
      ['  for payments', cell('card', 'postgres/payments'), '', cell('F', 'postgres/baseline')],
      ['total', ...(['card', 'T', 'F'] as const).map((name) => showSpread(summary.totalCpuMs(name, c)))],
      ['not counted: simulator', cell('card', 'simulator'), '', cell('F', 'simulator')],
      ['not counted: load client', cell('card', 'load'), '', cell('F', 'load')],
    ]),
    '',
    ...table([
      ['CPU ms per payment, total', 'card', 'T', 'card / T'],
      ...CONCURRENCIES.map((concurrency) => [
        `c=${concurrency}`,
        showSpread(summary.totalCpuMs('card', concurrency)),
        showSpread(summary.totalCpuMs('T', concurrency)),
        showSpread(summary.cpuRatio('card', concurrency)),
      ]),
    ]),
  ];
}

function rateLines(summary: Summary): string[] {
  const rate = (subject: SubjectName, c: number): string =>
    showSpread(spreadOf(perSecond(summary.closed(subject, c))));
  return table([
    ['payments/s, closed loop', 'card', 'T', 'F', 'card / T', 'card / F'],
    ...CONCURRENCIES.map((c) => [
      `c=${c}`,
      rate('card', c),
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
  const peak = summary.peakPerSecond('card').toFixed(1);
  return table([
    ['latency ms, open loop, gateway at 0 ms', 'p50', 'p95', 'p99'],
    row(`card, ${STEADY_PER_SECOND}/s`, 'card', 'steady'),
    row(`T, ${STEADY_PER_SECOND}/s`, 'T', 'steady'),
    row(`F, ${STEADY_PER_SECOND}/s`, 'F', 'steady'),
    row(`card, 70% of its highest rate (${peak}/s)`, 'card', 'loaded'),
  ]);
}

function neighbourLines(summary: Summary): string[] {
  const closed = CONCURRENCIES.map(
    (c) => [`Rounds of c=${c}`, summary.neighbours(({ load }) => isClosed(load, c))] as const,
  );
  const open = ['Open loop', summary.neighbours(({ load }) => load.kind === 'open')] as const;
  return [...closed, open].map(([title, shares]) => `${title}: ${describeNeighbours(shares)}`);
}

function reconciliationLines({ payments, violations, elapsedSeconds }: BenchResults): string[] {
  const duration = `${Math.round(elapsedSeconds)} s`;
  if (violations.length === 0) {
    return [
      `All ${payments} acknowledged payments are approved and captured once; ledger and database agree. ${duration}`,
    ];
  }
  return [`${violations.length} DIFFERENCES between ledger and database:`, ...violations.slice(0, 20)];
}
