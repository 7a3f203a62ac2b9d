import type { Migration } from './migration';

/** Users who sign in, what a registration tells of their company, and the sandbox's mail. */
export const migration: Migration = {
  name: '0004-people',
  up: `
    ALTER TABLE companies
      ADD COLUMN cnpj text,
      ADD COLUMN financial_email text,
      ADD COLUMN phone text,
      -- Who sent the company here, as its registration said.
      ADD COLUMN referrer text;

    -- When somebody proved to read the mail of this address, by using a token that was sent there.
    ALTER TABLE users ADD COLUMN email_verified_at timestamptz;

    -- One for each access token that counts: signing out deletes it, and a token without one is refused.
    CREATE TABLE user_sessions (
      jti uuid PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES users,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX user_sessions_user ON user_sessions (user_id);

    CREATE TABLE password_resets (
      token_hash text PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES users,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX password_resets_user ON password_resets (user_id);

    -- What a sandbox without a mail server would have sent, for its developer to read.
    CREATE TABLE sandbox_mails (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      recipient text NOT NULL,
      subject text NOT NULL,
      body text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    );
  `,
};
