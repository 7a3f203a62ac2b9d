import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { testConfig } from '../support/stack/test-config';

let parts: AppContext;
beforeAll(async () => {
  parts = createAppContext(testConfig({ DATABASE_POOL: '2' }));
  await parts.db.query('DROP TABLE IF EXISTS steps');
  await parts.db.query('CREATE TABLE steps (name text PRIMARY KEY)');
});
beforeEach(() => parts.db.query('DELETE FROM steps'));
afterAll(async () => {
  await parts.db.query('DROP TABLE steps');
  await Promise.all([parts.db.close(), parts.temporal.connection.close()]);
});

const add = (name: string, tx: Parameters<AppContext['db']['execute']>[2]): Promise<number> =>
  parts.db.execute('INSERT INTO steps (name) VALUES ($1)', [name], tx);

async function steps(): Promise<string[]> {
  const rows = await parts.db.query<{ name: string }>('SELECT name FROM steps ORDER BY name');
  return rows.map(({ name }) => name);
}

const UNIQUE = { name: 'SequelizeUniqueConstraintError' };

describe('a transaction', () => {
  it('runs its statements in the order they were asked for, whoever waits for them', async () => {
    const read = await parts.db.inTransaction(async (tx) => {
      const [, found] = await Promise.all([add('a', tx), parts.db.query('SELECT name FROM steps', [], tx)]);
      return found;
    });
    expect(read).toEqual([{ name: 'a' }]);
  });

  it('commits with what was left to the commit', async () => {
    await parts.db.inTransaction(async (tx) => {
      await add('a', tx);
      parts.db.awaitBeforeCommit(tx, add('b', tx));
    });
    expect(await steps()).toEqual(['a', 'b']);
  });

  it('commits nothing when what was left to the commit fails, and throws its error', async () => {
    const failing = parts.db.inTransaction(async (tx) => {
      await add('a', tx);
      parts.db.awaitBeforeCommit(tx, add('a', tx));
      parts.db.awaitBeforeCommit(tx, add('b', tx));
    });
    await expect(failing).rejects.toMatchObject(UNIQUE);
    expect(await steps()).toEqual([]);
  });

  it('commits nothing, and says so, when somebody has overlooked an error', async () => {
    const failing = parts.db.inTransaction(async (tx) => {
      await add('a', tx);
      await add('a', tx).catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('nothing was committed');
    expect(await steps()).toEqual([]);
  });

  it('rolls back with statements still under way', async () => {
    const failing = parts.db.inTransaction(async (tx) => {
      await add('a', tx);
      await Promise.all([add('a', tx), add('b', tx), parts.db.query('SELECT pg_sleep(0.1)', [], tx)]);
    });
    await expect(failing).rejects.toMatchObject(UNIQUE);
    expect(await steps()).toEqual([]);
  });

  it('tells what waits for the commit after it, and only then', async () => {
    const told: string[][] = [];
    const tell = async (): Promise<void> => void told.push(await steps());
    await parts.db.inTransaction(async (tx) => {
      tx.afterCommit(tell);
      await add('a', tx);
    });
    const failing = parts.db.inTransaction(async (tx) => {
      tx.afterCommit(tell);
      await add('a', tx);
    });
    await expect(failing).rejects.toMatchObject(UNIQUE);
    expect(told).toEqual([['a']]);
  });
});
