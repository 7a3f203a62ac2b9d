import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, escapeIdentifier } from 'pg';
import { loadConfig } from '../../../src/config';
import { freePort } from '../../../src/dev/ports';
import { preparePostgres, type Postgres } from '../../../src/dev/servers/postgres';
import { migrate } from '../../../src/persistence/sql/migrator';
import { showNumber, showSpread } from '../support/format';
import { ListReader, PAGE_SIZE, type Answer, type Question } from './lists-questions';
import { seedPayments } from './lists-seed';
import { AppContext } from '../support/processes';
import { writeResults } from '../support/results';
import { percentile, spreadOf, type Spread } from '../support/statistics';
import { table } from '../support/table';

/**
 * `npm run bench:lists`: what lists and dashboard cost at a million payments, over what they cost at ten thousand. Two
 * databases on one Postgres, asked in turns; then every answer is compared with plain SQL. `--quick` shows that it works.
 */

interface Plan {
  readonly small: number;
  readonly large: number;
  readonly rounds: number;
  readonly asksPerRound: number;
}

const FULL: Plan = { small: 10_000, large: 1_000_000, rounds: 7, asksPerRound: 25 };
/** What is slow is asked less often, but three times at least. */
const ROUND_MS = 5_000;
const QUICK: Plan = { small: 2_000, large: 20_000, rounds: 2, asksPerRound: 5 };

interface Measured {
  readonly name: string;
  readonly question: Question;
  /** Large over small; solid is expected, the goal is where it should get to. */
  readonly solid: number | null;
  readonly goal: number | null;
}

const CARDS = { status: 'approved', paymentMethod: 'card', gateway: 'gateway_1' } as const;

const QUESTIONS: readonly Measured[] = [
  { name: 'page 1', question: { kind: 'list', filter: {}, at: 'first' }, solid: 1.5, goal: 1.2 },
  { name: 'filtered total', question: { kind: 'list', filter: CARDS, at: 'first' }, solid: 20, goal: 1.5 },
  { name: 'last page', question: { kind: 'list', filter: {}, at: 'last' }, solid: 50, goal: 3 },
  { name: 'middle page', question: { kind: 'list', filter: {}, at: 'middle' }, solid: null, goal: null },
  {
    name: 'last page, filtered',
    question: { kind: 'list', filter: CARDS, at: 'last' },
    solid: null,
    goal: null,
  },
  {
    name: 'rare status, page 1',
    question: { kind: 'list', filter: { status: 'pending', paymentMethod: 'billet' }, at: 'first' },
    solid: null,
    goal: null,
  },
  { name: 'days', question: { kind: 'list', filter: lastDays(90), at: 'first' }, solid: null, goal: null },
  {
    name: 'amount (counted itself)',
    question: { kind: 'list', filter: { amountFrom: 45_000 }, at: 'first' },
    solid: null,
    goal: null,
  },
  { name: 'dashboard, 30 days', question: { kind: 'dashboard', days: 30 }, solid: null, goal: null },
  { name: 'dashboard, 366 days', question: { kind: 'dashboard', days: 366 }, solid: null, goal: null },
];

interface Result {
  readonly name: string;
  readonly smallMs: Spread;
  readonly largeMs: Spread;
  readonly ratio: Spread;
  readonly solid: number | null;
  readonly goal: number | null;
}

/** One of the two databases. */
interface Side {
  readonly client: Client;
  readonly companyId: number;
  readonly reader: ListReader;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  const plan = values.quick ? QUICK : FULL;
  const parts = await AppContext.in(resolve(loadConfig().dataDir, 'bench-lists'));
  try {
    const postgres = await startPostgres(parts);
    const [small, large] = [
      await fill(postgres, 'small', plan.small),
      await fill(postgres, 'large', plan.large),
    ];
    const results: Result[] = [];
    for (const measured of QUESTIONS) results.push(await compare(measured, small, large, plan));
    const violations = [...(await verify(small)), ...(await verify(large))];
    console.log(`\n${render(plan, results, violations)}\n`);
    console.log(`Figures: ${writeResults('lists', { plan, results, violations })}`);
    for (const { client, reader } of [small, large]) {
      reader.stop();
      await client.end();
    }
    if (violations.length > 0) process.exitCode = 1;
  } finally {
    await parts.stopAll();
  }
}

async function startPostgres(parts: AppContext): Promise<Postgres> {
  const postgres = await preparePostgres({
    dataDir: parts.folder,
    port: await freePort(),
    logFile: parts.log('postgres'),
    durable: false,
  });
  await parts.run('postgres', postgres.part);
  await postgres.createDatabase();
  return postgres;
}

