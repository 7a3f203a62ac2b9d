import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BRASILIA, dateIn } from '../../../src/domain/time/timezone';
import { startEngine, type Engine } from '../../support/stack/engine';
import {
  insertPaidPix,
  plantedErrors,
  reconcile,
  statementOf,
  uploadStatement,
  writeStatement,
} from './at-size';
import { runMeasured } from './kill/run-import';
import { balancesOf, itemsOf } from './settlement-scenario';

/** `npm run bench:statements` runs this with 100,000 lines. */
// eslint-disable-next-line node/no-process-env -- the bench's only setting
const LINES = Number(process.env['STATEMENT_LINES'] ?? 2_600);
const EACH = LINES >= 100_000 ? 100 : 10;
const DAY = dateIn(BRASILIA, new Date(Date.now() - 86_400_000));
const MINUTES = 15;

let engine: Engine;
let folder: string;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
  folder = mkdtempSync(join(tmpdir(), 'statement-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await engine.stop();
});

it(
  'a large statement: every planted error is found, none is invented, and the same file again changes nothing',
  async () => {
    const companyId = await insertPaidPix(engine, LINES / 2, DAY);
    const file = join(folder, 'statement.csv');
    await writeStatement(engine, { companyId, day: DAY, each: EACH, file });
    const uploaded = await runMeasured(engine, { kind: 'upload', companyId, day: DAY, file });
    const again = () => uploadStatement(engine, companyId, DAY, createReadStream(file));
    const { settlement, isNew } = await again();
    expect(isNew).toBe(false);
    const reconciled = await runMeasured(engine, { kind: 'reconcile', settlement });
    // eslint-disable-next-line no-console -- `npm run bench:statements` shows it
    console.info(
      `${LINES} lines: uploaded in ${uploaded.seconds.toFixed(1)} s by a process with at most ${uploaded.peakMiB} MiB, ` +
        `reconciled in ${reconciled.seconds.toFixed(1)} s by one with at most ${reconciled.peakMiB} MiB`,
    );
    const items = await itemsOf(engine, companyId);
    const found = items.map(({ kind, transactionId }) => `${kind} ${transactionId}`);
    expect(found.toSorted()).toEqual((await plantedErrors(engine, companyId, EACH)).toSorted());
    const balances = await balancesOf(engine, companyId);
    expect((await again()).isNew).toBe(false);
    await reconcile(engine, settlement);
    expect(await balancesOf(engine, companyId)).toEqual(balances);
    expect(await itemsOf(engine, companyId)).toHaveLength(items.length);
    const other = statementOf(engine, companyId, DAY, 0);
    await expect(uploadStatement(engine, companyId, DAY, other)).rejects.toThrow('with other lines');
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
