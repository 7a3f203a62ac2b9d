import type { JournalEntryKind, LedgerAccount, LedgerPosting } from '../../domain/ledger/journal';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { daysIn } from '../../domain/time/day-range';
import { BRASILIA } from '../../domain/time/timezone';
import { firstEntryIdAt } from '../sql/first-entry-id';
import type { Database } from '../sql/transaction';

/** An entry of the ledger. Its postings are in their order. */
export interface ListedEntry {
  readonly id: string;
  readonly transactionId: string | null;
  readonly kind: JournalEntryKind;
  readonly currency: string;
  readonly postedAt: Date;
  readonly postings: readonly LedgerPosting[];
}

/** Days are `YYYY-MM-DD`, inclusive, in Brasília. */
export interface LedgerFilter {
  readonly account?: LedgerAccount | undefined;
  readonly transactionId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What an account has had posted on a day, and its balance at the end of the day. */
export interface DayBalance {
  readonly day: string;
  readonly account: LedgerAccount;
  readonly gateway: GatewaySlug | null;
  readonly currency: string;
  readonly changeCents: number;
  readonly balanceCents: number;
}

/** Reads a company's ledger. */
export class LedgerReader {
  constructor(private readonly db: Database) {}

  /** Newest first, from the entry after `after`; one more than `limit` if there are more. */
  async listEntries(
    companyId: number,
    { account, transactionId, from, to }: LedgerFilter,
    { after, limit }: { readonly after: string | null; readonly limit: number },
  ): Promise<ListedEntry[]> {
    const period = daysIn(BRASILIA, from, to);
    const values = [
      companyId,
      transactionId,
      account,
      firstEntryIdAt(period.from),
      firstEntryIdAt(period.to),
      after,
    ];
    // Not prepared: Postgres plans for the filters given.
    return this.db.queryComposed<ListedEntry>(ENTRIES, [...values, limit + 1]);
  }

  /**
   * The days on which something was posted, in order; the first day has every account that has postings until then. A balance
   * includes everything that was posted before.
   */
  async listBalances(
    companyId: number,
    { account, from, to }: Pick<LedgerFilter, 'account'> & { readonly from: string; readonly to: string },
  ): Promise<DayBalance[]> {
    return this.db.queryComposed<DayBalance>(BALANCES, [companyId, account, from, to]);
  }
}

const POSTINGS = `SELECT json_agg(json_build_object('account', account, 'amountCents', amount_cents, 'gateway', gateway_slug,
    'recipientId', recipient_id, 'expectedOn', expected_on, 'installment', installment) ORDER BY number)
  FROM ledger_postings posting WHERE posting.company_id = entry.company_id AND posting.entry_id = entry.id`;

const ENTRIES = `
  SELECT id, transaction_id AS "transactionId", kind, currency, posted_at AS "postedAt", (${POSTINGS}) AS postings
    FROM ledger_entries entry
   WHERE company_id = $1
     AND ($2::uuid IS NULL OR transaction_id = $2)
     AND ($3::text IS NULL OR EXISTS (SELECT FROM ledger_postings posting
       WHERE posting.company_id = entry.company_id AND posting.entry_id = entry.id AND posting.account = $3))
     AND id >= $4::uuid AND id < $5::uuid AND ($6::uuid IS NULL OR id < $6)
   ORDER BY id DESC LIMIT $7`;

/** The roll-ups, and the entries that they do not include yet. */
const BALANCES = `
  WITH posted AS (
    SELECT day, account, gateway_slug, currency, amount_cents FROM ledger_balances WHERE company_id = $1
    UNION ALL
    SELECT (entry.posted_at AT TIME ZONE '${BRASILIA}')::date, account, gateway_slug, currency, amount_cents
      FROM ledger_balances_state state, ledger_entries entry
      JOIN ledger_postings posting ON posting.company_id = entry.company_id AND posting.entry_id = entry.id
     WHERE (entry.tx_id, entry.id) > (state.tx_id, state.entry_id) AND entry.company_id = $1),
  changes AS (
    SELECT greatest(day, $3::date) AS day, account, gateway_slug, currency, sum(amount_cents) AS moved,
           coalesce(sum(amount_cents) FILTER (WHERE day >= $3::date), 0) AS change
      FROM posted WHERE day <= $4::date AND ($2::text IS NULL OR account = $2)
     GROUP BY 1, 2, 3, 4)
  SELECT day::text AS day, account, gateway_slug AS gateway, currency, change::bigint AS "changeCents",
         (sum(moved) OVER (PARTITION BY account, gateway_slug, currency ORDER BY changes.day))::bigint AS "balanceCents"
    FROM changes ORDER BY changes.day, account, gateway_slug, currency`;
