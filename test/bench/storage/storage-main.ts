import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { waitUntil } from '../../../src/dev/wait-until';
import { deleteOldEvents } from '../../../src/persistence/retention/old-events';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import { cpuUsed } from '../support/cpu';
import { showNumber } from '../support/format';
import type { PaymentKind } from '../support/load-process';
import { writeResults } from '../support/results';
import { table } from '../support/table';
import { withPublisher, type WebhookPublisher } from '../webhooks/webhook-publisher';
import { readSizes, sizeDelta, type Sizes } from './sizes';

/**
 * `npm run bench:storage`: the bytes and the CPU time of a payment with one webhook, by table and by process, and how fast old
 * events are deleted. docs/operations/sizing.md is based on it. `--quick` checks that it works.
 */

interface StorageFigures {
  readonly kind: PaymentKind;
  readonly payments: number;
  /** Bytes of a payment by database and table. */
  readonly bytes: Sizes;
  /** CPU time of a payment by process, in ms. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

const KINDS: readonly PaymentKind[] = ['card', 'pix'];
const CALLERS = 8;
const SETTLED_WITHIN_MS = 120_000;
const DELETION_BATCH = 200;
const DATABASES = ['payments', 'temporal', 'temporal_visibility'] as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  const count = values.quick ? 200 : 3_000;
  await withBenchStack(
    (stack) =>
      withPublisher(stack, async (publisher) => {
        const figures: StorageFigures[] = [];
        for (const kind of KINDS) figures.push(await measure(stack, publisher, kind, count));
        const eventsPerSecond = await deletionRate(publisher);
        console.log(
          `\n${render(figures)}\n\nold events deleted with their deliveries: ${showNumber(eventsPerSecond)}/s`,
        );
        console.log(`Figures: ${writeResults('storage', { quick: values.quick, figures, eventsPerSecond })}`);
      }),
    // The machine may be in use: sizes and CPU times hardly depend on it.
    { quick: true, settings: { WEBHOOK_ALLOW_LOOPBACK: 'true' } },
  );
}

async function measure(
  stack: BenchStack,
  publisher: WebhookPublisher,
  kind: PaymentKind,
  count: number,
): Promise<StorageFigures> {
  const load = await stack.paymentLoad(kind);
  const endpoint = await publisher.addEndpoint(await publisher.newestCompany(), `/ok/storage-${kind}`);
  // A first few, so that what a new company and its customers need is not counted.
  await load.run({ kind: 'counted', concurrency: CALLERS, count: 20 });
  const before = await sizes(stack);
  const cpuBefore = stack.readCpu(load);
  console.log(`Making ${count} payments by ${kind} ...`);
  await load.run({ kind: 'counted', concurrency: CALLERS, count });
  await publisher.untilNonePending([endpoint]);
  const cpu = cpuUsed(cpuBefore, stack.readCpu(load));
  const bytes = sizeDelta(before, await sizes(stack), count);
  const cpuMs = Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / count]));
  return { kind, payments: count, bytes, cpuMs };
}

/** After what Temporal does behind the payments: it indexes and archives closed workflows some seconds later. */
async function sizes(stack: BenchStack): Promise<Sizes> {
  const clients = await Promise.all(DATABASES.map((database) => connect(stack, database)));
  try {
    const [, temporal] = clients;
    await waitUntil('Temporal to be idle', SETTLED_WITHIN_MS, async () => isIdle(temporal), 500);
    await delay(2_000);
    const found = await Promise.all(
      clients.map((client, index) => readSizes(client, DATABASES[index] ?? '')),
    );
    return Object.assign({}, ...found) as Sizes;
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function connect({ config }: BenchStack, database: string): Promise<Client> {
  const url = new URL(config.databaseUrl ?? '');
  url.pathname = `/${database}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return client;
}

async function isIdle(temporal: Client | undefined): Promise<boolean> {
  const tables = ['transfer_tasks', 'visibility_tasks'];
  const counts = tables.map((name) => `(SELECT count(*) FROM ${name})`).join(' + ');
  const found = await temporal?.query<{ tasks: string }>(`SELECT ${counts} AS tasks`);
  return Number(found?.rows[0]?.tasks) === 0;
}

/** Makes all events old, and deletes them as the sweeper does. */
async function deletionRate({ context: { db } }: WebhookPublisher): Promise<number> {
  await db.query(`UPDATE events SET created_at = created_at - interval '1 year'`);
  const startedAt = performance.now();
  let deleted = 0;
  for (let position: number | null = 0; position !== null;) {
    const batch = await deleteOldEvents(db, { position, before: new Date(), limit: DELETION_BATCH });
    deleted += batch.deleted;
    ({ position } = batch);
  }
  return (deleted * 1_000) / (performance.now() - startedAt);
}

function render(figures: readonly StorageFigures[]): string {
  const kinds = figures.map(({ kind }) => kind);
  return [
    `A payment with one webhook, of ${figures[0]?.payments ?? 0} each`,
    '',
    ...table([['bytes', ...kinds.flatMap((kind) => [kind, 'rows', 'indexes'])], ...sizeRows(figures)]),
    '',
    ...table([['CPU, ms', ...kinds], ...cpuRows(figures)]),
  ].join('\n');
}

function sizeRows(figures: readonly StorageFigures[]): string[][] {
  const names = [...new Set(figures.flatMap(({ bytes }) => Object.keys(bytes)))].sort();
  const row = (name: string, of: (each: Sizes) => { rows: number; indexes: number }): string[] => [
    name,
    ...figures.flatMap(({ bytes }) => {
      const { rows, indexes } = of(bytes);
      return [rows + indexes, rows, indexes].map((value) => value.toFixed(0));
    }),
  ];
  const total = (database: string) => (bytes: Sizes) => {
    const own = Object.entries(bytes).filter(([name]) => name.startsWith(`${database}.`));
    return {
      rows: own.reduce((sum, [, { rows }]) => sum + rows, 0),
      indexes: own.reduce((sum, [, { indexes }]) => sum + indexes, 0),
    };
  };
  const tables = names.map((name) => row(name, (bytes) => bytes[name] ?? { rows: 0, indexes: 0 }));
  // What is less than a byte of a payment is noise.
  const relevant = tables.filter((cells) => cells.slice(1).some((cell) => Math.abs(Number(cell)) >= 1));
  return [...relevant, ...DATABASES.map((database) => row(`total of ${database}`, total(database)))];
}

function cpuRows(figures: readonly StorageFigures[]): string[][] {
  const names = [...new Set(figures.flatMap(({ cpuMs }) => Object.keys(cpuMs)))];
  return names.map((name) => [name, ...figures.map(({ cpuMs }) => showNumber(cpuMs[name] ?? 0))]);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.stack : error);
  process.exit(1);
});
