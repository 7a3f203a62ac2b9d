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
  openRounds: 3,
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
  for (let round = 1; round <= plan.closedRounds; round += 1) {
    for (const concurrency of CONCURRENCIES) {
      const load = { kind: 'closed', concurrency, forMs: plan.closedMs } as const;
      const rates: string[] = [];
      for (const subject of subjects) {
        if (concurrency !== HEADLINE_CONCURRENCY && isHeadlineOnly(subject)) continue;
        const { perSecond } = await meter.measure(subject, load);
        rates.push(`${subject.name} ${perSecond.toFixed(1)}/s`);
      }
      console.log(`Round ${round} of ${plan.closedRounds}, c=${concurrency}: ${rates.join(', ')}`);
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
  for (let round = 1; round <= plan.openRounds; round += 1) {
    console.log(`Open loop, round ${round} of ${plan.openRounds} ...`);
    for (const subject of subjects) {
      await meter.measure(subject, { kind: 'open', perSecond: STEADY_PER_SECOND, forMs: plan.openMs });
      if (subject.name !== 'card') continue;
      await meter.measure(subject, { kind: 'open', perSecond: PEAK_SHARE * peak, forMs: plan.openMs });
    }
  }
}
