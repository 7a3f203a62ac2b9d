import { markOf } from '../support/neighbours';
import type { Meter, BenchSubject } from './measure';
import { CONCURRENCIES, HEADLINE_CONCURRENCY, STEADY_PER_SECOND, Summary } from './summary';

export interface BenchPlan {
  readonly warmUpMs: number;
  /** The number of payments of each kind for counting commits. */
  readonly counted: number;
  readonly closedRounds: number;
  readonly closedMs: number;
  readonly openRounds: number;
  readonly openMs: number;
}

export const FULL: BenchPlan = {
  warmUpMs: 3_000,
  counted: 150,
  closedRounds: 5,
  closedMs: 4_500,
  openRounds: 5,
  openMs: 11_000,
};
export const QUICK: BenchPlan = {
  warmUpMs: 2_000,
  counted: 40,
  closedRounds: 2,
  closedMs: 1_500,
  openRounds: 1,
  openMs: 4_000,
};
const PEAK_SHARE = 0.7;

export async function warmUp(
  meter: Meter,
  subjects: readonly BenchSubject[],
  plan: BenchPlan,
): Promise<void> {
  console.log('Warming up ...');
  for (const subject of subjects) {
    const load = { kind: 'closed', concurrency: HEADLINE_CONCURRENCY, forMs: plan.warmUpMs } as const;
    await meter.runUnmeasured(subject, load);
  }
}

/** Measures the subjects in turn in each round, so that a slow phase of the machine affects all of them. */
export async function closedRounds(
  meter: Meter,
  subjects: readonly BenchSubject[],
  plan: BenchPlan,
): Promise<void> {
  for (let round = 0; round < plan.closedRounds; round += 1) {
    for (const concurrency of CONCURRENCIES) {
      const load = { kind: 'closed', concurrency, forMs: plan.closedMs } as const;
      const rates: string[] = [];
      let neighbours = 0;
      for (const subject of subjects) {
        if (concurrency !== HEADLINE_CONCURRENCY && isHeadlineOnly(subject)) continue;
        const measurement = await meter.measure(subject, load, round);
        rates.push(`${subject.name} ${measurement.perSecond.toFixed(1)}/s`);
        neighbours = Math.max(neighbours, measurement.neighbours);
      }
      const title = `Round ${round + 1} of ${plan.closedRounds}, c=${concurrency}`;
      console.log(`${title}: ${rates.join(', ')}${markOf(neighbours)}`);
    }
  }
}

function isHeadlineOnly({ name }: BenchSubject): boolean {
  return name === 'pix' || name === 'capture';
}

/** Measures all subjects at a steady rate, and the card payment also at a share of its highest throughput. */
export async function openRounds(
  meter: Meter,
  subjects: readonly BenchSubject[],
  plan: BenchPlan,
): Promise<void> {
  const peak = new Summary(meter).peakPerSecond('card');
  for (let round = 0; round < plan.openRounds; round += 1) {
    console.log(`Open loop, round ${round + 1} of ${plan.openRounds} ...`);
    for (const subject of subjects) {
      const rates = subject.name === 'card' ? [STEADY_PER_SECOND, PEAK_SHARE * peak] : [STEADY_PER_SECOND];
      for (const perSecond of rates) {
        const { neighbours } = await meter.measure(
          subject,
          { kind: 'open', perSecond, forMs: plan.openMs },
          round,
        );
        if (markOf(neighbours) !== '') console.log(`${subject.name}${markOf(neighbours)}`);
      }
    }
  }
}
