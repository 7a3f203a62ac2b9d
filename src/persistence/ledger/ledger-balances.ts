import type { Database } from '../sql/transaction';

/** Owns `ledger_balances`, the sums of postings by day, and the cursor of what they include. */
export class LedgerBalances {
  constructor(private readonly db: Database) {}

  /**
   * Adds at most `limit` entries to the balances and returns how many there were; 0 while another process adds some. Like
   * the list of events, it ends before the oldest open transaction, so that no entry appears behind the cursor.
   */
  async addEntries(limit: number): Promise<number> {
    const row = await this.db.queryOne<{ entries: number }>(ADD_ENTRIES, [limit]);
    return row?.entries ?? 0;
  }
}

const KEY = 'company_id, day, account, currency, gateway_slug, gateway_account_id, recipient_id';

const ADD_ENTRIES = `
  WITH state AS (SELECT tx_id, entry_id FROM ledger_balances_state FOR UPDATE SKIP LOCKED),
  batch AS (
    SELECT e.company_id, e.id, e.tx_id, e.currency, (e.posted_at AT TIME ZONE 'America/Sao_Paulo')::date AS day
      FROM ledger_entries e, state
     WHERE (e.tx_id, e.id) > (state.tx_id, state.entry_id) AND e.tx_id < pg_snapshot_xmin(pg_current_snapshot())
     ORDER BY e.tx_id, e.id LIMIT $1),
  added AS (
    INSERT INTO ledger_balances AS balance (${KEY}, amount_cents)
    SELECT batch.company_id, day, account, currency, gateway_slug, gateway_account_id, recipient_id, sum(amount_cents)
      FROM batch JOIN ledger_postings posting ON posting.company_id = batch.company_id AND posting.entry_id = batch.id
     GROUP BY batch.company_id, day, account, currency, gateway_slug, gateway_account_id, recipient_id
    ON CONFLICT (${KEY}) DO UPDATE SET amount_cents = balance.amount_cents + EXCLUDED.amount_cents),
  moved AS (
    UPDATE ledger_balances_state SET (tx_id, entry_id) = (SELECT tx_id, id FROM batch ORDER BY tx_id DESC, id DESC LIMIT 1)
     WHERE EXISTS (SELECT FROM batch))
  SELECT count(*) AS entries FROM batch`;
