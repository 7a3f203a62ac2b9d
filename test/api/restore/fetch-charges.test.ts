import { FetchCharges } from '../../../src/application/restore/fetch-charges';
import { ImportCharges } from '../../../src/application/restore/import-charges';
import { createChargeFetcher } from '../../../src/composition/restore';
import { RestoreListingRepository } from '../../../src/persistence/restore/restore-listing-repository';
import { RestoreRepository } from '../../../src/persistence/restore/restore-repository';
import type { GatewayCharge } from '../../../src/persistence/restore/restored-charge-repository';
import { newCompany } from '../../support/fixtures/payments';
import { pay, uniqueAmount } from '../../support/scenarios/pay';
import { startEngine, type Engine } from '../../support/stack/engine';

let engine: Engine;
let restoreId: number;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'payments' });
  const begun = await new RestoreRepository(engine.context.db).begin(
    new Date(Date.now() - 3_600_000),
    new Date(),
  );
  restoreId = begun?.id ?? 0;
});
afterAll(() => engine.stop());

const since = new Date(Date.now() - 60_000);

async function companyWithOwnAccount() {
  const company = await newCompany(engine);
  await engine.simulator.setUpAccount(`sk_test_${company.clientId}`, { account: company.clientId });
  return company;
}

it('the charges that a gateway lists of each account are imported, with what was refunded of them', async () => {
  const companies = [await companyWithOwnAccount(), await companyWithOwnAccount()];
  const ids: string[] = [];
  for (const company of companies) {
    const { body } = await pay(engine, company, { amount: uniqueAmount() });
    ids.push(body.transaction_id);
  }
  await engine.simulator.refund(ids[0] ?? '', 100);
  const { context, config } = engine;
  const fetcher = createChargeFetcher(config, context.db, new ImportCharges(context));
  expect(fetcher.canList('gateway_1')).toBe(true);
  const query = { since, hasPlatform: false };
  expect(await fetcher.fetchCharges.execute(restoreId, 'gateway_1', query)).toBe(2);
  expect(await fetcher.fetchCharges.execute(restoreId, 'gateway_1', query)).toBe(2);
  await fetcher.close();
  const rows = await context.db.query<{ id: string; state: string; refunded: number }>(
    `SELECT left(reference, 36) AS id, state, refunded_cents::int AS refunded FROM restored_charges ORDER BY refunded_cents DESC`,
  );
  expect(rows).toEqual([
    { id: ids[0], state: 'waiting', refunded: 100 },
    { id: ids[1], state: 'matched', refunded: 0 },
  ]);
});

it('an interrupted listing goes on behind the last page that was imported', async () => {
  const { context } = engine;
  await companyWithOwnAccount();
  const asked: Array<string | null> = [];
  const listings = new RestoreListingRepository(context.db);
  const charge = {} as GatewayCharge;
  const pages: Record<string, string | null> = { first: 'second', second: 'third', third: null };
  let isBroken = true;
  const fetch = new FetchCharges({
    listings,
    importCharges: { execute: () => Promise.resolve({ state: 'matched' }) },
    listPage: (_slug, _secret, { cursor }) => {
      asked.push(cursor);
      if (cursor === 'third' && isBroken) return Promise.reject(new Error('the gateway is out of service'));
      return Promise.resolve({ charges: [charge], nextCursor: pages[cursor ?? 'first'] ?? null });
    },
  });
  const query = { since, hasPlatform: true };
  await expect(fetch.execute(restoreId, 'gateway_5', query)).rejects.toThrow('out of service');
  isBroken = false;
  await fetch.execute(restoreId, 'gateway_5', query);
  expect(asked).toEqual([null, 'second', 'third', 'third']);
});
