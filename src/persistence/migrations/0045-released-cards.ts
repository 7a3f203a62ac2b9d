import type { Migration } from './migration';

export const migration: Migration = {
  name: '0045-released-cards',
  up: `
  ALTER TABLE disputes
    -- Who lets subscriptions charge fraud_card again in spite of the dispute, when and why.
    ADD COLUMN card_released_at timestamptz,
    ADD COLUMN card_released_by bigint,
    ADD COLUMN card_release_reason text,
    ADD CONSTRAINT disputes_card_release_check
      CHECK (num_nonnulls(card_released_at, card_released_by, card_release_reason) IN (0, 3)) NOT VALID;
  `,
};
