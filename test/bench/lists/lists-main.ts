import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, escapeIdentifier } from 'pg';
import { loadSandboxConfig } from '../../../src/config';
import { freePort } from '../../../src/dev/ports';
import { migrate } from '../../../src/persistence/sql/migrator';
import { showNumber, showSpread } from '../support/format';
import { ListReader, PAGE_SIZE, type ListQueryResult, type ListQuery } from './list-reader';
import { seedPayments } from './lists-seed';
import { BenchProcesses } from '../support/bench-processes';
import { writeResults } from '../support/results';
import { waitForQuietMinute } from '../support/neighbours';
import { percentile, spreadOf, type Spread } from '../support/statistics';
import { table } from '../support/table';

/**
 * `npm run bench:lists`: the query times of lists and dashboard at a million payments, relative to ten thousand. Queries
 * alternate between two databases on one Postgres; then every result is compared with plain SQL. `--quick` runs a small
 * version, to check that the benchmark works.
 */

interface ListsPlan {
  readonly small: number;
  readonly large: number;
  readonly rounds: number;
  readonly queriesPerRound: number;
}

const FULL: ListsPlan = { small: 10_000, large: 1_000_000, rounds: 7, queriesPerRound: 25 };
/** Slow queries run fewer times per round, but at least three. */
const ROUND_MS = 5_000;
const QUICK: ListsPlan = { small: 2_000, large: 20_000, rounds: 2, queriesPerRound: 5 };

interface MeasuredQuery {
  readonly name: string;
  readonly query: ListQuery;
  /** Limits for the ratio of large to small; null without a limit. */
  readonly acceptable: number | null;
  readonly goal: number | null;
}

const CARDS = { status: 'approved', paymentMethod: 'card', gateway: 'gateway_1' } as const;

const QUERIES: readonly MeasuredQuery[] = [
  { name: 'page 1', query: { kind: 'list', filter: {}, at: 'first' }, acceptable: 1.5, goal: 1.2 },
  { name: 'filtered total', query: { kind: 'list', filter: CARDS, at: 'first' }, acceptable: 20, goal: 1.5 },
  { name: 'last page', query: { kind: 'list', filter: {}, at: 'last' }, acceptable: 50, goal: 3 },
  { name: 'middle page', query: { kind: 'list', filter: {}, at: 'middle' }, acceptable: null, goal: null },
  {
    name: 'last page, filtered',
    query: { kind: 'list', filter: CARDS, at: 'last' },
    acceptable: null,
    goal: null,
  },
  {
    name: 'rare status, page 1',
    query: { kind: 'list', filter: { status: 'pending', paymentMethod: 'billet' }, at: 'first' },
    acceptable: null,
    goal: null,
  },
  { name: 'days', query: { kind: 'list', filter: lastDays(90), at: 'first' }, acceptable: null, goal: null },
  {
    name: 'amount (total not from counters)',
    query: { kind: 'list', filter: { amountFrom: 45_000 }, at: 'first' },
    acceptable: null,
    goal: null,
  },
  ...searches({
    'a common name': 'maria',
    'two common names': 'souza maria',
    'a rare name': 'quiteria',
    'an email': 'customer-7@example.com',
    'a document': '100.000.000-07',
    'an amount': '189,90',
    'a common card': '1111',
    'a rare card': '0042',
    'an order': 'ORDER-77',
    'all orders': 'order-',
    'a gateway’s id': 'ch_500',
    'a payment’s id': '0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70',
  }),
  { name: 'dashboard, 30 days', query: { kind: 'dashboard', days: 30 }, acceptable: null, goal: null },
  { name: 'dashboard, 366 days', query: { kind: 'dashboard', days: 366 }, acceptable: null, goal: null },
];

interface ListResult {
  readonly name: string;
  readonly smallMs: Spread;
  readonly largeMs: Spread;
  readonly ratio: Spread;
  readonly acceptable: number | null;
  readonly goal: number | null;
}

/** One of the two databases and a process that reads it. */
interface BenchDatabase {
  readonly client: Client;
  readonly companyId: number;
  readonly reader: ListReader;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  const plan = values.quick ? QUICK : FULL;
  await waitForQuietMinute(console.log, values);
  const processes = await BenchProcesses.in(resolve(loadSandboxConfig().dataDir, 'bench-lists'));
  try {
    const serverUrl = await createServer(processes);
    const [small, large] = [
      await createBenchDatabase(serverUrl, 'small', plan.small),
      await createBenchDatabase(serverUrl, 'large', plan.large),
    ];
    const results: ListResult[] = [];
    for (const measured of QUERIES) results.push(await compare(measured, small, large, plan));
    const violations = [...(await verify(small)), ...(await verify(large))];
    console.log(`\n${render(plan, results, violations)}\n`);
    console.log(`Figures: ${writeResults('lists', { plan, results, violations })}`);
    for (const { client, reader } of [small, large]) {
      reader.stop();
      await client.end();
    }
    if (violations.length > 0) process.exitCode = 1;
  } finally {
    await processes.stopAll();
  }
}

