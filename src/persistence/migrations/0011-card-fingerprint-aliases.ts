import type { Migration } from './migration';

export const migration: Migration = {
  name: '0011-card-fingerprint-aliases',
  up: `
  -- What other keys make of a card number that is stored under an earlier key's fingerprint. Rows exist only if the fingerprint key
  -- was rotated.
  CREATE TABLE card_fingerprint_aliases (
    company_id bigint NOT NULL REFERENCES companies,
    fingerprint text NOT NULL,
    -- The fingerprint by which saved cards, subscriptions and declines know the number.
    known_as text NOT NULL,
    PRIMARY KEY (company_id, fingerprint)
  );

  -- By it the tokens are read in batches when a key is replaced.
  ALTER TABLE gateway_card_tokens ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY UNIQUE;
  `,
};
