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

it('lets a step work for half an hour, and wait for a lock for five seconds', async () => {
  const url = await createTestDatabase();
  const name = `9999-${randomUUID()}`;
  const up = `CREATE TABLE seen AS SELECT current_setting('statement_timeout') AS work, current_setting('lock_timeout') AS lock,
    current_setting('idle_in_transaction_session_timeout') AS idle`;
  expect(await migrate(url, [...migrations, { name, up }])).toEqual([name]);
  expect(await rowsOf(url, 'SELECT * FROM seen')).toEqual([{ work: '30min', lock: '5s', idle: '0' }]);
  const connection = connectForMigrations(url);
  // Nor does the client give up before the server does.
  expect(connection).toMatchObject({ options: { dialectOptions: { query_timeout: 1_801_000 } } });
  await connection.close();
});

it('takes a step once, however many processes migrate at the same time', async () => {
  const url = await createTestDatabase();
  const name = `9999-${randomUUID()}`;
  const steps = [...migrations, { name, up: 'CREATE TABLE once AS SELECT 1 FROM pg_sleep(0.2)' }];
  const taken = await Promise.all([migrate(url, steps), migrate(url, steps), migrate(url, steps)]);
  expect(taken.flat()).toEqual([name]);
});

it('takes nothing of a step that fails, and those before it once', async () => {
  const url = await createTestDatabase();
  const good = { name: '9998-good', up: 'CREATE TABLE good ()' };
  const bad = { name: '9999-bad', up: 'CREATE TABLE half (); SELECT nothing FROM nowhere' };
  await expect(migrate(url, [...migrations, good, bad])).rejects.toThrow();
  expect(await rowsOf(url, `SELECT to_regclass('half') AS half, to_regclass('good') AS good`)).toEqual([
    { half: null, good: 'good' },
  ]);
  expect(await migrate(url, [...migrations, good])).toEqual([]);
});
