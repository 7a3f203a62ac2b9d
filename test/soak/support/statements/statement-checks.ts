import type { SettlementId } from '../../../../src/domain/shared/ids';
import type { SoakMerchant } from '../soak-merchant';
import type { MonthStatements } from './month-statements';
import type { Difference } from './planted-errors';

/** What the company's ledger has of what gateways settled of a payment, in cents. */
interface SettledMoney {
  readonly transactionId: string;
  /** What gateways still owe of it. */
  readonly receivable: number;
  readonly balance: number;
  readonly fees: number;
}

const PER_PAGE = 100;

/**
 * Every planted difference is found, once, and no other; every statement is reconciled; and each cent of every other payment is
 * settled in the company's ledger as the gateways say, as is what they paid out.
 */
export async function statementViolations(
  merchant: SoakMerchant,
  statements: MonthStatements,
): Promise<string[]> {
  return [
    ...(await unfinishedSettlements(merchant, statements.settlements)),
    ...differenceViolations(await readDifferences(merchant), statements),
    ...moneyViolations(await readSettled(merchant), statements),
    ...(await payoutViolations(merchant, statements)),
  ];
}

async function unfinishedSettlements(
  { environment: { db } }: SoakMerchant,
  ids: readonly SettlementId[],
): Promise<string[]> {
  const rows = await db.query<{ what: string }>(
    `SELECT 'the settlement of ' || gateway_slug || ' of ' || day || ' is ' || status || ': ' || coalesce(problem, '-') AS what
       FROM settlements WHERE id = ANY ($1) AND (status <> 'done' OR recover_after IS NOT NULL)`,
    [ids],
  );
  return rows.map(({ what }) => what);
}

async function readDifferences({ office }: SoakMerchant): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (let page = 1, lastPage = 1; page <= lastPage; page += 1) {
    const query = { per_page: PER_PAGE, page };
    const { data, meta } = await office.admin.call('listSettlementItems', 200, { query });
    differences.push(
      ...data.map(({ gateway, kind, transaction_id: transactionId }) => ({ gateway, kind, transactionId })),
    );
    lastPage = meta.last_page;
  }
  return differences;
}

function differenceViolations(found: readonly Difference[], { planted }: MonthStatements): string[] {
  const isClear = ({ transactionId }: Difference): boolean => !planted.unclear.has(transactionId);
  const describe = ({ gateway, kind, transactionId }: Difference): string =>
    `${kind} at ${gateway} of ${transactionId ?? 'no payment'}`;
  const left = planted.differences.map(describe);
  const invented = found.filter(isClear).flatMap((difference) => {
    const index = left.indexOf(describe(difference));
    if (index === -1) return [`invented: ${describe(difference)}`];
    left.splice(index, 1);
    return [];
  });
  return [...invented, ...left.map((difference) => `not found: ${difference}`)];
}

function moneyViolations(
  settled: ReadonlyMap<string, SettledMoney>,
  { planted, lines }: MonthStatements,
): string[] {
  const expected = new Map<string, SettledMoney>();
  for (const { transactionId, line } of lines) {
    if (transactionId === null || planted.payments.has(transactionId)) continue;
    const before = expected.get(transactionId) ?? { transactionId, receivable: 0, balance: 0, fees: 0 };
    const { fee, net } = line.kind === 'sale' ? { fee: 0, net: 0 } : line;
    expected.set(transactionId, { ...before, balance: before.balance + net, fees: before.fees + fee });
  }
  const none = (transactionId: string): SettledMoney => ({
    transactionId,
    receivable: 0,
    balance: 0,
    fees: 0,
  });
  const ids = new Set([...expected.keys(), ...settled.keys()].filter((id) => !planted.payments.has(id)));
  return [...ids].flatMap((id) => {
    const actual = JSON.stringify(settled.get(id) ?? none(id));
    const wanted = JSON.stringify(expected.get(id) ?? none(id));
    return actual === wanted ? [] : [`settled in the company ledger: ${actual}; by the gateways ${wanted}`];
  });
}

async function payoutViolations(
  { environment: { db }, companyId }: SoakMerchant,
  { lines }: MonthStatements,
): Promise<string[]> {
  const row = await db.queryOne<{ cents: number }>(
    `SELECT COALESCE(sum(amount_cents), 0)::float8 AS cents FROM ledger_postings WHERE company_id = $1 AND account = 'bank'`,
    [companyId],
  );
  const paidOut = lines.reduce((sum, { line }) => sum + (line.kind === 'payout' ? line.amount : 0), 0);
  return row?.cents === paidOut
    ? []
    : [`the gateways paid out ${paidOut}, and the company ledger has ${row?.cents} at the bank`];
}

async function readSettled({
  environment: { db },
  companyId,
}: SoakMerchant): Promise<ReadonlyMap<string, SettledMoney>> {
  const ofAccount = (account: string): string =>
    `COALESCE(sum(amount_cents) FILTER (WHERE account = '${account}'), 0)::float8`;
  const rows = await db.query<SettledMoney>(
    `SELECT e.transaction_id AS "transactionId", ${ofAccount('gateway_receivable')} AS receivable,
            ${ofAccount('gateway_balance')} AS balance, ${ofAccount('fees')} AS fees
       FROM ledger_entries e JOIN ledger_postings l ON l.company_id = e.company_id AND l.entry_id = e.id
      WHERE e.company_id = $1 AND e.transaction_id IS NOT NULL GROUP BY e.transaction_id`,
    [companyId],
  );
  return new Map(rows.map((row) => [row.transactionId, row]));
}
