import { showNumber, showSpread } from '../support/format';
import { CPU_SHARES, kindsFigures, type CpuShare, type KindFigures } from './kinds';
import { PAYMENT_KINDS } from '../support/load-process';
import { HEADLINE_CONCURRENCY, STEADY_PER_SECOND, type BenchResults } from './summary';
import { table } from '../support/table';

const SHARE_TITLES: Readonly<Record<CpuShare, string>> = {
  all: 'CPU / T',
  api: '  api',
  worker: '  worker',
  temporal: '  Temporal server',
  postgres: '  Postgres',
};

/** The ways to pay, beside each other. */
export function kindLines(results: BenchResults): string[] {
  const figures = kindsFigures(results);
  const row = (title: string, cell: (of: KindFigures) => string): string[] => [
    title,
    ...PAYMENT_KINDS.map((kind) => cell(figures[kind])),
  ];
  const at = `at ${STEADY_PER_SECOND}/s`;
  return [
    ...table([
      [`each kind of payment, c=${HEADLINE_CONCURRENCY}`, ...PAYMENT_KINDS],
      ...CPU_SHARES.map((share) => row(SHARE_TITLES[share], ({ cpuOfT }) => showSpread(cpuOfT[share]))),
      row('payments/s', ({ perSecond }) => showSpread(perSecond)),
      row(`answered, p50 ms ${at}`, ({ answered }) => showSpread(answered.p50Ms)),
      row(`answered, p95 ms ${at}`, ({ answered }) => showSpread(answered.p95Ms)),
      row(`second step, p50 ms ${at}`, ({ followUp }) => (followUp ? showSpread(followUp.p50Ms) : '')),
      row(`second step, p95 ms ${at}`, ({ followUp }) => (followUp ? showSpread(followUp.p95Ms) : '')),
      row('history events', ({ historyEvents }) => showNumber(historyEvents)),
      row('Postgres commits', ({ commits }) => showNumber(commits)),
    ]),
    'CPU of each process in parts of all that T uses. The second step of a pix: from its customer paying until its row',
    'says approved, over a callback and an inquiry. Of a capture: the authorized payment is captured whole.',
  ];
}
