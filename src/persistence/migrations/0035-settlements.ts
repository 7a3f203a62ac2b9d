import type { Migration } from './migration';

/** The statements are safe to run again, because the index may fail after them. */
export const migration: Migration = {
  name: '0035-settlements',
  up: `
  -- Statements of gateways, and how they differ from the records (docs/reconciliation.md). The workflow
  -- settlement/<gateway>/<account>/<day> owns each of them.
  CREATE TABLE IF NOT EXISTS settlements (
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    -- The company's account at the gateway; null for the platform's own.
    gateway_account_id uuid REFERENCES gateway_accounts,
    -- A day in Brazil.
    day date NOT NULL,
    source text NOT NULL CHECK (source IN ('gateway', 'upload')),
    status text NOT NULL CHECK (status IN ('receiving', 'fetching', 'matching', 'comparing', 'waiting', 'done', 'failed')),
    -- Of the upload that may add lines, and the SHA-256 of its lines once it is complete.
    upload_id uuid,
    digest text,
    -- Where the gateway's next page begins.
    cursor text,
    line_count integer NOT NULL DEFAULT 0,
    -- The last line that is matched, or compared with what is expected.
    processed_to integer NOT NULL DEFAULT 0,
    -- How often the gateway was asked in vain, or lines without an outcome were matched again.
    tries integer NOT NULL DEFAULT 0,
    -- Why it has failed.
    problem text,
    -- By kind of line and currency, once it is done.
    totals jsonb,
    completed_at timestamptz,
    -- After this instant the sweeper signals the workflow. Null once nothing is left to do.
    recover_after timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE NULLS NOT DISTINCT (company_id, gateway_slug, gateway_account_id, day)
  );
  CREATE INDEX IF NOT EXISTS settlements_overdue ON settlements (recover_after) WHERE recover_after IS NOT NULL;

  CREATE TABLE IF NOT EXISTS settlement_lines (
    settlement_id uuid NOT NULL REFERENCES settlements,
    -- Its place in the statement, from 1.
    number integer NOT NULL,
    company_id bigint NOT NULL,
    -- The gateway's id of the line.
    line_id text NOT NULL,
    kind text NOT NULL,
    -- The day that the line names.
    day date NOT NULL,
    reference text,
    gateway_transaction_id text,
    dispute_id text,
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
    net_cents bigint NOT NULL,
    currency text NOT NULL,
    installment integer,
    occurred_at timestamptz,
    state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'matched', 'unmatched', 'waiting')),
    transaction_id uuid,
    attempt_id uuid,
    -- What of the ledger it is: an entry that was received, or the posting of a receivable.
    entry_id uuid,
    posting integer,
    -- Whether its amount counts as the expected one's.
    counts boolean NOT NULL DEFAULT false,
    PRIMARY KEY (settlement_id, number)
  );
  CREATE INDEX IF NOT EXISTS settlement_lines_line_id ON settlement_lines (company_id, line_id);
  CREATE INDEX IF NOT EXISTS settlement_lines_entry ON settlement_lines (company_id, entry_id) WHERE entry_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS settlement_lines_attempt ON settlement_lines (attempt_id) WHERE kind = 'refund' AND attempt_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS settlement_lines_waiting ON settlement_lines (settlement_id, number) WHERE state = 'waiting';

  CREATE TABLE IF NOT EXISTS settlement_items (
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    settlement_id uuid NOT NULL REFERENCES settlements,
    kind text NOT NULL,
    line_number integer,
    entry_id uuid,
    posting integer,
    transaction_id uuid,
    currency text NOT NULL,
    expected_cents bigint,
    actual_cents bigint,
    status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'settled')),
    reason text,
    settled_by bigint,
    settled_at timestamptz,
    created_at timestamptz NOT NULL,
    CHECK ((status = 'settled') = (settled_at IS NOT NULL)),
    -- A difference is found once, however often its line is matched.
    UNIQUE NULLS NOT DISTINCT (settlement_id, kind, line_number, entry_id, posting)
  );
  CREATE INDEX IF NOT EXISTS settlement_items_open ON settlement_items (company_id, id) WHERE status = 'open';
  CREATE INDEX IF NOT EXISTS settlement_items_company ON settlement_items (company_id, id);
  `,
  index: {
    name: 'ledger_postings_receivable',
    definition: `ON ledger_postings (company_id, gateway_slug, expected_on) WHERE account = 'gateway_receivable'`,
  },
};
