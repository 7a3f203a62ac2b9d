import type { Migration } from './migration';

export const migration: Migration = {
  name: '0015-two-factor',
  up: `
  ALTER TABLE users
    -- Encrypted. Before totp_enabled_at is set, the secret of an enrolment that was not confirmed.
    ADD COLUMN sealed_totp jsonb,
    ADD COLUMN totp_enabled_at timestamptz,
    -- The newest time step whose code was accepted: none is accepted twice.
    ADD COLUMN totp_last_step bigint NOT NULL DEFAULT 0,
    -- Codes and passwords tried since otp_window_at.
    ADD COLUMN otp_attempts integer NOT NULL DEFAULT 0,
    ADD COLUMN otp_window_at timestamptz,
    ADD CONSTRAINT users_totp_sealed CHECK (totp_enabled_at IS NULL OR sealed_totp IS NOT NULL);
  ALTER TABLE companies ADD COLUMN require_two_factor boolean NOT NULL DEFAULT false;

  CREATE TABLE user_recovery_codes (
    user_id bigint NOT NULL REFERENCES users,
    code_hash text NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (user_id, code_hash)
  );
  `,
};
