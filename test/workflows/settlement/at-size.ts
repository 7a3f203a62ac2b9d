import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createSettlementActivities } from '../../../activities/settlement/settlements';
import { ImportStatement } from '../../../src/application/settlement/import-statement';
import type { SettlementToStart } from '../../../src/domain/settlement/settlement';
import { STATEMENT_COLUMNS } from '../../../src/domain/settlement/statement-csv';
import type { FailpointName } from '../../../src/failpoints';
import type { WireStatementLine } from '../../../src/gateways/simulator/wire-statement';
import { canHave, plan, type StatementError } from '../../../src/simulator/statements/statement-errors';
import type { SettlementStep } from '../../../workflows/settlement/messages';
import { insertCompany, insertCustomer } from '../../support/fixtures/companies';
import type { Engine } from '../../support/stack/engine';
import { FOUND_AS } from './settlement-scenario';

/** Those that are found on the day of the statement, also if banks are closed. */
const ERRORS = (Object.keys(FOUND_AS) as StatementError[]).filter(
  (error) => error !== 'missing_settlement' && error !== 'missing_refund',
);
const AMOUNT = 10_000;
const FEE = 100;
/** Payments that one statement inserts within its time. */
const INSERTED_AT_ONCE = 1_000;

interface SoldPix {
  readonly id: string;
}

/** A company with paid pix payments, as the engine stores them, on a day. */
export async function insertPaidPix(
  { context }: Pick<Engine, 'context'>,
  count: number,
  day: string,
): Promise<number> {
  const companyId = await insertCompany(context);
  await context.db.inTransaction((tx) => insertCustomer(context, tx, companyId));
  const shift = (Date.parse(`${day}T15:00:00Z`) - Date.now()) / 1_000;
  for (let after = 0; after < count; after += INSERTED_AT_ONCE) {
    const last = Math.min(after + INSERTED_AT_ONCE, count);
    await context.db.query(PAID_PIX, [companyId, after + 1, last, shift, day]);
  }
  return companyId;
}

