import fc from 'fast-check';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { runsAndSeed } from '../../support/scenarios/payment-scenario-plan';
import { disputePlans } from './dispute-plan';
import { DisputedPayment, type DisputeMerchant } from './disputed-payment';

const RUN_TIMEOUT_MS = 60_000;
const RUNS = 10;
const { numRuns, seed } = runsAndSeed(RUNS);

let api: EngineApi;
let merchant: DisputeMerchant;
beforeAll(async () => {
  api = await startEngineApi({
    PAYMENT_SYNC_TIMEOUT: '2',
    GATEWAY_TIMEOUT: '0.5',
    SEND_WINDOW: '0.5',
    ABSENCE_PROVEN_AFTER: '1.1',
  });
  const { byKey, byToken } = await registerCompanyWithUser(api);
  merchant = { api, byKey, byToken };
});
afterAll(() => api.stop());

describe('any order of a charge, its capture, its refunds and its dispute', () => {
  it(
    'ends with the same money in the payment, the ledger and the gateway: what came in went out, is held or is owed',
    async () => {
      const property = fc.asyncProperty(disputePlans, async (plan) => {
        const { engine, ledger, simulator, owed, sum } = await (
          await DisputedPayment.play(merchant, plan)
        ).money();
        expect(engine).toEqual(simulator);
        expect(ledger).toEqual(simulator);
        expect(owed).toBe(simulator.captured - simulator.refunded - simulator.disputed);
        expect(sum).toBe(0);
      });
      await fc.assert(property, { numRuns, seed, endOnFailure: true });
    },
    numRuns * RUN_TIMEOUT_MS,
  );
});
