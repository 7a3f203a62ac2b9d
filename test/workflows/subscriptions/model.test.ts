import fc from 'fast-check';
import { runsAndSeed } from '../../support/scenarios/payment-scenario-plan';
import { AnyLife, lifePlan } from './scenario-arbitrary';
import { openShop, type SubscriptionShop } from './subscription-merchant';

/** At once: most of a life is waiting. */
const LIVES_A_RUN = 4;
const A_RUN_MS = 90_000;
const RUNS = 3;
const { numRuns, seed } = runsAndSeed(RUNS);

let shop: SubscriptionShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.api.stop());

describe('a subscription’s life', () => {
  it(
    'whatever is asked of it and whenever its clock is moved, charges each cycle once, as foreseen, and tells of it in order',
    async () => {
      const several = fc.array(lifePlan, { minLength: LIVES_A_RUN, maxLength: LIVES_A_RUN });
      const lives = fc.asyncProperty(several, async (plans) => {
        const wrongs = await Promise.all(plans.map((plan) => AnyLife.live(shop, plan)));
        expect(wrongs.flat()).toEqual([]);
      });
      await fc.assert(lives, { numRuns, seed, endOnFailure: true });
    },
    numRuns * A_RUN_MS,
  );
});
