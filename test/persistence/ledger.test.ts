import { UniqueConstraintError } from 'sequelize';
import type { AuthenticatedCompany } from '../../src/domain/companies/company';
import { posting, type LedgerPosting } from '../../src/domain/ledger/journal';
import { postedEntries } from '../../src/persistence/ledger/ledger-repository';
import { LedgerReader } from '../../src/persistence/read-models/ledger';
import { changeJointly } from '../../src/persistence/sql/joint-changes';
import { newCompany } from '../support/fixtures/payments';
import { pay, uniqueAmount } from '../support/scenarios/pay';
import { startEngine, type Engine } from '../support/stack/engine';
import { waitFor } from '../support/stack/wait-for';

let engine: Engine;
let company: AuthenticatedCompany;
let ledger: LedgerReader;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'payments' });
  company = await newCompany(engine);
  ledger = new LedgerReader(engine.context.db);
});
afterAll(() => engine.stop());

/** Posts an entry about no payment by a transaction of its own. */
async function post(step: string, postings: readonly LedgerPosting[]): Promise<void> {
  const { db } = engine.context;
  const entry = { step, kind: 'paid_out', currency: 'BRL', postedAt: new Date(), secretId: null } as const;
  const changes = postedEntries([{ ...entry, companyId: company.id, transactionId: null, postings }]);
  await db.inTransaction((tx) => changeJointly(db, changes, tx));
}

const payout = (cents: number): LedgerPosting[] => [
  posting('bank', cents),
  posting('gateway_balance', -cents, { gateway: 'gateway_1' }),
];

async function postingsOf(transactionId: string): Promise<Array<[string, string, number]>> {
  const filter = { transactionId };
  const entries = await ledger.listEntries(company.id, filter, { after: null, limit: 100 });
  return entries.flatMap(({ kind, postings }) =>
    postings.map(({ account, amountCents }): [string, string, number] => [kind, account, amountCents]),
  );
}

async function refund(id: string, amount: number): Promise<void> {
  const command = { company, operation: 'refund', id, idempotencyKey: null, request: { amount } } as const;
  await engine.payments.operatePayment.execute({ ...command, receivedAt: new Date() });
}

/** Makes a payment look like one of before the ledger: nothing of it is recorded as posted, in a company of its own. */
async function forget(id: string): Promise<string> {
  const copy = await engine.context.db.queryOne<{ id: string }>(
    `WITH original AS (SELECT * FROM payments WHERE transaction_id = $1),
     copied AS (
       INSERT INTO payments (transaction_id, company_id, merchant_order_id, amount_cents, currency, payment_method, status,
         message, capture, installments, customer_id, customer, captured_amount_cents, refunded_amount_cents, paid_at,
         requested_at, settled_at, created_at, updated_at)
       SELECT uuidv7(), company_id, merchant_order_id, amount_cents, currency, payment_method, status, message, capture,
         installments, customer_id, customer, captured_amount_cents, refunded_amount_cents, paid_at, requested_at, settled_at,
         created_at, updated_at FROM original
       RETURNING id, transaction_id)
     INSERT INTO gateway_attempts (id, payment_id, company_id, attempt, operation, purpose, gateway_slug, reference, status,
       amount_cents, gateway_transaction_id, created_at, updated_at)
     SELECT uuidv7(), copied.id, a.company_id, a.attempt, a.operation, a.purpose, a.gateway_slug, gen_random_uuid()::text,
       a.status, a.amount_cents, a.gateway_transaction_id, a.created_at, a.updated_at
       FROM gateway_attempts a JOIN original ON a.payment_id = original.id, copied
     RETURNING (SELECT transaction_id FROM copied) AS id`,
    [id],
  );
  if (copy === null) throw new Error('the payment was not copied');
  return copy.id;
}

describe('the ledger', () => {
  it('commits no entry whose postings do not sum to zero', async () => {
    await expect(post('test/unbalanced', [posting('bank', 100), posting('sales', -99)])).rejects.toThrow(
      'do not sum to zero',
    );
    await post('test/unbalanced', [posting('bank', 100), posting('sales', -100)]);
  });

  it('posts a step once', async () => {
    await post('test/once', payout(100));
    await expect(post('test/once', payout(100))).rejects.toThrow(UniqueConstraintError);
  });

  it.each([
    'UPDATE ledger_entries SET step = step',
    'DELETE FROM ledger_entries',
    'UPDATE ledger_postings SET amount_cents = amount_cents',
    'DELETE FROM ledger_postings',
    'TRUNCATE ledger_postings',
    'TRUNCATE ledger_entries CASCADE',
  ])('rejects every change: %s', async (statement) => {
    await expect(engine.context.db.queryComposed(statement, [])).rejects.toThrow('append-only');
  });

  it('posts what is missing of payments of before the ledger, once, with the dates of their history', async () => {
    const { body } = await pay(engine, company, { amount: uniqueAmount() });
    await refund(body.transaction_id, 1_000);
    const old = await forget(body.transaction_id);
    expect(await postingsOf(old)).toEqual([]);
    await waitFor(async () => {
      await engine.sweeper.sweepOnce();
      return (await postingsOf(old)).length > 0;
    });
    const expected = [
      ['refunded', 'gateway_receivable', -1_000],
      ['refunded', 'refunds', 1_000],
      ['received', 'gateway_receivable', body.amount],
      ['received', 'sales', -body.amount],
    ];
    expect(await postingsOf(body.transaction_id)).toEqual(expected);
    expect(await postingsOf(old)).toEqual(expected);
    await engine.sweeper.sweepOnce();
    expect(await postingsOf(old)).toEqual(expected);
    const [, received] = await ledger.listEntries(
      company.id,
      { transactionId: old },
      { after: null, limit: 2 },
    );
    const { paidAt } = await engine.context.payments.get(old);
    expect(received?.postedAt).toEqual(paidAt);
  });

  it('has the same balances before and after entries are added to the sums by day, and after these are built again', async () => {
    const { db } = engine.context;
    const own = await newCompany(engine);
    for (const amount of [1_500, 2_500]) await pay(engine, own, { amount });
    const days = { from: '2026-01-01', to: '9998-12-31' };
    const balances = () => ledger.listBalances(own.id, days);
    const exact = await balances();
    expect(exact.map(({ account, balanceCents }) => [account, balanceCents])).toEqual([
      ['gateway_receivable', 4_000],
      ['sales', -4_000],
    ]);
    const isSummed = async () =>
      (await db.query('SELECT FROM ledger_balances WHERE company_id = $1', [own.id])).length > 0;
    await waitFor(async () => {
      await engine.sweeper.sweepOnce();
      return isSummed();
    });
    expect(await balances()).toEqual(exact);
    await db.inTransaction(async (tx) => {
      await db.query('SELECT FROM ledger_balances_state FOR UPDATE', [], tx);
      await db.execute('DELETE FROM ledger_balances', [], tx);
      const nothing = `UPDATE ledger_balances_state SET tx_id = '0', entry_id = '00000000-0000-0000-0000-000000000000'`;
      await db.execute(nothing, [], tx);
    });
    expect(await balances()).toEqual(exact);
    await waitFor(async () => {
      await engine.sweeper.sweepOnce();
      return isSummed();
    });
    expect(await balances()).toEqual(exact);
  });
});
