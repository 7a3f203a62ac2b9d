import { resolveInDoubtCommit } from '../../src/application/payments/in-doubt-commit';
import type { Tx } from '../../src/persistence/sql/transaction';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { testConfig } from '../support/stack/test-config';

/* What became of a transaction that was lost: when it is asked for, and for how long. */

let parts: AppContext;
beforeAll(() => {
  parts = createAppContext(testConfig());
});
afterAll(() => Promise.all([parts.db.close(), parts.temporal.connection.close()]));

const failureOf = (work: (tx: Tx) => Promise<unknown>): Promise<unknown> =>
  parts.db.inTransaction(work).then(
    () => undefined,
    (error: unknown) => error,
  );

const lostAfterItsCommit = (): Promise<unknown> =>
  failureOf(async (tx) => {
    tx.afterCommit(() => {
      throw new Error('lost');
    });
    await parts.db.query('SELECT 1', [], tx);
  });

it('is asked for when its COMMIT was sent', async () => {
  const find = jest.fn(() => Promise.resolve('a row'));
  await expect(resolveInDoubtCommit(find, await lostAfterItsCommit())).resolves.toBe('a row');
});

it('is not asked for when its COMMIT was never sent: nothing can be there', async () => {
  const find = jest.fn(() => Promise.resolve('a row'));
  const cause = await failureOf((tx) => parts.db.query('SELECT 1 / 0', [], tx));
  await expect(resolveInDoubtCommit(find, cause)).rejects.toBe(cause);
  expect(find).not.toHaveBeenCalled();
});

it('is asked for no longer than a caller can wait, also of a database that has fallen silent', async () => {
  const silent = (): Promise<never> => new Promise(() => undefined);
  const cause = await lostAfterItsCommit();
  const began = performance.now();
  await expect(resolveInDoubtCommit(silent, cause)).rejects.toBe(cause);
  expect(performance.now() - began).toBeLessThan(20_000);
});

it('is not there when the table knows no row of it', async () => {
  const cause = await lostAfterItsCommit();
  await expect(resolveInDoubtCommit(() => Promise.resolve(null), cause)).rejects.toBe(cause);
});
