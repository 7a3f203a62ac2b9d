import { randomUUID } from 'node:crypto';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { Operator } from '../faults/support/operator';
import { illegalTransitions, watchTransitions } from '../faults/support/transitions';
import { Merchant } from '../support/merchant/merchant';
import { planRoutes } from '../support/subscriptions/route-plan';
import { runRoutes, type RoutesReport } from '../support/subscriptions/routes';
import { disputeViolations } from './support/disputes/dispute-checks';
import type { SoakEnvironment } from './support/environment';
import { filterViolations } from './support/listing';
import { PAYMENTS_PER_WEEK, planWeek } from './support/month-plan';
import { readRecords, reconcile, withoutCharges, type MerchantRecords } from './support/reconciliation';
import { runMonth, type PurchaseResult } from './support/run-month';
import { registerSoakMerchant, type SoakMerchant } from './support/soak-merchant';
import { settleMonth, type MonthStatements } from './support/statements/month-statements';
import { statementViolations } from './support/statements/statement-checks';
import { waitForCompletion } from './support/unfinished-work';

/** Another week: `SOAK_WEEK_SEED=7 npx jest test/soak`. `npm run soak` runs whole months, with faults. */
const SEED = Number(process.env['SOAK_WEEK_SEED'] ?? 20_261_121);
const CONCURRENT_CUSTOMERS = 16;
const SWEEP_EVERY_MS = 1_000;
const PAIRS_OF_SUBSCRIPTIONS = 2;
const CLIENT_ID = 'flowers-of-the-week';

describe(`a merchant's week of ${PAYMENTS_PER_WEEK} payments (seed ${SEED})`, () => {
  let api: EngineApi;
  let merchant: SoakMerchant;
  let results: PurchaseResult[];
  let unfinished: string[];
  let statements: MonthStatements;
  let records: MerchantRecords;
  let routes: RoutesReport[];

  const readWeek = async (): Promise<MerchantRecords> =>
    withoutCharges(await readRecords(merchant), statements.planted.secondCharges);

  beforeAll(async () => {
    console.log(`merchant week: seed ${SEED}`);
    const platformSecret = randomUUID();
    api = await startEngineApi({
      PLATFORM_GATEWAY_COMPANIES: CLIENT_ID,
      PLATFORM_GATEWAY_SECRET: platformSecret,
      // One in ten requests to a gateway fails; its circuit must not stay open for long.
      CIRCUIT_OPEN_FOR: '0.5',
      // Longer than usual in tests, so that a slow machine sends within the window.
      SEND_WINDOW: '4',
      ABSENCE_PROVEN_AFTER: '5',
      STUCK_AFTER: '8',
    });
    const { db, temporal } = api.engine.context;
    const { simulator, sweeper } = api.engine;
    await watchTransitions(db);
    sweeper.start(SWEEP_EVERY_MS);
    const environment: SoakEnvironment = {
      baseUrl: api.baseUrl,
      db,
      temporal,
      simulator,
      withFaults: false,
    };
    const callbacksTo = { url: `${api.baseUrl}/api/v1`, platformSecret };
    merchant = await registerSoakMerchant(environment, { clientId: CLIENT_ID, callbacksTo });
    const operator = new Operator(environment);
    const target = { apiUrl: `${api.baseUrl}/api/v1`, db, simulator };
    const subscribed = await Merchant.register(target, ['gateway_1', 'gateway_4']);
    const running = planRoutes(SEED, PAIRS_OF_SUBSCRIPTIONS).map((plan) =>
      runRoutes(target, subscribed, plan),
    );
    results = await runMonth(merchant, planWeek(SEED), CONCURRENT_CUSTOMERS);
    statements = await settleMonth(merchant, { seed: SEED, rounds: 1 });
    routes = await Promise.all(running);
    unfinished = await waitForCompletion(merchant);
    await operator.stop();
    records = await readWeek();
  }, 600_000);
  afterAll(async () => {
    merchant.office.webhooks.close();
    await api.engine.sweeper.stop();
    await api.stop();
  });

  it('every purchase has the expected outcome of its scenario', () => {
    expect(results).toHaveLength(PAYMENTS_PER_WEEK);
    expect(results.flatMap(({ violation }) => violation ?? [])).toEqual([]);
  });

  it('no payment, attempt or callback is left unprocessed, and workflows run only for payments that await something', () => {
    expect(unfinished).toEqual([]);
  });

  it("the gateways' ledger, the database, the API and the payment list agree on each payment, each recipient and the totals", () => {
    expect(records.database).toHaveLength(PAYMENTS_PER_WEEK);
    expect(reconcile(records)).toEqual([]);
  });

  it('each dispute ends as at its gateway, with its money in the ledger and each of its events delivered once', async () => {
    expect(merchant.office.disputes.length).toBeGreaterThan(0);
    expect(await disputeViolations(merchant, records)).toEqual([]);
  });

  it('the daily statements show each planted error and no other, and every other cent is settled', async () => {
    expect(statements.planted.differences.length).toBeGreaterThan(0);
    expect(await statementViolations(merchant, statements)).toEqual([]);
  });

  it('the payment list returns and counts the matching payments under every filter', async () => {
    expect(await filterViolations(merchant, records.listing)).toEqual([]);
  });

  it('periods of subscriptions are paid at the price of the plan they ran on, by any route to it', () => {
    const expected = { subscriptions: 2, compared: true, violations: [] };
    expect(routes).toEqual(Array(PAIRS_OF_SUBSCRIPTIONS).fill(expected));
  });

  it('every resent request gets its first result and changes nothing', async () => {
    expect(await merchant.backend.resendAll()).toEqual([]);
    expect(reconcile(await readWeek())).toEqual([]);
  }, 120_000);

  it('statuses change only forward, except that a failed or canceled pix or billet may still be paid', async () => {
    expect(await illegalTransitions(api.engine.context.db)).toEqual([]);
  });
});
