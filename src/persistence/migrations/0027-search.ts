import type { Migration } from './migration';

export const migration: Migration = {
  name: '0027-search',
  up: `
  DROP INDEX IF EXISTS payments_customer;
  -- Finds payment links by how their name or address begins.
  CREATE INDEX IF NOT EXISTS payment_links_name_prefix ON payment_links (company_id, (lower(name) COLLATE "C"))
    WHERE deleted_at IS NULL;
  CREATE INDEX IF NOT EXISTS payment_links_slug_prefix ON payment_links (company_id, (lower(slug) COLLATE "C"))
    WHERE deleted_at IS NULL;
  `,
  index: {
    name: 'customer_cards_last_four',
    definition: 'ON customer_cards (company_id, last_4_digits, id DESC) WHERE deleted_at IS NULL',
  },
};
