import type { Meter, Subject } from './measure';
import { CONCURRENCIES, HEADLINE_CONCURRENCY, STEADY_PER_SECOND, Summary } from './summary';

export interface Plan {
  readonly warmUpMs: number;
  /** Payments of each kind whose commits are counted. */
  readonly counted: number;
  readonly closedRounds: number;
  readonly closedMs: number;
  readonly openRounds: number;
  readonly openMs: number;
}

export const FULL: Plan = {
  warmUpMs: 3_000,
  counted: 150,
  closedRounds: 5,
  closedMs: 4_500,
  openRounds: 3,
  openMs: 11_000,
};
export const QUICK: Plan = {
  warmUpMs: 2_000,
  counted: 40,
  closedRounds: 2,
  closedMs: 1_500,
  openRounds: 1,
  openMs: 4_000,
};
const KNEE_SHARE = 0.7;

export async function warmUp(meter: Meter, subjects: readonly Subject[], plan: Plan): Promise<void> {
  console.log('Warming up ...');
  for (const subject of subjects) {
    const load = { kind: 'closed', concurrency: HEADLINE_CONCURRENCY, forMs: plan.warmUpMs } as const;
    await meter.unmeasured(subject, load);
  }
}

/** Every subject in turn, round after round: what slows the machine for a while slows them all. */
export async function closedRounds(meter: Meter, subjects: readonly Subject[], plan: Plan): Promise<void> {
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

function isHeadlineOnly({ name }: Subject): boolean {
  return name === 'pix' || name === 'capture';
}

/** At a steady rate all of them; near its knee the card payment alone. */
export async function openRounds(meter: Meter, subjects: readonly Subject[], plan: Plan): Promise<void> {
  const knee = new Summary(meter).kneePerSecond('card');
  for (let round = 1; round <= plan.openRounds; round += 1) {
    console.log(`Open loop, round ${round} of ${plan.openRounds} ...`);
    for (const subject of subjects) {
      await meter.measure(subject, { kind: 'open', perSecond: STEADY_PER_SECOND, forMs: plan.openMs });
      if (subject.name !== 'card') continue;
      await meter.measure(subject, { kind: 'open', perSecond: KNEE_SHARE * knee, forMs: plan.openMs });
    }
  }
}
