import type { Migration } from './migration';

export const migration: Migration = {
  name: '0005-recipient-authorization',
  up: `
  ALTER TABLE sub_accounts
    -- SHA-256 of the state in 'consent_url', in BASE64URL: by it the owner's answer is recognized. It stays after the answer, so
    -- that an owner who opens the page again sees the status of the consent. Null at gateways whose owners answer the gateway alone.
    ADD COLUMN consent_state_hash text,
    -- After this instant the answer is refused.
    ADD COLUMN consent_expires_at timestamptz,
    -- Encrypted: what proves to the gateway that the code was asked for here (PKCE).
    ADD COLUMN sealed_consent_verifier jsonb,
    -- Encrypted: the code of the owner's answer. Null before the answer, and once the code is used.
    ADD COLUMN sealed_consent_code jsonb,
    -- When the owner's answer came. A state is answered once.
    ADD COLUMN consent_received_at timestamptz,
    -- When the code was sent to the gateway, which takes it once.
    ADD COLUMN consent_sent_at timestamptz,
    -- Counts the secrets that the gateway gave, so that a late answer replaces no newer one.
    ADD COLUMN secret_version integer NOT NULL DEFAULT 0,
    -- When the secret ends unless it is renewed before. Null for one without an end.
    ADD COLUMN secret_expires_at timestamptz,
    -- When the renewal of this version was sent the last time.
    ADD COLUMN renewal_sent_at timestamptz;
  CREATE UNIQUE INDEX sub_accounts_consent_state ON sub_accounts (consent_state_hash);
  `,
};
