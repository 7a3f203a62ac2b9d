import type { Migration } from './migration';

export const migration: Migration = {
  name: '0013-members',
  up: `
  -- A removed user stays, because the audit log names its id; its email and name are replaced.
  ALTER TABLE users ADD COLUMN removed_at timestamptz;

  -- A closed invitation was accepted or revoked; it stays, so that a day's invitations can be counted.
  CREATE TABLE user_invitations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    email text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'support', 'analyst', 'read_only')),
    -- Of the newest mail's token.
    token_hash text NOT NULL UNIQUE,
    invited_by bigint NOT NULL REFERENCES users,
    mails integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    closed_at timestamptz
  );
  CREATE UNIQUE INDEX user_invitations_open ON user_invitations (company_id, lower(email)) WHERE closed_at IS NULL;
  CREATE INDEX user_invitations_created ON user_invitations (company_id, created_at);

  ALTER TABLE user_sessions
    -- A browser and system by name, never the whole User-Agent header.
    ADD COLUMN device text,
    -- The network of the address: 24 bits of IPv4, 48 of IPv6.
    ADD COLUMN network text,
    -- To the minute.
    ADD COLUMN last_seen_at timestamptz;
  `,
};
