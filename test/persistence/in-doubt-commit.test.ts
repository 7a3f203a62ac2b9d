import { resolveInDoubtCommit } from '../../src/application/payments/in-doubt-commit';
import type { Tx } from '../../src/persistence/sql/transaction';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { testConfig } from '../support/stack/test-config';

let context: AppContext;
beforeAll(() => {
  context = createAppContext(testConfig());
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

it('a transaction whose COMMIT was sent is looked up', async () => {
  const find = jest.fn(() => Promise.resolve('a row'));
  await expect(resolveInDoubtCommit(find, await lostAfterCommit())).resolves.toBe('a row');
});

it('a transaction whose COMMIT was never sent is not looked up and its error is thrown', async () => {
  const find = jest.fn(() => Promise.resolve('a row'));
  const cause = await failureOf((tx) => context.db.query('SELECT 1 / 0', [], tx));
  await expect(resolveInDoubtCommit(find, cause)).rejects.toBe(cause);
  expect(find).not.toHaveBeenCalled();
});

it("the lookup ends within the caller's timeout when the database does not answer", async () => {
  const neverAnswers = (): Promise<never> => new Promise(() => undefined);
  const cause = await lostAfterCommit();
  const startedAt = performance.now();
  await expect(resolveInDoubtCommit(neverAnswers, cause)).rejects.toBe(cause);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

it('the original error is thrown when the transaction left no row', async () => {
  const cause = await lostAfterCommit();
  await expect(resolveInDoubtCommit(() => Promise.resolve(null), cause)).rejects.toBe(cause);
});
