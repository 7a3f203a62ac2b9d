import type { ExpectedAmount, SettledFee } from '../../domain/settlement/compare-expected';
import { firstEntryIdAt } from '../sql/first-entry-id';
import type { Database } from '../sql/transaction';
import type { SettlementRecord } from './settlement-repository';

/** What the ledger expects, without a line of any statement. */
export type UnmatchedAmount = Omit<ExpectedAmount, 'linesCents' | 'allCount' | 'lineNumber'> & {
  readonly postedAt: Date;
  /** Of a receivable. */
  readonly expectedOn: string | null;
};

/** Settled receivables are compared with the fee of their sale. */
export type ComparedAmount = ExpectedAmount & { readonly fee: SettledFee | null };

interface UnmatchedRow {
  readonly entryId: string;
  readonly posting: number | null;
  readonly transactionId: string;
  readonly currency: string;
  readonly amountCents: number;
  readonly postedAt: Date;
  readonly expectedOn: string | null;
}

interface ComparedRow extends Omit<UnmatchedRow, 'postedAt' | 'expectedOn'> {
  readonly linesCents: number;
  readonly allCount: boolean;
  readonly lineNumber: number;
  readonly kind: string;
  readonly settledCents: number;
  readonly feeCents: number;
  readonly saleCents: number | null;
  readonly saleFeeCents: number | null;
}

/** Reads what the ledger expects of a statement. */
export class ExpectedReader {
  constructor(private readonly db: Database) {}

  /** What was received in a period and has no sale line, from the entry after `after`. */
  async listUnsold(
    settlement: SettlementRecord,
    period: { readonly from: Date; readonly to: Date },
    after: string,
    limit: number,
  ): Promise<UnmatchedAmount[]> {
    const { companyId, gatewaySlug, accountId } = settlement;
    const rows = await this.db.query<UnmatchedRow>(UNSOLD, [
      ...[
        companyId,
        gatewaySlug,
        accountId,
        firstEntryIdAt(period.from),
        firstEntryIdAt(period.to),
        after,
        limit,
      ],
    ]);
    return rows.map(unmatchedOf);
  }

  /** Receivables of these expected days that have no line, from the posting after `after`. */
  async listUnsettled(
    settlement: SettlementRecord,
    days: readonly string[],
    after: { readonly entryId: string; readonly posting: number },
    limit: number,
  ): Promise<UnmatchedAmount[]> {
    const { companyId, gatewaySlug, accountId } = settlement;
    const rows = await this.db.query<UnmatchedRow>(UNSETTLED, [
      ...[companyId, gatewaySlug, accountId, days, after.entryId, after.posting, limit],
    ]);
    return rows.map(unmatchedOf);
  }

  /** What lines of the statement are about, the lines after a number. */
  async listCompared(settlement: SettlementRecord, after: number, limit: number): Promise<ComparedAmount[]> {
    const rows = await this.db.query<ComparedRow>(COMPARED, [
      settlement.id,
      settlement.companyId,
      after,
      after + limit,
    ]);
    return rows.map(comparedOf);
  }
}

function unmatchedOf({ entryId, posting, ...row }: UnmatchedRow): UnmatchedAmount {
  return { ref: { entryId, posting }, ...row };
}

function comparedOf(row: ComparedRow): ComparedAmount {
  const { entryId, posting, transactionId, currency, amountCents, linesCents, allCount, lineNumber } = row;
  const { settledCents, feeCents, saleCents, saleFeeCents } = row;
  const about = { ref: { entryId, posting }, transactionId, currency, amountCents, lineNumber };
  const isSettled = row.kind === 'settled' && saleCents !== null && saleFeeCents !== null;
  const fee = isSettled ? { ...about, settledCents, feeCents, saleCents, saleFeeCents } : null;
  return { ...about, linesCents, allCount, fee };
}

/**
 * The account is compared so that the index of receivables by day does not serve here: a planner without statistics takes it for as good
 * as the key of the entry, and would read every receivable of the company for each entry.
 */
