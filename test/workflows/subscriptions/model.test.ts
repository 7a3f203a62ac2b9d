import fc from 'fast-check';
import { runsAndSeed } from '../../support/scenarios/payment-scenario-plan';
import { SubscriptionScenarioRunner, subscriptionScenarioPlans } from './scenario-arbitrary';
import { startMerchant, type SubscriptionMerchant } from './subscription-merchant';

/** Run concurrently, because a scenario mostly waits. */
const SCENARIOS_PER_RUN = 4;
const RUN_TIMEOUT_MS = 90_000;
const RUNS = 3;
const { numRuns, seed } = runsAndSeed(RUNS);

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant();
});
afterAll(() => merchant.api.stop());

describe('a subscription in any scenario', () => {
  it(
    'charges each cycle once, as its upcoming charges say, and publishes its events in order',
    async () => {
      const batches = fc.array(subscriptionScenarioPlans, {
        minLength: SCENARIOS_PER_RUN,
        maxLength: SCENARIOS_PER_RUN,
      });
      const property = fc.asyncProperty(batches, async (plans) => {
        const violations = await Promise.all(
          plans.map((plan) => SubscriptionScenarioRunner.run(merchant, plan)),
        );
        expect(violations.flat()).toEqual([]);
      });
      await fc.assert(property, { numRuns, seed, endOnFailure: true });
    },
    numRuns * RUN_TIMEOUT_MS,
  );
});