async function fill(postgres: Postgres, name: string, count: number): Promise<Side> {
  console.log(`Making ${count} payments ...`);
  const server = new Client({ connectionString: postgres.url });
  await server.connect();
  await server.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
  await server.end();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const client = new Client({ connectionString: url.href });
  await client.connect();
  const companyId = await seedPayments(client, count);
  return { client, companyId, reader: new ListReader(url.href, companyId) };
}

/** In turns, and the first answers of both are not counted. */
async function compare(
  { question, ...rest }: Measured,
  small: Side,
  large: Side,
  plan: Plan,
): Promise<Result> {
  console.log(`Asking for: ${rest.name} ...`);
  const times: Array<{ readonly small: number; readonly large: number }> = [];
  for (let round = 0; round <= plan.rounds; round += 1) {
    const [ofSmall, ofLarge]: [number[], number[]] = [[], []];
    const until = performance.now() + ROUND_MS;
    for (let ask = 0; ask < plan.asksPerRound && (ask < 3 || performance.now() < until); ask += 1) {
      ofSmall.push((await small.reader.ask(question)).ms);
      ofLarge.push((await large.reader.ask(question)).ms);
    }
    if (round > 0) times.push({ small: percentile(ofSmall, 50), large: percentile(ofLarge, 50) });
  }
  return {
    ...rest,
    smallMs: spreadOf(times.map((round) => round.small)),
    largeMs: spreadOf(times.map((round) => round.large)),
    ratio: spreadOf(times.map((round) => round.large / round.small)),
  };
}

/** What plain SQL answers differently. */
async function verify(side: Side): Promise<string[]> {
  const violations: string[] = [];
  for (const { name, question } of QUESTIONS) {
    const answer = await side.reader.ask(question);
    const expected = question.kind === 'list' ? await plainly(side, question, answer) : null;
    if (expected !== null && expected !== JSON.stringify([answer.total, answer.ids])) {
      violations.push(`${name}: ${JSON.stringify([answer.total, answer.ids])}, but it is ${expected}`);
    }
  }
  return violations;
}

async function plainly(
  { client, companyId }: Side,
  { filter }: Question & { readonly kind: 'list' },
  { page }: Answer,
): Promise<string> {
  const where = `company_id = $1 AND status = coalesce($2, status) AND payment_method = coalesce($3, payment_method)
    AND last_gateway = coalesce($4, last_gateway) AND amount_cents >= $5
    AND created_at >= coalesce($6::date::timestamp AT TIME ZONE 'America/Sao_Paulo', '-infinity')`;
  const { status, paymentMethod, gateway, amountFrom = 0, startDate } = filter;
  const values = [companyId, status, paymentMethod, gateway, amountFrom, startDate];
  const counted = await client.query<{ count: number }>(
    `SELECT count(*) FROM payments WHERE ${where}`,
    values,
  );
  const rows = await client.query<{ id: number }>(
    `SELECT id FROM payments WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT $7 OFFSET $8`,
    [...values, PAGE_SIZE, (page - 1) * PAGE_SIZE],
  );
  return JSON.stringify([counted.rows[0]?.count, rows.rows.map(({ id }) => id)]);
}

function lastDays(count: number): { startDate: string } {
  return { startDate: new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10) };
}

function render(plan: Plan, results: readonly Result[], violations: readonly string[]): string {
  const rows = results.map(({ name, smallMs, largeMs, ratio, solid, goal }) => [
    name,
    showNumber(smallMs.median),
    showNumber(largeMs.median),
    showSpread(ratio),
    solid === null ? '' : String(solid),
    goal === null ? '' : String(goal),
    reached(ratio.median, solid, goal),
  ]);
  return [
    `Lists at ${plan.large} payments over lists at ${plan.small}: medians of ${plan.rounds} rounds of up to ${plan.asksPerRound}`,
    '',
    ...table([['', 'small, ms', 'large, ms', 'large / small', 'solid', 'goal', 'reached'], ...rows]),
    '',
    ...(violations.length === 0 ? ['every answer is that of plain SQL'] : ['VIOLATIONS', ...violations]),
  ].join('\n');
}

function reached(ratio: number, solid: number | null, goal: number | null): string {
  if (solid === null || goal === null) return '';
  if (ratio <= goal) return 'goal';
  return ratio <= solid ? 'solid' : 'NO';
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
