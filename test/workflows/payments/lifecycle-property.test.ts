import fc from 'fast-check';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { illegalTransitions, watchTransitions } from '../../faults/support/transitions';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import {
  PaymentScenario,
  createScenarioMerchants,
  type ScenarioMerchants,
} from '../../support/scenarios/payment-scenario';
import { scenarioPlans, runsAndSeed } from '../../support/scenarios/payment-scenario-plan';

/** Several lost answers in a scenario take long until absence is proven. */
const RUN_TIMEOUT_MS = 60_000;
const RUNS = 12;
const { numRuns, seed } = runsAndSeed(RUNS);

let api: EngineApi;
const merchantsByGateway = new Map<GatewaySlug, ScenarioMerchants>();
beforeAll(async () => {
  api = await startEngineApi({
    PAYMENT_SYNC_TIMEOUT: '2',
    GATEWAY_TIMEOUT: '0.5',
    SEND_WINDOW: '0.5',
    ABSENCE_PROVEN_AFTER: '1.1',
    STUCK_AFTER: '5',
  });
  await watchTransitions(api.engine.context.db);
  for (const gateway of ['gateway_1', 'gateway_2', 'gateway_3'] as const) {
    merchantsByGateway.set(gateway, await createScenarioMerchants(api, gateway));
  }
});
afterAll(() => api.stop());

describe('any scenario of a payment', () => {
  it(
    'it loses no money, makes only legal transitions and ends in agreement with the ledger of the gateway',
    async () => {
      const scenarios = fc.asyncProperty(scenarioPlans, async (plan) => {
        const merchants = merchantsByGateway.get(plan.gateway);
        if (merchants === undefined) throw new Error(`no merchants at ${plan.gateway}`);
        expect(await PaymentScenario.run(api, merchants, plan)).toEqual([]);
        expect(await illegalTransitions(api.engine.context.db)).toEqual([]);
      });
      await fc.assert(scenarios, { numRuns, seed, endOnFailure: numRuns === RUNS });
    },
    numRuns * RUN_TIMEOUT_MS,
  );
});
