import type { Migration } from './migration';

export const migration: Migration = {
  name: '0041-restore-listings',
  up: `
  -- How far the charges of each account were listed at its gateway (npm run restore -- import --gateway).
  CREATE TABLE restore_listings (
    restore_id bigint NOT NULL REFERENCES restores,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    -- The id of the secret with which it is listed, or 'platform'.
    account text NOT NULL,
    -- Of the gateway. Null if the last listing has ended.
    cursor text,
    PRIMARY KEY (restore_id, gateway_slug, account)
  );
  `,
};
