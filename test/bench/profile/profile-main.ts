import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import { readThreadTimes } from '../support/cpu';
import { PAYMENT_KINDS, type PaymentKind } from '../support/load-process';
import { table } from '../support/table';
import { NOT_COUNTED } from '../support/write-counter';
import { addTimes, timesByOwner, type CpuProfile, type CpuTimes, type ProfileWindow } from './owners';

/**
 * `npm run bench:profile`: whose code uses the CPU of the API and the worker under a steady load, by package and folder,
 * by thread and by function; and the statements per payment. `--kind card`, `pix` or `capture` (an authorization and its
 * capture), `--per-second`, `--seconds`; `--keep` keeps the profiles, which Chrome's developer tools show as a flame graph.
 */

const PROCESSES = ['api', 'worker'] as const;
const FUNCTIONS = 25;
const NAME_LENGTH = 100;
const SELECT_STATEMENTS = `
  SELECT /* ${NOT_COUNTED} */ datname AS database, calls::float8 AS calls, total_exec_time AS ms,
         regexp_replace(query, '\\s+', ' ', 'g') AS query
    FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
   WHERE query NOT LIKE '%${NOT_COUNTED}%' ORDER BY datname, calls DESC`;

interface ProfilePlan {
  readonly kind: PaymentKind;
  readonly perSecond: number;
  readonly seconds: number;
}

interface CountedStatement {
  readonly database: string;
  readonly calls: number;
  readonly ms: number;
  readonly query: string;
}

/** What one steady load cost. */
interface LoadCost {
  readonly payments: number;
  readonly window: ProfileWindow;
  readonly pids: Readonly<Record<(typeof PROCESSES)[number], number>>;
  /** CPU ms by thread, of each process. */
  readonly threads: Readonly<Record<(typeof PROCESSES)[number], CpuTimes>>;
  readonly statements: readonly CountedStatement[];
}

async function main(): Promise<void> {
  const plan = readPlan();
  const folder = mkdtempSync(join(tmpdir(), 'payment-engine-profile-'));
  const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
  const cost = await withBenchStack((stack) => loadSteadily(stack, plan), { quick: true, nodeFlags });
  const lines = PROCESSES.flatMap((name) => processLines(name, folder, cost));
  console.log(['', ...lines, ...statementLines(cost)].join('\n'));
  if (plan.keep) console.log(`\nProfiles: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

function readPlan(): ProfilePlan & { readonly keep: boolean } {
  const { values } = parseArgs({
    options: {
      kind: { type: 'string', default: 'card' },
      'per-second': { type: 'string', default: '15' },
      seconds: { type: 'string', default: '30' },
      keep: { type: 'boolean', default: false },
    },
  });
  const kind = PAYMENT_KINDS.find((name) => name === values.kind);
  if (kind === undefined) throw new Error(`--kind is one of ${PAYMENT_KINDS.join(', ')}`);
  return {
    kind,
    perSecond: Number(values['per-second']),
    seconds: Number(values.seconds),
    keep: values.keep,
  };
}

/** The code is compiled and the caches are filled before the measured part begins. */
async function loadSteadily(stack: BenchStack, { kind, perSecond, seconds }: ProfilePlan): Promise<LoadCost> {
  const load = await stack.paymentLoad(kind);
  const steady = { kind: 'open', perSecond, forMs: seconds * 1_000 } as const;
  await load.run({ ...steady, forMs: steady.forMs / 3 });
  await stack.query(`SELECT /* ${NOT_COUNTED} */ pg_stat_statements_reset()`);
  const pids = { api: stack.pid('api'), worker: stack.pid('worker') };
  const before = { api: readThreadTimes(pids.api), worker: readThreadTimes(pids.worker) };
  const from = nowUs();
  const { ids } = await load.run(steady);
  const window = { from, to: nowUs() };
  const used = (name: (typeof PROCESSES)[number]): CpuTimes =>
    new Map(
      Array.from(readThreadTimes(pids[name]), ([thread, ms]) => [
        thread,
        ms - (before[name].get(thread) ?? 0),
      ]),
    );
  return {
    payments: ids.length,
    window,
    pids,
    threads: { api: used('api'), worker: used('worker') },
    statements: await stack.query<CountedStatement>(SELECT_STATEMENTS),
  };
}

const nowUs = (): number => Number(process.hrtime.bigint() / 1_000n);

/** A profile's name is `CPU.<date>.<time>.<process>.<thread>.<sequence>.cpuprofile`. */
function processLines(
  name: (typeof PROCESSES)[number],
  folder: string,
  { window, pids, threads, payments }: LoadCost,
): string[] {
  const files = readdirSync(folder).filter((file) => file.split('.')[3] === String(pids[name]));
  const profiles = files.map((file) =>
    timesByOwner(JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile, window),
  );
  const owners = addTimes(profiles.map((profile) => profile.owners));
  const functions = addTimes(profiles.map((profile) => profile.functions));
  return [
    ...shareLines(`${name}: JavaScript by owner (${files.length} threads)`, owners, 1_000 * payments),
    '',
    ...shareLines(`${name}: by thread, native ones too`, threads[name], payments),
    '',
    ...shareLines(`${name}: JavaScript by function`, functions, 1_000 * payments, FUNCTIONS),
    '',
  ];
}

/** `unit`: what one ms per payment is in these times. */
function shareLines(title: string, times: CpuTimes, unit: number, limit = Infinity): string[] {
  const total = Array.from(times.values()).reduce((sum, time) => sum + time, 0);
  const sorted = Array.from(times).sort(([, a], [, b]) => b - a);
  const row = (name: string, time: number): string[] => [
    name.slice(0, NAME_LENGTH),
    (time / unit).toFixed(2),
    `${((100 * time) / total).toFixed(1)}%`,
  ];
  return table([
    [title, 'CPU ms per payment', 'share'],
    row('total', total),
    ...sorted.slice(0, limit).map(([name, time]) => row(name, time)),
  ]);
}

/** Rare statements are background work. */
function statementLines({ statements, payments }: LoadCost): string[] {
  const databases = [...new Set(statements.map(({ database }) => database))];
  return databases.flatMap((database) => {
    const own = statements.filter((statement) => statement.database === database);
    const per = (value: number): string => (value / payments).toFixed(2);
    const calls = own.reduce((sum, statement) => sum + statement.calls, 0);
    const ms = own.reduce((sum, statement) => sum + statement.ms, 0);
    return [
      '',
      ...table([
        [`statements of ${database}`, 'per payment', 'ms per payment'],
        ['all, with those of the sweeper', per(calls), per(ms)],
        ...own
          .filter((statement) => statement.calls / payments > 0.2)
          .map((statement) => [
            statement.query.trim().slice(0, NAME_LENGTH),
            per(statement.calls),
            per(statement.ms),
          ]),
      ]),
    ];
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
