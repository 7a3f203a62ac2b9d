import type { Migration } from './migration';

export const migration: Migration = {
  name: '0036-notes',
  up: `
  -- What a company's users write about a customer, or about one of its payments.
  CREATE TABLE notes (
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    customer_id bigint NOT NULL REFERENCES customers,
    -- Null for a note about the customer.
    payment_id bigint REFERENCES payments,
    user_id bigint NOT NULL,
    -- At the time of the note.
    user_name text NOT NULL,
    -- Sealed with the customer's key: the erasure of the customer makes it unreadable.
    sealed_text text NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX notes_payment ON notes (payment_id, created_at DESC, id DESC) WHERE payment_id IS NOT NULL;
  CREATE INDEX notes_customer ON notes (customer_id, created_at DESC, id DESC) WHERE payment_id IS NULL;
  `,
};
