import type { Migration } from './migration';

export const migration: Migration = {
  name: '0052-receipts',
  up: `
  -- The language of the buyer's browser; null for sessions that nobody tried to pay since.
  ALTER TABLE checkout_sessions ADD COLUMN language text CHECK (language IN ('en', 'pt'));
  ALTER TABLE company_configs ADD COLUMN send_receipts boolean NOT NULL DEFAULT true;

  -- The receipt of a payment at a checkout, inserted with the approval: at most one, whatever happens.
  CREATE TABLE receipts (
    payment_id bigint PRIMARY KEY REFERENCES payments,
    company_id bigint NOT NULL REFERENCES companies,
    -- When it is to be sent, or tried again because the mail server certainly did not take it.
    due_at timestamptz NOT NULL,
    -- Set before the mail is handed over. If its outcome is not known, it is not sent again.
    tried_at timestamptz,
    sent_at timestamptz,
    created_at timestamptz NOT NULL,
    CHECK (sent_at IS NULL OR tried_at IS NOT NULL)
  );
  CREATE INDEX receipts_due ON receipts (due_at) WHERE tried_at IS NULL;
  `,
};
