import { showSpread } from '../support/format';
import type { SubjectName } from './measure';
import { kindLines } from './report-kinds';
import { spreadOf } from '../support/statistics';
import {
  CONCURRENCIES,
  HEADLINE_CONCURRENCY,
  perSecond,
  STEADY_PER_SECOND,
  Summary,
  type BenchResults,
} from './summary';
import { table } from '../support/table';
import { targetLines } from './targets';

/** The run as text for people; the figures that are compared with a target come first and last. */
export function renderReport(results: BenchResults): string {
  const summary = new Summary(results);
  return [
    `Payments that were approved: ${results.machine}`,
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
    ...kindLines(results),
    '',
    ...targetLines(results),
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
      [`CPU ms per payment, c=${c}`, 'card', 'T', 'F'],
      ['api (T: client, F: server)', cell('card', 'api'), cell('T', 'load'), cell('F', 'floor')],
      ['worker', cell('card', 'worker'), cell('T', 'bare worker'), ''],
      ['Temporal server', cell('card', 'temporal'), cell('T', 'temporal'), ''],
      ['Postgres', cell('card', 'postgres'), cell('T', 'postgres'), cell('F', 'postgres')],
      ['  for Temporal', cell('card', 'postgres/temporal'), cell('T', 'postgres/temporal'), ''],
      [
        '  for its lists',
        cell('card', 'postgres/temporal_visibility'),
        cell('T', 'postgres/temporal_visibility'),
        '',
      ],
      ['  for payments', cell('card', 'postgres/payments'), '', cell('F', 'postgres/floor')],
      [
        'all of these',
        ...(['card', 'T', 'F'] as const).map((name) => showSpread(summary.totalCpuMs(name, c))),
      ],
      ['not counted: simulator', cell('card', 'simulator'), '', cell('F', 'simulator')],
      ['not counted: load client', cell('card', 'load'), '', cell('F', 'load')],
    ]),
    '',
    ...table([
      ['CPU ms per payment, all', 'card', 'T', 'card / T'],
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
  const knee = summary.kneePerSecond('card').toFixed(1);
  return table([
    ['latency ms, open loop, gateway at 0 ms', 'p50', 'p95', 'p99'],
    row(`card, ${STEADY_PER_SECOND}/s`, 'card', 'steady'),
    row(`T, ${STEADY_PER_SECOND}/s`, 'T', 'steady'),
    row(`F, ${STEADY_PER_SECOND}/s`, 'F', 'steady'),
    row(`card, 70% of its knee (${knee}/s)`, 'card', 'loaded'),
  ]);
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
