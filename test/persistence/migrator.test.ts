import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { connectForMigrations } from '../../src/persistence/sql/database';
import { migrations } from '../../src/persistence/migrations';
import { migrate } from '../../src/persistence/sql/migrator';
import { createTestDatabase } from '../support/stack/test-config';

async function rowsOf(url: string, sql: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query<object>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

it('a migration may run for half an hour and wait five seconds for a lock', async () => {
  const url = await createTestDatabase();
  const name = `9999-${randomUUID()}`;
  const up = `CREATE TABLE settings AS SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
    current_setting('idle_in_transaction_session_timeout') AS idle`;
  expect(await migrate(url, 'test', [...migrations, { name, up }])).toEqual([name]);
  expect(await rowsOf(url, 'SELECT * FROM settings')).toEqual([
    { statement: '30min', lock: '5s', idle: '0' },
  ]);
  const connection = connectForMigrations(url);
  // The client's timeout is longer than the server's.
  expect(connection).toMatchObject({ options: { dialectOptions: { query_timeout: 1_801_000 } } });
  await connection.close();
});

it('a migration is applied once when several processes migrate concurrently', async () => {
  const url = await createTestDatabase();
  const name = `9999-${randomUUID()}`;
  const all = [...migrations, { name, up: 'CREATE TABLE once AS SELECT 1 FROM pg_sleep(0.2)' }];
  const applied = await Promise.all([
    migrate(url, 'test', all),
    migrate(url, 'test', all),
    migrate(url, 'test', all),
  ]);
  expect(applied.flat()).toEqual([name]);
});

it('a failing migration is rolled back completely, and the migrations before it are applied once', async () => {
  const url = await createTestDatabase();
  const good = { name: '9998-good', up: 'CREATE TABLE good ()' };
  const bad = { name: '9999-bad', up: 'CREATE TABLE half (); SELECT nothing FROM nowhere' };
  await expect(migrate(url, 'test', [...migrations, good, bad])).rejects.toThrow();
  expect(await rowsOf(url, `SELECT to_regclass('half') AS half, to_regclass('good') AS good`)).toEqual([
    { half: null, good: 'good' },
  ]);
  expect(await migrate(url, 'test', [...migrations, good])).toEqual([]);
});

describe('the index of a migration', () => {
  const table = { name: '9998-table', up: 'CREATE TABLE numbers AS SELECT 1 AS n' };
  const index = (definition: string) => ({
    ...{ name: '9999-index', up: 'CREATE TABLE IF NOT EXISTS once ()' },
    index: { name: 'numbers_n', definition: `ON numbers ${definition}` },
  });

  it('is built while others write to its table', async () => {
    const url = await createTestDatabase();
    await migrate(url, 'test', [...migrations, table]);
    const [first, second] = [
      new pg.Client({ connectionString: url }),
      new pg.Client({ connectionString: url }),
    ];
    await Promise.all([first.connect(), second.connect()]);
    await first.query('BEGIN; INSERT INTO numbers VALUES (2)');
    const migrated = migrate(url, 'test', [...migrations, table, index('(n)')]);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX%'
      AND datname = current_database()`;
    while ((await second.query(waiting)).rowCount === 0);
    await second.query(`SET lock_timeout = '1s'; INSERT INTO numbers VALUES (3)`);
    await first.query('COMMIT');
    expect(await migrated).toEqual(['9999-index']);
    await Promise.all([first.end(), second.end()]);
  });

  it('is built anew after a build that failed', async () => {
    const url = await createTestDatabase();
    await expect(migrate(url, 'test', [...migrations, table, index('((1 / (n - 1)))')])).rejects.toThrow(
      'division by zero',
    );
    expect(await migrate(url, 'test', [...migrations, table, index('(n)')])).toEqual(['9999-index']);
    const [built] = await rowsOf(
      url,
      `SELECT indisvalid AS valid, pg_get_indexdef(indexrelid) AS sql FROM pg_index
      WHERE indexrelid = 'numbers_n'::regclass`,
    );
    expect(built).toEqual({ valid: true, sql: 'CREATE INDEX numbers_n ON public.numbers USING btree (n)' });
  });
});
