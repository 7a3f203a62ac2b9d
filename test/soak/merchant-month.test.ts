import { randomUUID } from 'node:crypto';
import { illegalTransitions, watchTransitions } from '../faults/support/transitions';
import { Person } from '../faults/support/operator';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { compareBooks, readBooks, type Books } from './support/reconciliation';
import { untilOver } from './support/unfinished-work';
import { filterViolations } from './support/listing';
import { PAYMENTS_A_MONTH, planMonth } from './support/month';
import { playMonth, type Told } from './support/run-month';
import { openShop, type Shop } from './support/soak-merchant';
import type { World } from './support/environment';

/** Another month: `SHOPS_MONTH_SEED=7 npx jest test/stories`. */
const SEED = Number(process.env['SHOPS_MONTH_SEED'] ?? 20_261_121);
const CUSTOMERS_AT_ONCE = 16;
const SWEEP_EVERY_MS = 1_000;
const CLIENT_ID = 'flowers-of-the-month';

describe(`a shop's month of ${PAYMENTS_A_MONTH} payments (seed ${SEED})`, () => {
  let api: EngineApi;
  let shop: Shop;
  let told: Told[];
  let leftovers: string[];
  let books: Books;

  beforeAll(async () => {
    console.log(`a shop's month: seed ${SEED}`);
    const platformSecret = randomUUID();
    api = await startEngineApi({
      PLATFORM_GATEWAY_COMPANIES: CLIENT_ID,
      PLATFORM_GATEWAY_SECRET: platformSecret,
      // A gateway that refuses one customer in ten is not to be left out of the month.
      CIRCUIT_OPEN_FOR: '0.5',
      // A slow machine that does not send in time is no part of the story.
      SEND_WINDOW: '4',
      ABSENCE_PROVEN_AFTER: '5',
      STUCK_AFTER: '8',
    });
    const { db, temporal } = api.engine.parts;
    const { simulator, sweeper } = api.engine;
    await watchTransitions(db);
    sweeper.start(SWEEP_EVERY_MS);
    const world: World = { baseUrl: api.baseUrl, db, temporal, simulator, disturbed: false };
    const callbacksTo = { url: `${api.baseUrl}/api/v1`, platformSecret };
    shop = await openShop(world, { clientId: CLIENT_ID, callbacksTo });
    const person = new Person(world);
    told = await playMonth(shop, planMonth(SEED), CUSTOMERS_AT_ONCE);
    leftovers = await untilOver(shop);
    await person.leave();
    books = await readBooks(shop);
  }, 600_000);
  afterAll(async () => {
    await api.engine.sweeper.stop();
    await api.stop();
  });

  it('ends every story as it must', () => {
    expect(told).toHaveLength(PAYMENTS_A_MONTH);
    expect(told.flatMap(({ violation }) => violation ?? [])).toEqual([]);
  });

  it('leaves nothing processing, open or unlooked at, and only what waits is awake', () => {
    expect(leftovers).toEqual([]);
  });

  it("has one truth: the gateways' ledger, the database, the answers and the listing agree on each payment, each recipient and in total", () => {
    expect(books.database).toHaveLength(PAYMENTS_A_MONTH);
    expect(compareBooks(books)).toEqual([]);
  });

  it('lists under every filter what that filter says, and counts it right', async () => {
    expect(await filterViolations(shop, books.listing)).toEqual([]);
  });

  it('answers every request that is sent again as it did the first time', async () => {
    expect(await shop.backend.sendEverythingAgain()).toEqual([]);
    expect(compareBooks(await readBooks(shop))).toEqual([]);
  }, 120_000);

  it('moves statuses only forward, or back to approved when a pix or billet is paid after all', async () => {
    expect(await illegalTransitions(api.engine.parts.db)).toEqual([]);
  });
});
