import { parseArgs } from 'node:util';
import { benchObservability } from '../observability/observability-bench';
import { benchPayments } from '../payments/payments-bench';
import { benchRecovery } from '../recovery/recovery-bench';
import { benchRenewals } from '../subscriptions/renewals-bench';
import { writeResults } from '../support/results';
import { benchDeliveries } from '../webhooks/deliveries-bench';
import { figureLines, type BenchPart, type MeasuredFigures } from './figures';

/**
 * `npm run bench`: measures the figures by which the service is judged, one benchmark after the other, and shows them in
 * one table. Names of benchmarks select some: `npm run bench -- payments recovery`. `--quick` checks in a few minutes that
 * they work; its figures are rough.
 */

const BENCHES: Readonly<Record<string, (quick: boolean) => Promise<BenchPart>>> = {
  payments: benchPayments,
  deliveries: benchDeliveries,
  renewals: benchRenewals,
  recovery: benchRecovery,
  observability: benchObservability,
};

async function main(): Promise<void> {
  const options = { quick: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const names = positionals.length === 0 ? Object.keys(BENCHES) : positionals;
  let figures: MeasuredFigures = {};
  const violations: string[] = [];
  for (const name of names) {
    const bench = BENCHES[name];
    if (bench === undefined) throw new Error(`a benchmark is one of ${Object.keys(BENCHES).join(', ')}`);
    console.log(`\n== ${name} ==\n`);
    const part = await bench(values.quick);
    figures = { ...figures, ...part.figures };
    violations.push(...part.violations);
  }
  console.log(`\n${figureLines(figures).join('\n')}\n`);
  console.log(`Figures: ${writeResults('figures', { quick: values.quick, figures, violations })}`);
  if (violations.length > 0) {
    console.log(['VIOLATIONS', ...violations.slice(0, 20)].join('\n'));
    process.exitCode = 1;
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
