import fc from 'fast-check';
import type { Interval } from '../../../src/domain/subscriptions/billing-calendar';
import type { Behavior } from '../../../src/simulator/scripts';
import { anyForeignPage } from '../fixtures/foreign-pages';

const HOUR_MS = 3_600_000;
const DAYS = 24;

export interface PricedPlan {
  readonly amount: number;
  readonly interval: Interval;
  readonly interval_count: number;
}

/** Two subscriptions to one plan. At one instant one changes to the last plan, and the other does by a detour. */
export interface RoutePlan {
  readonly first: PricedPlan;
  readonly detour: readonly PricedPlan[];
  readonly last: PricedPlan;
  /** How long after the creation the plans change. */
  readonly changeAfterMs: number;
  /** How long the last plan runs. */
  readonly runsMs: number;
  /** How the gateway answers the first charge, and the first charge of a full period of the last plan. */
  readonly behaviors: readonly [Behavior | null, Behavior | null];
}

/** In cents. Prices that divide no period evenly; high, so that no price difference is too small to be charged. */
const MONTHLY: readonly PricedPlan[] = [1_004_013, 2_010_007, 5_030_011].map((amount) => ({
  amount,
  interval: 'monthly',
  interval_count: 1,
}));
const OTHERS: readonly PricedPlan[] = [
  { amount: 5_027_017, interval: 'monthly', interval_count: 3 },
  { amount: 602_503, interval: 'weekly', interval_count: 1 },
  { amount: 9_999_989, interval: 'yearly', interval_count: 1 },
];

const behavior = fc.option(anyForeignPage);
const hours = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min, max }).map((count) => count * HOUR_MS);

const plan = fc.constantFrom(...MONTHLY, ...OTHERS);
const twoMonthly = fc
  .tuple(fc.constantFrom(...MONTHLY), fc.constantFrom(...MONTHLY))
  .filter(([first, second]) => first !== second);

/** Every detour changes the price of the running period, up or down, and then the interval. */
export const routePlans: fc.Arbitrary<RoutePlan> = fc
  .record({
    monthly: twoMonthly,
    other: fc.constantFrom(...OTHERS),
    further: fc.array(plan, { maxLength: 2 }),
    last: plan,
    changeAfterMs: hours(1, 35 * DAYS),
    runsMs: hours(20 * DAYS, 40 * DAYS),
    behaviors: fc.tuple(behavior, behavior),
  })
  .filter(({ monthly: [first], last }) => first !== last)
  .map(({ monthly: [first, second], other, further, last, ...rest }) => {
    const changes = [second, other, ...further, last];
    const detour = changes.filter((to, index) => to !== changes[index + 1]).slice(0, -1);
    return { first, detour, last, ...rest };
  });

/** The same seed gives the same plans. */
export function planRoutes(seed: number, count: number): RoutePlan[] {
  return fc.sample(routePlans, { seed, numRuns: count, unbiased: true });
}
