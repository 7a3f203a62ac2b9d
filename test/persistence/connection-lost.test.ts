import { Sequelize } from 'sequelize';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { Database } from '../../src/persistence/sql/transaction';
import { expectError } from '../api/support/expect-error';
import { startTestApi, TEST_KEYS, type TestApi } from '../api/support/test-api';
import { testConfig } from '../support/stack/test-config';
import { readStack } from '../support/stack/stack';
import { waitFor } from '../support/stack/wait-for';

/** A pool of one connection, so that the query after a failure shows whether the connection was replaced. */
let context: AppContext;
let db: Database;
let others: AppContext;
let api: TestApi;
let work: () => Promise<void>;

beforeAll(async () => {
  context = createAppContext(testConfig({ DATABASE_POOL: '1' }));
  db = context.db;
  others = createAppContext(testConfig({ DATABASE_POOL: '1' }));
  api = await startTestApi({
    handlers: {
      listPayments: async () => {
        await work();
        throw new Error('the test expects a database error');
      },
    },
  });
  // Sequelize warns on the console when it cannot roll back on a dead connection.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterAll(async () => {
  await api.close();
  for (const { db, temporal } of [context, others])
    await Promise.all([db.close(), temporal.connection.close()]);
});

const list = () => fetch(`${api.baseUrl}/api/v1/payments`, { headers: TEST_KEYS });

async function backend(tx?: Parameters<Database['query']>[2]): Promise<number> {
  const row = await db.queryOne<{ pid: number }>('SELECT pg_backend_pid() AS pid', [], tx);
  return row?.pid ?? 0;
}

async function kill(pid: number): Promise<void> {
  await others.db.query('SELECT pg_terminate_backend($1)', [pid]);
}

async function expectUnavailable(): Promise<void> {
  const { message } = await expectError(await list(), 'unavailable');
  expect(message).toBe('The service is unavailable for a moment.');
}

describe('a connection that is killed during a transaction', () => {
  let killed: number;
  afterEach(async () => {
    expect(await backend()).not.toBe(killed);
    expect(await db.inTransaction((tx) => backend(tx))).toBe(await backend());
  });

  it('is answered 503 and replaced when a statement is running', async () => {
    work = () =>
      db.inTransaction(async (tx) => {
        killed = await backend(tx);
        const sleeping = db.query('SELECT pg_sleep(4)', [], tx);
        await Promise.all([sleeping, kill(killed)]);
      });
    await expectUnavailable();
  });

  it('is answered 503 and replaced when it is killed between two statements, and later statements fail too', async () => {
    const failures: unknown[] = [];
    work = () =>
      db.inTransaction(async (tx) => {
        killed = await backend(tx);
        await kill(killed);
        await waitFor(async () => {
          await db.query('SELECT 1', [], tx).catch((error: unknown) => failures.push(error));
          return failures.length > 0;
        });
        await db.query('SELECT 2', [], tx);
      });
    await expectUnavailable();
  });

  it('is answered 503 and replaced when it is killed before the commit', async () => {
    work = () =>
      db.inTransaction(async (tx) => {
        killed = await backend(tx);
        await kill(killed);
        await waitFor(async () => (await others.db.query(BACKEND, [killed])).length === 0);
      });
    await expectUnavailable();
  });
});

const BACKEND = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1';

describe('an unusable connection', () => {
  it('is removed from the pool when a query times out', async () => {
    const sequelize = new Sequelize(readStack().databaseUrl, {
      dialect: 'postgres',
      logging: false,
      pool: { max: 1 },
      dialectOptions: { query_timeout: 300 },
    });
    const shortTimeout = new Database(sequelize);
    const pid = () => shortTimeout.queryOne<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const before = await pid();
    await expect(shortTimeout.query('SELECT pg_sleep(2)')).rejects.toMatchObject({
      name: 'SequelizeDatabaseError',
      original: { message: 'Query read timeout' },
    });
    expect(await pid()).not.toEqual(before);
    await shortTimeout.close();
  });

  it('is removed from the pool when the server has lost its prepared statements', async () => {
    const before = await backend();
    await db.query('DEALLOCATE ALL');
    await expect(backend()).rejects.toMatchObject({ original: { code: '26000' } });
    expect(await backend()).not.toBe(before);
  });

  it('is removed from the pool when a migration has changed the result type of its prepared statements', async () => {
    await others.db.query('DROP TABLE IF EXISTS widened');
    await others.db.query('CREATE TABLE widened (a integer)');
    const read = () => db.query('SELECT * FROM widened');
    await read();
    await others.db.query('ALTER TABLE widened ALTER COLUMN a TYPE bigint');
    await expect(read()).rejects.toMatchObject({ original: { code: '0A000' } });
    expect(await read()).toEqual([]);
    await others.db.query('DROP TABLE widened');
  });
});

it('a transaction that has ended runs no further statements', async () => {
  const ended = await db.inTransaction(async (tx) => tx);
  await expect(db.query('SELECT 1', [], ended)).rejects.toThrow('the transaction has ended');
});

it('a database error is a Sequelize error and contains no parameter values', async () => {
  const secret = 'a-secret-value';
  const failed = db.query('INSERT INTO companies (client_id) VALUES ($1)', [secret]);
  const error: unknown = await failed.catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    name: 'SequelizeDatabaseError',
    original: { code: '23502' },
    parameters: {},
  });
  const twice = Promise.all([1, 2].map(() => context.companies.insert(COMPANY)));
  await expect(twice).rejects.toMatchObject({ name: 'SequelizeUniqueConstraintError' });
});

const COMPANY = {
  mode: 'test' as const,
  name: 'Loja',
  clientId: `twice-${process.pid}-${Date.now()}`,
  apiKeyHash: 'hash',
};
