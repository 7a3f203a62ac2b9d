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

/** The table that compares the kinds of payment. */
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
      row(`response, p50 ms ${at}`, ({ response }) => showSpread(response.p50Ms)),
      row(`response, p95 ms ${at}`, ({ response }) => showSpread(response.p95Ms)),
      row(`second step, p50 ms ${at}`, ({ followUp }) => (followUp ? showSpread(followUp.p50Ms) : '')),
      row(`second step, p95 ms ${at}`, ({ followUp }) => (followUp ? showSpread(followUp.p95Ms) : '')),
      row('history events', ({ historyEvents }) => showNumber(historyEvents)),
      row('Postgres statements', ({ writes }) => showNumber(writes.statements)),
      row('Postgres commits', ({ writes }) => showNumber(writes.commits)),
    ]),
    'CPU of each process relative to the total of T. Second step of a pix: from the payment at the gateway until the row',
    'is approved, after a callback and a status inquiry. Second step of a capture: the capture of the full amount.',
  ];
}
