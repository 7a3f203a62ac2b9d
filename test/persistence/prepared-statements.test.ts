import { createAppContext, type AppContext } from '../../src/composition/app-context';
import type { PaymentListFilter } from '../../src/persistence/read-models/payment-conditions';
import { PaymentList } from '../../src/persistence/read-models/payment-list';
import { testConfig } from '../support/stack/test-config';

/** A pool of one connection, so that its prepared statements can be listed. */
let context: AppContext;
beforeEach(() => {
  context = createAppContext(testConfig({ DATABASE_POOL: '1' }));
});
afterEach(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

async function prepared(): Promise<string[]> {
  const rows = await context.db.queryComposed<{ statement: string }>(
    'SELECT statement FROM pg_prepared_statements',
    [],
  );
  return rows.map(({ statement }) => statement);
}

it('a constant statement is prepared once', async () => {
  const sql = 'SELECT $1::integer + 1 AS next';
  for (const value of [1, 2, 3]) expect(await context.db.query(sql, [value])).toEqual([{ next: value + 1 }]);
  expect(await prepared()).toEqual([sql]);
});

it('a statement composed at run time is not prepared', async () => {
  const list = new PaymentList(context.db, context.payments, context.attempts, context.deliveries);
  const filters: PaymentListFilter[] = [{ merchantOrderId: 'A' }, { amountFrom: 1, amountTo: 2 }];
  for (const filter of filters) {
    await list.load({ id: 0, timezone: 'America/Sao_Paulo' }, filter, { number: 1, size: 10 });
  }
  expect(await prepared()).toEqual([]);
});

it('the number of prepared statements is bounded, and more statements still run', async () => {
  for (let n = 1; n <= 510; n += 1) {
    expect(await context.db.query(`SELECT ${n} AS n`)).toEqual([{ n }]);
  }
  expect(await prepared()).toHaveLength(500);
});
