import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { testConfig } from '../support/stack/test-config';

let context: AppContext;
beforeAll(async () => {
  context = createAppContext(testConfig({ DATABASE_POOL: '2' }));
  await context.db.query('DROP TABLE IF EXISTS steps');
  await context.db.query('CREATE TABLE steps (name text PRIMARY KEY)');
});
beforeEach(() => context.db.query('DELETE FROM steps'));
afterAll(async () => {
  await context.db.query('DROP TABLE steps');
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

const add = (name: string, tx: Parameters<AppContext['db']['execute']>[2]): Promise<number> =>
  context.db.execute('INSERT INTO steps (name) VALUES ($1)', [name], tx);

async function steps(): Promise<string[]> {
  const rows = await context.db.query<{ name: string }>('SELECT name FROM steps ORDER BY name');
  return rows.map(({ name }) => name);
}

const UNIQUE = { name: 'SequelizeUniqueConstraintError' };

describe('a transaction', () => {
  it('commits nothing and throws when an error was swallowed', async () => {
    const failing = context.db.inTransaction(async (tx) => {
      await add('a', tx);
      await add('a', tx).catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('nothing was committed');
    expect(await steps()).toEqual([]);
  });

  it('is rolled back while statements are still running', async () => {
    const failing = context.db.inTransaction(async (tx) => {
      await add('a', tx);
      await Promise.all([add('a', tx), add('b', tx), context.db.query('SELECT pg_sleep(0.1)', [], tx)]);
    });
    await expect(failing).rejects.toMatchObject(UNIQUE);
    expect(await steps()).toEqual([]);
  });

  it('calls afterCommit callbacks after the commit, and not after a rollback', async () => {
    const calls: string[][] = [];
    const callback = async (): Promise<void> => void calls.push(await steps());
    await context.db.inTransaction(async (tx) => {
      tx.afterCommit(callback);
      await add('a', tx);
    });
    const failing = context.db.inTransaction(async (tx) => {
      tx.afterCommit(callback);
      await add('a', tx);
    });
    await expect(failing).rejects.toMatchObject(UNIQUE);
    expect(calls).toEqual([['a']]);
  });
});
