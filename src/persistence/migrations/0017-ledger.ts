import type { Migration } from './migration';

/** The statements are safe to run again, because the index may fail after them. */
export const migration: Migration = {
  name: '0017-ledger',
  up: `
  -- A double-entry ledger (docs/ledger.md). Entries and postings are never changed.
  CREATE TABLE IF NOT EXISTS ledger_entries (
    company_id bigint NOT NULL REFERENCES companies,
    -- UUIDv7 of posted_at, so that ids sort by it.
    id uuid NOT NULL,
    -- The payment that it is about; null if it is about none.
    transaction_id uuid,
    -- What it records, such as 'payment/<captured>/<refunded>/<paid>': the payment's amounts after the transition.
    step text NOT NULL,
    kind text NOT NULL,
    currency text NOT NULL,
    -- By the payment's clock.
    posted_at timestamptz NOT NULL,
    -- The transaction that wrote it: roll-ups include the entries of ended transactions, in this order.
    tx_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (company_id, id),
    -- A transition is posted once.
    UNIQUE NULLS NOT DISTINCT (company_id, transaction_id, step)
  );
  CREATE INDEX IF NOT EXISTS ledger_entries_written ON ledger_entries (tx_id, id);

  CREATE TABLE IF NOT EXISTS ledger_postings (
    company_id bigint NOT NULL,
    entry_id uuid NOT NULL,
    number integer NOT NULL CHECK (number >= 1),
    account text NOT NULL,
    -- In the entry's currency. A debit is positive, a credit negative.
    amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
    gateway_slug text,
    -- The company's account at the gateway; null for the platform's own.
    gateway_account_id uuid,
    recipient_id text,
    -- Of a receivable: the day on which the gateway is expected to settle it, a day in Brazil.
    expected_on date,
    installment integer,
    PRIMARY KEY (company_id, entry_id, number),
    FOREIGN KEY (company_id, entry_id) REFERENCES ledger_entries
  );
  -- The accounts that few entries have.
  CREATE INDEX IF NOT EXISTS ledger_postings_account ON ledger_postings (company_id, account, entry_id)
    WHERE account NOT IN ('gateway_receivable', 'sales');

  CREATE OR REPLACE FUNCTION check_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF (SELECT sum(amount_cents) FROM ledger_postings
         WHERE company_id = NEW.company_id AND entry_id = NEW.entry_id) <> 0 THEN
      RAISE EXCEPTION 'the postings of ledger entry % do not sum to zero', NEW.entry_id
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
  END $$;
  DROP TRIGGER IF EXISTS ledger_postings_sum ON ledger_postings;
  CREATE CONSTRAINT TRIGGER ledger_postings_sum AFTER INSERT ON ledger_postings DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION check_ledger_entry();

  CREATE OR REPLACE FUNCTION reject_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;
  CREATE OR REPLACE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION reject_ledger_change();
  CREATE OR REPLACE TRIGGER ledger_postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_postings
    FOR EACH STATEMENT EXECUTE FUNCTION reject_ledger_change();

  -- Sums of postings by day in Brazil. Derived: they can be deleted, and are built again if ledger_balances_state is reset.
  CREATE TABLE IF NOT EXISTS ledger_balances (
    company_id bigint NOT NULL,
    day date NOT NULL,
    account text NOT NULL,
    currency text NOT NULL,
    gateway_slug text,
    gateway_account_id uuid,
    recipient_id text,
    amount_cents bigint NOT NULL,
    UNIQUE NULLS NOT DISTINCT (company_id, day, account, currency, gateway_slug, gateway_account_id, recipient_id)
  ) WITH (fillfactor = 80);
  -- The last entry that the sums include.
  CREATE TABLE IF NOT EXISTS ledger_balances_state (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    tx_id xid8 NOT NULL DEFAULT '0',
    entry_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
  );
  INSERT INTO ledger_balances_state DEFAULT VALUES ON CONFLICT DO NOTHING;

  -- The amounts of which the ledger has the postings. The sweeper posts what is missing: payments of before the ledger, and
  -- those that the previous release changes while this one replaces it.
  ALTER TABLE payments
    ADD COLUMN IF NOT EXISTS posted_captured_cents bigint NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS posted_refunded_cents bigint NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS posted_paid_cents bigint NOT NULL DEFAULT 0;
  -- Of credit_balance_cents; the next transition of a subscription posts the difference.
  ALTER TABLE subscriptions ADD COLUMN IF NOT EXISTS posted_credit_cents bigint NOT NULL DEFAULT 0;
  `,
  index: {
    name: 'payments_unposted',
    definition: `ON payments (id) WHERE captured_amount_cents <> posted_captured_cents
      OR refunded_amount_cents <> posted_refunded_cents OR coalesce(paid_amount_cents, 0) <> posted_paid_cents`,
  },
};
