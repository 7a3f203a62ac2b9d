import { BRASILIA, dateIn } from '../../../src/domain/time/timezone';
import { startEngine, type Engine } from '../../support/stack/engine';
import { expectedItems, insertPaidPix, reconcile, statementOf, uploadStatement } from './at-size';
import { balancesOf, itemsOf } from './settlement-scenario';

/** `npm run bench:statements` runs this with 100,000 lines. */
// eslint-disable-next-line node/no-process-env -- the bench's only setting
const LINES = Number(process.env['STATEMENT_LINES'] ?? 2_600);
const EACH = LINES >= 100_000 ? 100 : 10;
const DAY = dateIn(BRASILIA, new Date(Date.now() - 86_400_000));
const MINUTES = 15;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

const countOf = (kinds: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

it(
  'a large statement: every planted error is found, none is invented, and the same file again changes nothing',
  async () => {
    const companyId = await insertPaidPix(engine, LINES / 2, DAY);
    const file = () => statementOf(engine, companyId, DAY, 0);
    const planted: Buffer[] = [];
    for await (const chunk of statementOf(engine, companyId, DAY, EACH)) planted.push(chunk);
    const again = async function* () {
      await Promise.resolve();
      yield* planted;
    };
    const startedAt = performance.now();
    const { settlement } = await uploadStatement(engine, companyId, DAY, again());
    const uploadedAt = performance.now();
    await reconcile(engine, settlement);
    const endedAt = performance.now();
    const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1);
    // eslint-disable-next-line no-console -- `npm run bench:statements` shows it
    console.info(
      `${LINES} lines: uploaded in ${seconds(startedAt, uploadedAt)} s, reconciled in ${seconds(uploadedAt, endedAt)} s, ` +
        `peak memory of the process ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
    );
    const items = await itemsOf(engine, companyId);
    expect(countOf(items.map(({ kind }) => kind))).toEqual(expectedItems(EACH));
    const balances = await balancesOf(engine, companyId);
    expect((await uploadStatement(engine, companyId, DAY, again())).isNew).toBe(false);
    await reconcile(engine, settlement);
    expect(await balancesOf(engine, companyId)).toEqual(balances);
    expect(await itemsOf(engine, companyId)).toHaveLength(items.length);
    await expect(uploadStatement(engine, companyId, DAY, file())).rejects.toThrow('with other lines');
  },
  MINUTES * 60_000,
);

it('an import that ends at each commit goes on after it, and posts each line once', async () => {
  const companyId = await insertPaidPix(engine, 1_200, DAY);
  const { settlement } = await uploadStatement(
    engine,
    companyId,
    DAY,
    statementOf(engine, companyId, DAY, 0),
  );
  let last = '';
  const { crashes } = await reconcile(engine, settlement, (name) => {
    // Every second time, so that the step after it is made.
    const ends = last !== name;
    last = ends ? name : '';
    return ends;
  });
  expect(crashes).toBeGreaterThanOrEqual(3);
  expect(await itemsOf(engine, companyId)).toEqual([]);
  expect(await balancesOf(engine, companyId)).toEqual({
    ...{ gateway_receivable: 0, gateway_balance: 1_200 * 9_900, fees: 1_200 * 100, sales: -1_200 * 10_000 },
  });
});