async function createServer(processes: BenchProcesses): Promise<string> {
  return processes.startPostgres({ port: await freePort(), durable: false });
}

async function createBenchDatabase(serverUrl: string, name: string, count: number): Promise<BenchDatabase> {
  console.log(`Creating ${count} payments ...`);
  const server = new Client({ connectionString: serverUrl });
  await server.connect();
  await server.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
  await server.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href, 'test');
  const client = new Client({ connectionString: url.href });
  await client.connect();
  const companyId = await seedPayments(client, count);
  return { client, companyId, reader: new ListReader(url.href, companyId) };
}

/** Alternates between the databases; the first round warms up. */
async function compare(
  { query, ...rest }: MeasuredQuery,
  small: BenchDatabase,
  large: BenchDatabase,
  plan: ListsPlan,
): Promise<ListResult> {
  console.log(`Measuring: ${rest.name} ...`);
  const times: Array<{ readonly small: number; readonly large: number }> = [];
  for (let round = 0; round <= plan.rounds; round += 1) {
    const [ofSmall, ofLarge]: [number[], number[]] = [[], []];
    const until = performance.now() + ROUND_MS;
    for (let run = 0; run < plan.queriesPerRound && (run < 3 || performance.now() < until); run += 1) {
      ofSmall.push((await small.reader.run(query)).ms);
      ofLarge.push((await large.reader.run(query)).ms);
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

/** Describes every result that differs from plain SQL. */
async function verify(database: BenchDatabase): Promise<string[]> {
  const violations: string[] = [];
  for (const { name, query } of QUERIES) {
    const result = await database.reader.run(query);
    if (query.kind === 'search') {
      const ids = await expectedSearch(database, query.q);
      const found = JSON.stringify(result.ids);
      if (ids !== null && ids !== found) violations.push(`${name}: ${found}, expected ${ids}`);
    }
    const expected = query.kind === 'list' ? await expectedBySql(database, query, result) : null;
    if (expected !== null && expected !== JSON.stringify([result.total, result.ids])) {
      violations.push(`${name}: ${JSON.stringify([result.total, result.ids])}, expected ${expected}`);
    }
  }
  return violations;
}

async function expectedBySql(
  { client, companyId }: BenchDatabase,
  { filter }: ListQuery & { readonly kind: 'list' },
  { page }: ListQueryResult,
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

/** Each may take half as long again at a hundred times the payments. */
function searches(texts: Readonly<Record<string, string>>): MeasuredQuery[] {
  return Object.entries(texts).map(([name, q]) => ({
    ...{ name: `search: ${name}`, query: { kind: 'search', q }, acceptable: 3, goal: 1.5 },
  }));
}

/** The newest ten payments with this amount, card or beginning of an order; null for other searches. */
async function expectedSearch({ client, companyId }: BenchDatabase, q: string): Promise<string | null> {
  const condition = EXPECTED_SEARCHES[q];
  if (condition === undefined) return null;
  const rows = await client.query<{ id: number }>(
    `SELECT id FROM payments WHERE company_id = $1 AND ${condition} LIMIT 10`,
    [companyId],
  );
  return JSON.stringify(rows.rows.map(({ id }) => id));
}

const NEWEST = 'ORDER BY created_at DESC, id DESC';
const EXPECTED_SEARCHES: Readonly<Record<string, string>> = {
  '189,90': `amount_cents = 18990 ${NEWEST}`,
  '0042': `card::jsonb ->> 'last4Digits' = '0042' ${NEWEST}`,
  'ORDER-77': `merchant_order_id LIKE 'order-77%' ORDER BY merchant_order_id COLLATE "C"`,
};

function lastDays(count: number): { startDate: string } {
  return { startDate: new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10) };
}

function render(plan: ListsPlan, results: readonly ListResult[], violations: readonly string[]): string {
  const rows = results.map(({ name, smallMs, largeMs, ratio, acceptable, goal }) => [
    name,
    showNumber(smallMs.median),
    showNumber(largeMs.median),
    showSpread(ratio),
    acceptable === null ? '' : String(acceptable),
    goal === null ? '' : String(goal),
    rating(ratio.median, acceptable, goal),
  ]);
  return [
    `Query times at ${plan.large} payments relative to ${plan.small}: medians of ${plan.rounds} rounds of up to ${plan.queriesPerRound} queries`,
    '',
    ...table([['', 'small, ms', 'large, ms', 'large / small', 'acceptable', 'goal', 'result'], ...rows]),
    '',
    ...(violations.length === 0 ? ['every result agrees with plain SQL'] : ['VIOLATIONS', ...violations]),
  ].join('\n');
}

function rating(ratio: number, acceptable: number | null, goal: number | null): string {
  if (acceptable === null || goal === null) return '';
  if (ratio <= goal) return 'goal';
  return ratio <= acceptable ? 'acceptable' : 'MISSED';
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