const UNSOLD = `
  SELECT entry.id AS "entryId", NULL::int AS posting, entry.transaction_id AS "transactionId", entry.currency,
         received.cents AS "amountCents", entry.posted_at AS "postedAt", NULL::text AS "expectedOn"
    FROM ledger_entries entry
    CROSS JOIN LATERAL (
      SELECT sum(posting.amount_cents)::bigint AS cents FROM ledger_postings posting
       WHERE posting.company_id = $1 AND posting.entry_id = entry.id
         AND posting.account IS NOT DISTINCT FROM 'gateway_receivable' AND posting.gateway_slug = $2
         AND posting.gateway_account_id IS NOT DISTINCT FROM $3::uuid AND posting.amount_cents > 0) received
    CROSS JOIN LATERAL (
      SELECT count(*) AS lines FROM settlement_lines line
       WHERE line.company_id = $1 AND line.entry_id = entry.id AND line.posting IS NULL) sold
   WHERE entry.company_id = $1 AND entry.id >= $4::uuid AND entry.id < $5::uuid AND entry.id > $6::uuid
     AND entry.kind = 'received' AND entry.transaction_id IS NOT NULL
     AND received.cents IS NOT NULL AND sold.lines = 0
   ORDER BY entry.id LIMIT $7`;

/** `OFFSET 0` keeps the planner from the other order, in which it would read what is due on the days for each entry of the company. */
const UNSETTLED = `
  SELECT due.entry_id AS "entryId", due.number AS posting, entry.transaction_id AS "transactionId", entry.currency,
         due.amount_cents AS "amountCents", entry.posted_at AS "postedAt", due.expected_on::text AS "expectedOn"
    FROM ledger_postings due
    CROSS JOIN LATERAL (
      SELECT count(*) AS lines FROM settlement_lines line
       WHERE line.company_id = $1 AND line.entry_id = due.entry_id AND line.posting = due.number) settled
    CROSS JOIN LATERAL (
      SELECT transaction_id, currency, posted_at FROM ledger_entries
       WHERE company_id = $1 AND id = due.entry_id AND kind <> 'settled' AND transaction_id IS NOT NULL OFFSET 0) entry
   WHERE due.company_id = $1 AND due.gateway_slug = $2 AND due.account = 'gateway_receivable'
     AND due.expected_on = ANY ($4::date[]) AND due.gateway_account_id IS NOT DISTINCT FROM $3::uuid
     AND (due.entry_id, due.number) > ($5::uuid, $6::int) AND settled.lines = 0
   ORDER BY due.entry_id, due.number LIMIT $7`;

/** The last line of each amount in the statement stands for it. */
const COMPARED = `
  SELECT line.entry_id AS "entryId", line.posting, line.transaction_id AS "transactionId", entry.currency,
         expected.cents AS "amountCents", lines.cents AS "linesCents", lines.all_count AS "allCount",
         line.number AS "lineNumber", line.kind, line.amount_cents AS "settledCents", line.fee_cents AS "feeCents",
         sale.cents AS "saleCents", sale.fee_cents AS "saleFeeCents"
    FROM settlement_lines line
    CROSS JOIN LATERAL (
      SELECT sum(amount_cents)::bigint AS cents, bool_and(counts) AS all_count,
             max(number) FILTER (WHERE settlement_id = $1) AS last_number
        FROM settlement_lines same
       WHERE same.company_id = $2 AND same.entry_id = line.entry_id
         AND same.posting IS NOT DISTINCT FROM line.posting) lines
    JOIN ledger_entries entry ON entry.company_id = $2 AND entry.id = line.entry_id
    CROSS JOIN LATERAL (
      SELECT sum(amount_cents)::bigint AS cents FROM ledger_postings posting
       WHERE posting.company_id = $2 AND posting.entry_id = line.entry_id
         AND posting.account IS NOT DISTINCT FROM 'gateway_receivable'
         AND CASE WHEN line.posting IS NULL THEN posting.amount_cents > 0 ELSE posting.number = line.posting END) expected
    LEFT JOIN LATERAL (
      SELECT sum(amount_cents)::bigint AS cents, sum(fee_cents)::bigint AS fee_cents FROM settlement_lines sold
       WHERE sold.company_id = $2 AND sold.entry_id = line.entry_id AND sold.posting IS NULL AND sold.counts) sale
      ON line.posting IS NOT NULL
   WHERE line.settlement_id = $1 AND line.number > $3 AND line.number <= $4 AND line.entry_id IS NOT NULL
     AND lines.last_number = line.number
   ORDER BY line.number`;
