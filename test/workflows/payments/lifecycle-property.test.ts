import fc from 'fast-check';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { illegalTransitions, watchTransitions } from '../../faults/support/transitions';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { Life, openShop, type Shop } from '../../support/scenarios/payment-scenario';
import { lifePlan, runsAndSeed } from '../../support/scenarios/payment-scenario-plan';

/** A sequence with several lost answers waits long for the proof of absence. */
const A_RUN_MS = 60_000;
const RUNS = 12;
const { numRuns, seed } = runsAndSeed(RUNS);

let api: EngineApi;
const shops = new Map<GatewaySlug, Shop>();
beforeAll(async () => {
  api = await startEngineApi({
    PAYMENT_SYNC_TIMEOUT: '2',
    GATEWAY_TIMEOUT: '0.5',
    SEND_WINDOW: '0.5',
    ABSENCE_PROVEN_AFTER: '1.1',
    STUCK_AFTER: '5',
  });
  await watchTransitions(api.engine.parts.db);
  for (const gateway of ['gateway_1', 'gateway_2', 'gateway_3'] as const) {
    shops.set(gateway, await openShop(api, gateway));
  }
});
afterAll(() => api.stop());

describe('a payment’s life', () => {
  it(
    'whatever happens to it, in whatever order, loses no money, moves nowhere it must not, and ends as its gateway’s books say',
    async () => {
      const lives = fc.asyncProperty(lifePlan, async (plan) => {
        const shop = shops.get(plan.gateway);
        if (shop === undefined) throw new Error(`nobody sells at ${plan.gateway}`);
        expect(await Life.live(api, shop, plan)).toEqual([]);
        expect(await illegalTransitions(api.engine.parts.db)).toEqual([]);
      });
      await fc.assert(lives, { numRuns, seed, endOnFailure: numRuns === RUNS });
    },
    numRuns * A_RUN_MS,
  );
});
