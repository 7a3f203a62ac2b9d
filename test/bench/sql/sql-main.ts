import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QueryTypes, type Transaction } from 'sequelize';
import { freePort } from '../../../src/dev/ports';
import { preparePostgres } from '../../../src/dev/servers/postgres';
import { SupervisedProcess } from '../../../src/dev/supervised-process';
import { connectDatabase } from '../../../src/persistence/sql/database';
import { Database } from '../../../src/persistence/sql/transaction';
import { cpuUsed, readCpu } from '../support/cpu';
import { spreadOf } from '../support/statistics';
import { table } from '../support/table';

/**
 * `npm run bench:sql`: one transaction of six statements, as a payment makes them, in three ways. Its figures justify
 * docs/decisions/sequelize-prepared.md.
 */

const ROUNDS = 5;
const TRANSACTIONS = 2_000;

const SCHEMA = `
  CREATE TABLE bench_payments (id bigint PRIMARY KEY, status text NOT NULL, amount bigint NOT NULL, body jsonb NOT NULL);
  CREATE TABLE bench_attempts (id bigint PRIMARY KEY, payment_id bigint NOT NULL REFERENCES bench_payments, status text NOT NULL);
  CREATE TABLE bench_events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payment_id bigint NOT NULL, body jsonb NOT NULL)`;

const SQL = {
  insertPayment: 'INSERT INTO bench_payments (id, status, amount, body) VALUES ($1, $2, $3, $4)',
  insertAttempt: 'INSERT INTO bench_attempts (id, payment_id, status) VALUES ($1, $2, $3)',
  lockPayment: 'SELECT id, status, amount, body FROM bench_payments WHERE id = $1 FOR UPDATE',
  listAttempts: 'SELECT id, payment_id, status FROM bench_attempts WHERE payment_id = $1 ORDER BY id',
  updatePayment: 'UPDATE bench_payments SET status = $2 WHERE id = $1',
  insertEvent: 'INSERT INTO bench_events (payment_id, body) VALUES ($1, $2)',
} as const;

const BODY = JSON.stringify({
  status: 'approved',
  customer: { name: 'Maria Souza' },
  padding: 'x'.repeat(800),
});

type Variant = (db: Database, id: number) => Promise<void>;

/** Sequelize's own query layer: no statement has a name, and each waits for the one before it. */
const sequelizeQueries: Variant = (db, id) =>
  db.sequelize.transaction(async (transaction: Transaction) => {
    const run = (sql: string, bind: unknown[], type = QueryTypes.RAW) =>
      db.sequelize.query(sql, { bind, transaction, type });
    await run(SQL.insertPayment, [id, 'processing', 1_000, BODY]);
    await run(SQL.insertAttempt, [id, id, 'sent']);
    await run(SQL.lockPayment, [id], QueryTypes.SELECT);
    await run(SQL.listAttempts, [id], QueryTypes.SELECT);
    await run(SQL.updatePayment, [id, 'approved']);
    await run(SQL.insertEvent, [id, BODY]);
  });

const preparedOneByOne: Variant = (db, id) =>
  db.inTransaction(async (tx) => {
    await db.execute(SQL.insertPayment, [id, 'processing', 1_000, BODY], tx);
    await db.execute(SQL.insertAttempt, [id, id, 'sent'], tx);
    await db.query(SQL.lockPayment, [id], tx);
    await db.query(SQL.listAttempts, [id], tx);
    await db.execute(SQL.updatePayment, [id, 'approved'], tx);
    await db.execute(SQL.insertEvent, [id, BODY], tx);
  });

const preparedPipelined: Variant = (db, id) =>
  db.inTransaction(async (tx) => {
    await Promise.all([
      db.execute(SQL.insertPayment, [id, 'processing', 1_000, BODY], tx),
      db.execute(SQL.insertAttempt, [id, id, 'sent'], tx),
    ]);
    await Promise.all([db.query(SQL.lockPayment, [id], tx), db.query(SQL.listAttempts, [id], tx)]);
    await Promise.all([
      db.execute(SQL.updatePayment, [id, 'approved'], tx),
      db.execute(SQL.insertEvent, [id, BODY], tx),
    ]);
  });

const VARIANTS: Readonly<Record<string, Variant>> = {
  'Sequelize.query': sequelizeQueries,
  'prepared, one by one': preparedOneByOne,
  'prepared, pipelined': preparedPipelined,
};

interface Figures {
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly wallMs: number;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'payment-engine-sql-'));
  const postgres = await preparePostgres({
    dataDir: folder,
    port: await freePort(),
    logFile: join(folder, 'postgres.log'),
    durable: true,
  });
  const server = new SupervisedProcess(postgres.process);
  await server.start();
  try {
    await postgres.createDatabase();
    const db = new Database(connectDatabase(postgres.url, 2));
    await db.sequelize.query(SCHEMA);
    await report(db, server.identity?.pid ?? 0);
    await db.close();
  } finally {
    await server.stop(5_000);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function report(db: Database, postmaster: number): Promise<void> {
  const figures = new Map(Object.keys(VARIANTS).map((name): [string, Figures[]] => [name, []]));
  let id = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, variant] of Object.entries(VARIANTS)) {
      const before = readCpu({ node: process.pid }, postmaster);
      const startedAt = performance.now();
      for (let count = 0; count < TRANSACTIONS; count += 1) await variant(db, (id += 1));
      const wallMs = (performance.now() - startedAt) / TRANSACTIONS;
      const used = cpuUsed(before, readCpu({ node: process.pid }, postmaster));
      const each = (ms: number | undefined): number => (ms ?? 0) / TRANSACTIONS;
      figures.get(name)?.push({ nodeMs: each(used['node']), postgresMs: each(used['postgres']), wallMs });
    }
  }
  const rows = Array.from(figures, ([name, rounds]) => [
    name,
    ...(['nodeMs', 'postgresMs', 'wallMs'] as const).map((figure) =>
      spreadOf(rounds.map((round) => round[figure])).median.toFixed(3),
    ),
  ]);
  const heads = ['six statements in a transaction', 'Node CPU ms', 'Postgres CPU ms', 'wall ms'];
  console.log(table([heads, ...rows]).join('\n'));
}

void main();
