import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { resolveInDoubtCommit, type InDoubtCommit } from '../../src/application/payments/in-doubt-commit';
import type { Tx } from '../../src/persistence/sql/transaction';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { createTestDatabase, testConfig } from '../support/stack/test-config';

let context: AppContext;
beforeAll(async () => {
  context = createAppContext(testConfig({}, await createTestDatabase()));
  // Each row makes its COMMIT take as long as it says.
  await context.db.queryComposed(
    `CREATE TABLE slow_commits (id uuid PRIMARY KEY, seconds float8 NOT NULL);
     CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN PERFORM pg_sleep(NEW.seconds); RETURN NULL; END';
     CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON slow_commits DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION commit_slowly()`,
    [],
  );
});
afterAll(() => Promise.all([context.db.close(), context.temporal.connection.close()]));

const failureOf = (work: (tx: Tx) => Promise<unknown>): Promise<unknown> =>
  context.db.inTransaction(work).then(
    () => undefined,
    (error: unknown) => error,
  );

const lostAfterCommit = (): Promise<unknown> =>
  failureOf(async (tx) => {
    tx.afterCommit(() => {
      throw new Error('lost');
    });
    await context.db.query('SELECT 1', [], tx);
  });

/** The error of a transaction that loses its connection while its COMMIT, which takes this long, is under way. */
function lostDuringCommit(id: string, seconds: number): Promise<unknown> {
  return failureOf(async (tx) => {
    await context.db.query('INSERT INTO slow_commits VALUES ($1, $2)', [id, seconds], tx);
    const { connection } = tx as unknown as { connection: { connection: { stream: Socket } } };
    void delay(300).then(() => connection.connection.stream.destroy());
  });
}

const resolve = (
  cause: unknown,
  find: InDoubtCommit<unknown>['find'],
  idempotencyKey: string | null = 'key',
) => resolveInDoubtCommit({ db: context.db, find, cause, idempotencyKey });

describe('a transaction whose COMMIT was sent', () => {
  it('is looked up', async () => {
    const find = jest.fn(() => Promise.resolve('a row'));
    await expect(resolve(await lostAfterCommit(), find)).resolves.toBe('a row');
  });

  it('is not taken for rolled back while the server is still committing it', async () => {
    const id = randomUUID();
    const cause = await lostDuringCommit(id, 2);
    const find = () => context.db.queryOne('SELECT id FROM slow_commits WHERE id = $1', [id]);
    expect(await find()).toBeNull();
    await expect(resolve(cause, find)).resolves.toEqual({ id });
  });

  it('throws the original error when it left no row', async () => {
    const cause = await lostAfterCommit();
    await expect(resolve(cause, () => Promise.resolve(null))).rejects.toBe(cause);
  });
});

describe('a request that ends before it can be told whether its COMMIT happened', () => {
  const neverAnswers = (): Promise<never> => new Promise(() => undefined);

  it('is answered in time, and says that it is safe to send it again with its Idempotency-Key', async () => {
    const cause = await lostAfterCommit();
    const startedAt = performance.now();
    await expect(resolve(cause, neverAnswers)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('not known whether') as string,
      retryAfterSeconds: 1,
    });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it('does not ask for a repetition if it had no Idempotency-Key, because that could move money twice', async () => {
    const cause = await lostDuringCommit(randomUUID(), 12);
    await expect(resolve(cause, () => Promise.resolve(null), null)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('before repeating it') as string,
      retryAfterSeconds: undefined,
    });
  });
});

it('a transaction whose COMMIT was never sent is not looked up and its error is thrown', async () => {
  const find = jest.fn(() => Promise.resolve('a row'));
  const cause = await failureOf((tx) => context.db.query('SELECT 1 / 0', [], tx));
  await expect(resolve(cause, find)).rejects.toBe(cause);
  expect(find).not.toHaveBeenCalled();
});
