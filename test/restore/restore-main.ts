import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from '../../src/dev/build/build';
import { makeStackFolder, removeAbandonedStacks } from '../support/processes/stack-folder';
import { describeCommit } from '../support/stack/commit';
import { Rehearsal, type Figures } from './support/rehearsal';
import { RestoreStack } from './support/restore-stack';

const USAGE = `npm run rehearse:restore -- [options]: rehearses backup and restore of both databases under load
(docs/operations/backup-and-restore.md).

  --seed N           merchants' purchases and gateways' answers; default: random
  --window SECONDS   how much of the load is later than the moment to which Postgres is restored; default: 15
  --temporal STATE   "empty": Temporal's database starts empty; "older": it is restored to an earlier moment than the
                     payments'; default: one run with each
  --help             print this text`;

const FOLDER_PREFIX = 'payment-engine-restore-';
const TEMPORAL_STATES = ['empty', 'older'] as const;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      window: { type: 'string', default: '15' },
      temporal: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const states = TEMPORAL_STATES.filter((state) => (values.temporal ?? state) === state);
  const seed = Number(values.seed ?? randomInt(1_000_000_000));
  const windowMs = Number(values.window) * 1_000;
  if (states.length === 0 || !Number.isSafeInteger(seed) || !(windowMs > 0)) throw new Error(USAGE);
  await removeAbandonedStacks(FOLDER_PREFIX);
  await build(console.log);
  for (const temporal of states) await rehearse({ seed, windowMs, temporal });
}

async function rehearse(plan: ConstructorParameters<typeof Rehearsal>[1]): Promise<void> {
  const { seed, temporal } = plan;
  console.log(`restore with seed ${seed}, Temporal's database ${temporal}, commit ${describeCommit()}`);
  const folder = makeStackFolder(FOLDER_PREFIX);
  const stack = await RestoreStack.prepare(folder);
  try {
    const { figures, violations } = await new Rehearsal(stack, plan).run();
    print(figures);
    if (violations.length > 0) throw new Error(`seed ${seed}, ${temporal}:\n  ${violations.join('\n  ')}`);
  } catch (error) {
    await stack.stopAll();
    console.error(`logs and data of the processes are in ${folder}`);
    throw error;
  }
  await stack.stopAll();
  rmSync(folder, { recursive: true, force: true });
  console.log('restored: nobody was charged twice, nothing acknowledged before the moment was lost');
}

function print(figures: Figures): void {
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name}: ${value}`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
