import { showNumber } from '../support/format';
import { table } from '../support/table';

/** What a benchmark measures of a figure. */
type FigureName = (typeof FIGURES)[number]['name'];
export type MeasuredFigures = Partial<Record<FigureName, number>>;

/** The result of one benchmark. */
export interface BenchPart {
  readonly figures: MeasuredFigures;
  /** Differences between the records of the service, the ledger and the load. */
  readonly violations: readonly string[];
}

interface FigureLimits {
  readonly name: string;
  readonly title: string;
  readonly solid: number;
  readonly goal: number;
  readonly better: 'lower' | 'higher';
}

/** The figures by which the service is judged, in the order in which they are shown. */
export const FIGURES = [
  lower('cpuPerPayment', 'CPU per card payment / T', 0.95, 0.6),
  higher('rateToT', 'payments/s / T at the knee', 1, 1.5),
  higher('rateToF', 'payments/s / F at the knee', 0.04, 0.1),
  lower('p50ToT', "p50 at 10/s / T's", 0.75, 0.5),
  lower('p99Loaded', 'p99 at 70% of the knee, ms', 400, 150),
  lower('cpuPerPix', 'pix created and paid: CPU / T', 1.7, 1.1),
  lower('cpuPerCapture', 'authorize and capture: CPU / T', 1.6, 1),
  lower('cpuPerDelivery', 'CPU per delivered webhook / T', 0.6, 0.4),
  higher('deliveriesToQ', 'deliveries/s / Q', 0.06, 0.12),
  lower('historyEvents', 'history events per card payment', 7, 6),
  lower('statements', 'statements per card payment', 18, 12),
  lower('commits', 'commits per card payment', 4, 3),
  higher('renewalsToT', 'renewals/s / T', 0.8, 1.2),
  lower('observedToPlain', 'card payment with metrics and traces: CPU / without', 1.05, 1.02),
  lower('recoveryApi', 'recovery after kill -9 of the API, s', 5, 3),
  lower('recoveryWorker', 'recovery after kill -9 of the worker, s', 5, 3),
] as const;

function lower<Name extends string>(name: Name, title: string, solid: number, goal: number) {
  return { name, title, solid, goal, better: 'lower' } as const;
}

function higher<Name extends string>(name: Name, title: string, solid: number, goal: number) {
  return { name, title, solid, goal, better: 'higher' } as const;
}

/** The table of all figures with their limits; those that were not measured have no value. */
export function figureLines(measured: MeasuredFigures): string[] {
  const limits: readonly (FigureLimits & { name: FigureName })[] = FIGURES;
  return table([
    ['figure', 'measured', 'solid', 'goal', 'result'],
    ...limits.map((figure) => {
      const value = measured[figure.name];
      return [
        figure.title,
        value === undefined ? '' : showNumber(value),
        String(figure.solid),
        String(figure.goal),
        value === undefined ? 'not measured' : rating(figure, value),
      ];
    }),
  ]);
}

function rating({ better, solid, goal }: FigureLimits, value: number): string {
  const meets = (limit: number): boolean => (better === 'lower' ? value <= limit : value >= limit);
  if (meets(goal)) return 'goal';
  return meets(solid) ? 'solid' : 'MISSED';
}
