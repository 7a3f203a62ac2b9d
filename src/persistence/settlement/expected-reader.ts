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

const UNSOLD = `
  SELECT entry.id AS "entryId", NULL::int AS posting, entry.transaction_id AS "transactionId", entry.currency,
         sum(posting.amount_cents)::bigint AS "amountCents", entry.posted_at AS "postedAt", NULL::text AS "expectedOn"
    FROM ledger_entries entry
    JOIN ledger_postings posting ON posting.company_id = entry.company_id AND posting.entry_id = entry.id
   WHERE entry.company_id = $1 AND entry.id >= $4::uuid AND entry.id < $5::uuid AND entry.id > $6::uuid
     AND entry.kind = 'received' AND entry.transaction_id IS NOT NULL
     AND posting.account = 'gateway_receivable' AND posting.gateway_slug = $2
     AND posting.gateway_account_id IS NOT DISTINCT FROM $3::uuid AND posting.amount_cents > 0
     AND NOT EXISTS (SELECT FROM settlement_lines line WHERE line.company_id = entry.company_id
           AND line.entry_id = entry.id AND line.posting IS NULL)
   GROUP BY entry.company_id, entry.id
   ORDER BY entry.id LIMIT $7`;

const UNSETTLED = `
  SELECT entry.id AS "entryId", posting.number AS posting, entry.transaction_id AS "transactionId", entry.currency,
         posting.amount_cents AS "amountCents", entry.posted_at AS "postedAt", posting.expected_on::text AS "expectedOn"
    FROM ledger_postings posting
    JOIN ledger_entries entry ON entry.company_id = posting.company_id AND entry.id = posting.entry_id
   WHERE posting.company_id = $1 AND posting.gateway_slug = $2 AND posting.account = 'gateway_receivable'
     AND posting.expected_on = ANY ($4::date[]) AND posting.gateway_account_id IS NOT DISTINCT FROM $3::uuid
     AND (posting.entry_id, posting.number) > ($5::uuid, $6::int)
     AND entry.kind <> 'settled' AND entry.transaction_id IS NOT NULL
     AND NOT EXISTS (SELECT FROM settlement_lines line WHERE line.company_id = posting.company_id
           AND line.entry_id = posting.entry_id AND line.posting = posting.number)
   ORDER BY posting.entry_id, posting.number LIMIT $7`;

/** The last line of each amount in the statement stands for it. */
const COMPARED = `
  WITH last AS (
    SELECT line.number, line.kind, line.entry_id, line.posting, line.transaction_id, line.amount_cents, line.fee_cents
      FROM settlement_lines line
     WHERE line.settlement_id = $1 AND line.number > $3 AND line.number <= $4 AND line.entry_id IS NOT NULL
       AND NOT EXISTS (SELECT FROM settlement_lines later WHERE later.company_id = $2 AND later.entry_id = line.entry_id
             AND later.posting IS NOT DISTINCT FROM line.posting AND later.settlement_id = $1
             AND later.number > line.number))
  SELECT last.entry_id AS "entryId", last.posting, last.transaction_id AS "transactionId", entry.currency,
         expected.cents AS "amountCents", lines.cents AS "linesCents", lines.all_count AS "allCount",
         last.number AS "lineNumber", last.kind, last.amount_cents AS "settledCents", last.fee_cents AS "feeCents",
         sale.cents AS "saleCents", sale.fee_cents AS "saleFeeCents"
    FROM last
    JOIN ledger_entries entry ON entry.company_id = $2 AND entry.id = last.entry_id
    CROSS JOIN LATERAL (
      SELECT sum(amount_cents)::bigint AS cents FROM ledger_postings posting
       WHERE posting.company_id = $2 AND posting.entry_id = last.entry_id AND posting.account = 'gateway_receivable'
         AND CASE WHEN last.posting IS NULL THEN posting.amount_cents > 0 ELSE posting.number = last.posting END) expected
    CROSS JOIN LATERAL (
      SELECT sum(amount_cents)::bigint AS cents, bool_and(counts) AS all_count FROM settlement_lines line
       WHERE line.company_id = $2 AND line.entry_id = last.entry_id
         AND line.posting IS NOT DISTINCT FROM last.posting) lines
    LEFT JOIN LATERAL (
      SELECT sum(amount_cents)::bigint AS cents, sum(fee_cents)::bigint AS fee_cents FROM settlement_lines line
       WHERE line.company_id = $2 AND line.entry_id = last.entry_id AND line.posting IS NULL AND line.counts) sale
      ON last.posting IS NOT NULL
   ORDER BY last.number`;
