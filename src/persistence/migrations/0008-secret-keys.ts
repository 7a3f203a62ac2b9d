import type { Migration } from './migration';

export const migration: Migration = {
  name: '0008-secret-keys',
  up: `
  ALTER TABLE api_keys
    -- Which pepper made key_hash. Null if an earlier release did.
    ADD COLUMN pepper_id text;

  -- The keys that stored values were made with, so that a process does not start without one that is still needed.
  CREATE TABLE secret_keys (
    setting text NOT NULL,
    -- The id that the setting gives the key, or one that is derived from it.
    key_id text NOT NULL,
    -- When a process first started with it as the key that makes new values.
    first_used_at timestamptz NOT NULL,
    -- When a process first started with another key for new values. Null for the current key.
    replaced_at timestamptz,
    -- When nothing needed it any more. Null while it is needed.
    retired_at timestamptz,
    PRIMARY KEY (setting, key_id)
  );
  `,
};