/** The gateway's statement of it as CSV, with `each` errors of each kind. */
export async function* statementOf(
  { context }: Pick<Engine, 'context'>,
  companyId: number,
  day: string,
  each: number,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${STATEMENT_COLUMNS.join(',')}\n`);
  let [after, index] = ['00000000-0000-0000-0000-000000000000', 0];
  for (;;) {
    const page = await context.db.query<SoldPix>(
      `SELECT transaction_id AS id FROM payments WHERE company_id = $1 AND transaction_id > $2
        ORDER BY transaction_id LIMIT 1000`,
      [companyId, after],
    );
    if (page.length === 0) return;
    const lines = page.flatMap(({ id }) => {
      index += 1;
      return withError(
        linesOf(id, day),
        index <= each * ERRORS.length ? ERRORS[index % ERRORS.length] : undefined,
      );
    });
    after = page.at(-1)?.id ?? after;
    yield Buffer.from(lines.map((line) => `${rowOf(line).join(',')}\n`).join(''));
  }
}

/** What must be found of the errors that `statementOf` plants, and of which payment. */
export async function plantedErrors(
  { context }: Pick<Engine, 'context'>,
  companyId: number,
  each: number,
): Promise<string[]> {
  const sold = await context.db.query<SoldPix>(
    'SELECT transaction_id AS id FROM payments WHERE company_id = $1 ORDER BY transaction_id LIMIT $2',
    [companyId, each * ERRORS.length],
  );
  return sold.flatMap(({ id }, index) => {
    const error = ERRORS[(index + 1) % ERRORS.length];
    // The gateway's charge belongs to no payment.
    return error === undefined ? [] : [`${FOUND_AS[error]} ${error === 'unknown' ? null : id}`];
  });
}

/** The statement of a company as a file. */
export async function writeStatement(
  engine: Pick<Engine, 'context'>,
  { companyId, day, each, file }: { companyId: number; day: string; each: number; file: string },
): Promise<void> {
  await pipeline(Readable.from(statementOf(engine, companyId, day, each)), createWriteStream(file));
}

function linesOf(id: string, day: string): WireStatementLine[] {
  const line = {
    ...{ day, reference: `${id}-1`, charge_id: `ch_${id}`, dispute_id: null, amount: AMOUNT, fee: FEE },
    ...{ net: AMOUNT - FEE, currency: 'BRL', installment: null, occurred_at: `${day}T15:00:00.000Z` },
  };
  return [
    { ...line, id: `sale-${id}`, kind: 'sale' },
    { ...line, id: `settled-${id}`, kind: 'settled' },
  ];
}

function withError(lines: WireStatementLine[], error: StatementError | undefined): WireStatementLine[] {
  const line = error === undefined ? undefined : lines.find((one) => canHave(error, one));
  if (error === undefined || line === undefined) return lines;
  const { removes, adds } = plan(error, line);
  return [...lines.filter(({ id }) => id !== removes), ...adds];
}

function rowOf(line: WireStatementLine): unknown[] {
  return [
    ...[line.id, line.kind, line.day, line.reference, line.charge_id, line.dispute_id],
    ...[line.amount, line.fee, line.net, line.currency, line.installment, line.occurred_at],
  ];
}

export async function uploadStatement(
  { context }: Pick<Engine, 'context'>,
  companyId: number,
  day: string,
  chunks: AsyncIterable<Buffer>,
): Promise<{ readonly settlement: SettlementToStart; readonly isNew: boolean }> {
  const importStatement = new ImportStatement({
    ...context,
    audit: { insert: () => Promise.resolve(true) } as never,
    wake: () => Promise.resolve(),
    reportError: (error) => {
      throw error;
    },
  });
  const upload = { gateway: 'gateway_1', day, accountId: null, chunks } as const;
  const { id, isNew } = await importStatement.execute({ companyId, userId: 1, requestId: 'upload' }, upload);
  const settlement = { settlementId: id, companyId, gateway: 'gateway_1', accountId: null, day } as const;
  return { settlement, isNew };
}

/** Makes the steps of the workflow until nothing is left. `crash` says whether the process ends at a failpoint. */
export async function reconcile(
  { deps }: Pick<Engine, 'deps'>,
  settlement: SettlementToStart,
  crash: (name: FailpointName) => boolean = () => false,
): Promise<{ readonly crashes: number }> {
  let hasCrashed = false;
  let cause: unknown;
  const failpoint = (name: FailpointName): void => {
    hasCrashed = crash(name);
    if (hasCrashed) throw new Error(`the process ends at ${name}`);
  };
  // Of a failure, only the log has the cause.
  const error = (fields: { readonly err?: unknown }): void => void (cause = fields.err);
  const { advanceSettlement } = createSettlementActivities({
    ...deps,
    failpoint,
    log: { warn: () => undefined, error },
  });
  const environment = new MockActivityEnvironment();
  for (let crashes = 0; ; crashes += 1) {
    try {
      for (;;) {
        const { pauseMs } = await environment.run<
          [SettlementToStart],
          SettlementStep,
          typeof advanceSettlement
        >(advanceSettlement, settlement);
        if (pauseMs === null) return { crashes };
      }
    } catch (failure) {
      if (!hasCrashed) throw cause ?? failure;
      hasCrashed = false;
    }
  }
}

const PAID_PIX = `
  WITH paid AS (
    INSERT INTO payments (transaction_id, company_id, merchant_order_id, amount_cents, currency, payment_method, status, message,
      capture, installments, customer_id, customer, captured_amount_cents, posted_captured_cents, paid_amount_cents,
      posted_paid_cents, last_gateway, paid_at, requested_at, settled_at, created_at, updated_at)
    SELECT uuidv7(make_interval(secs => $4::float8)), $1, 'order-' || n, ${AMOUNT}, 'BRL', 'pix', 'approved', '', true, 1, c.id, '{}',
      ${AMOUNT}, ${AMOUNT}, ${AMOUNT}, ${AMOUNT}, 'gateway_1', at, at, at, at, at
      FROM generate_series($2::int, $3::int) AS n, (SELECT id FROM customers WHERE company_id = $1) c,
           (SELECT ($5 || 'T15:00:00Z')::timestamptz AS at) t
    RETURNING id, company_id, transaction_id, created_at),
  charged AS (
    INSERT INTO gateway_attempts (id, payment_id, company_id, attempt, operation, gateway_slug, reference, status, amount_cents,
      gateway_transaction_id, created_at, updated_at)
    SELECT uuidv7(), id, company_id, 1, 'charge', 'gateway_1', transaction_id || '-1', 'approved', ${AMOUNT},
      'ch_' || transaction_id, created_at, created_at FROM paid),
  entries AS (
    INSERT INTO ledger_entries (company_id, id, transaction_id, step, kind, currency, posted_at)
    SELECT company_id, uuidv7(make_interval(secs => $4::float8)), transaction_id, 'payment/${AMOUNT}/0/${AMOUNT}', 'received',
      'BRL', created_at FROM paid
    RETURNING company_id, id)
  INSERT INTO ledger_postings (company_id, entry_id, number, account, amount_cents, gateway_slug, expected_on)
  SELECT company_id, id, n, account, cents, slug, CASE WHEN n = 1 THEN $5::date END
    FROM entries, (VALUES (1, 'gateway_receivable', ${AMOUNT}, 'gateway_1'), (2, 'sales', -${AMOUNT}, NULL))
      AS posting (n, account, cents, slug)`;
