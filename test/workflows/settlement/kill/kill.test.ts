import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { BRASILIA, dateIn } from '../../../../src/domain/time/timezone';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { insertPaidPix, plantedErrors, reconcile, uploadStatement, writeStatement } from '../at-size';
import { itemsOf } from '../settlement-scenario';
import type { ImportWork, Kill } from './import-process';
import { outcomeOf, runKilled } from './run-import';

/** Other places: `KILL_SEED=7 npx jest test/workflows/settlement/kill`. */
// eslint-disable-next-line node/no-process-env -- repeats a run
const SEED = Number(process.env['KILL_SEED'] ?? 20_261_128);
const DAY = dateIn(BRASILIA, new Date(Date.now() - 86_400_000));
/** An upload makes about 30 statements, and the reconciliation about 100. */
const PLAN = fc.record({
  uploads: fc.tuple(
    fc.record({ statement: fc.integer({ min: 1, max: 12 }), isSent: fc.boolean() }),
    fc.record({ statement: fc.integer({ min: 4, max: 20 }), isSent: fc.boolean() }),
  ),
  steps: fc.tuple(
    fc.record({ at: fc.constant('statement-batch-committed' as const), nth: fc.integer({ min: 1, max: 2 }) }),
    fc.record({ statement: fc.integer({ min: 4, max: 25 }), isSent: fc.constant(true) }),
    fc.record({ statement: fc.integer({ min: 4, max: 25 }), isSent: fc.constant(false) }),
    fc.record({ at: fc.constant('statement-compared' as const), nth: fc.constant(1) }),
  ),
});
/** Five batches of lines. */
const PAYMENTS = 2_400;
const EACH = 5;

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

async function companyWithFile(): Promise<Extract<ImportWork, { kind: 'upload' }>> {
  const companyId = await insertPaidPix(engine, PAYMENTS, DAY);
  const file = join(folder, `${companyId}.csv`);
  await writeStatement(engine, { companyId, day: DAY, each: EACH, file });
  return { kind: 'upload', companyId, day: DAY, file };
}

const upload = ({ companyId, file }: { readonly companyId: number; readonly file: string }) =>
  uploadStatement(engine, companyId, DAY, createReadStream(file));

async function expectKilled(work: ImportWork, kill: Kill): Promise<void> {
  expect([kill, await runKilled(engine, work, kill)]).toEqual([kill, true]);
}

describe(`kill -9 of the process that imports a statement (seed ${SEED})`, () => {
  it('at each failpoint and at random statements: the repeated import ends as one that was never killed', async () => {
    const [plan] = fc.sample(PLAN, { seed: SEED, numRuns: 1 });
    const untouched = await companyWithFile();
    await reconcile(engine, (await upload(untouched)).settlement);

    const company = await companyWithFile();
    for (const kill of plan?.uploads ?? []) await expectKilled(company, kill);
    const { settlement, isNew } = await upload(company);
    expect(isNew).toBe(true);

    const work = { kind: 'reconcile', settlement } as const;
    for (const kill of plan?.steps ?? []) await expectKilled(work, kill);
    await reconcile(engine, settlement);
    expect(await upload(company)).toMatchObject({ isNew: false });
    await reconcile(engine, settlement);

    expect(await outcomeOf(engine, company.companyId)).toEqual(await outcomeOf(engine, untouched.companyId));
    const items = await itemsOf(engine, company.companyId);
    const found = items.map(({ kind, transactionId }) => `${kind} ${transactionId}`);
    expect(found.toSorted()).toEqual((await plantedErrors(engine, company.companyId, EACH)).toSorted());
  }, 300_000);
});
