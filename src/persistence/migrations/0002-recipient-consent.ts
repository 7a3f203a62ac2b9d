import type { Migration } from './migration';

export const migration: Migration = {
  name: '0002-recipient-consent',
  up: `
  ALTER TABLE sub_accounts
    -- Where its owner consents at the gateway. Null if the gateway waits for nothing of its owner.
    ADD COLUMN consent_url text,
    -- Encrypted: what the gateway gave for the recipient once, such as an API key. Shown to nobody.
    ADD COLUMN sealed_secret jsonb;
  `,
};
