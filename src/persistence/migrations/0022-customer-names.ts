import type { Migration } from './migration';

export const migration: Migration = {
  name: '0022-customer-names',
  up: `
  -- By what a company finds its customers' names, which are sealed: keyed hashes of the beginnings of each word
  -- (docs/decisions/personal-data.md). No foreign keys: they would be checked for each row, and neither customers nor companies are
  -- ever deleted.
  CREATE TABLE IF NOT EXISTS customer_names (
    company_id bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    customer_id bigint NOT NULL,
    PRIMARY KEY (company_id, hash, customer_id)
  );
  -- For a customer who changes or is erased.
  CREATE INDEX IF NOT EXISTS customer_names_customer ON customer_names (customer_id);

  -- updated_at of the customer whose name is in customer_names. Null or earlier: the sweeper writes the name's hashes.
  ALTER TABLE customers ADD COLUMN IF NOT EXISTS name_hashed_at timestamptz;
  `,
  index: {
    name: 'customers_without_name_hashes',
    definition: `ON customers (id) WHERE erased_at IS NULL AND (name_hashed_at IS NULL OR name_hashed_at < updated_at)`,
  },
};
