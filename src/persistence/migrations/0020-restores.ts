import type { Migration } from './migration';

export const migration: Migration = {
  name: '0020-restores',
  up: `
  -- Each time the database was restored from a backup (docs/operations/backup-and-restore.md). While one is in progress,
  -- nothing that moves money is sent.
  CREATE TABLE restores (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The moment to which it was restored: what happened later is missing.
    restored_to timestamptz NOT NULL,
    begun_at timestamptz NOT NULL,
    -- When the gateways' operations were imported last.
    imported_at timestamptz,
    finished_at timestamptz
  );
  CREATE UNIQUE INDEX restores_one_in_progress ON restores ((true)) WHERE finished_at IS NULL;

  -- The charges that gateways made or changed since that moment.
  CREATE TABLE restored_charges (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    restore_id bigint NOT NULL REFERENCES restores,
    -- Of the account; null for the platform's account, at which several companies charge.
    company_id bigint REFERENCES companies,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    -- The company's secret that listed it; null if the platform's did, or a file.
    secret_id uuid REFERENCES gateway_secrets,
    gateway_transaction_id text NOT NULL,
    -- Our reference, as the gateway tells it; and the end of the payment's id, which a repeated request has again. Null if the
    -- reference is none of ours.
    reference text NOT NULL,
    request_part text,
    -- The gateway's record. 'none': it holds no money, as after a decline.
    holds text NOT NULL CHECK (holds IN ('money', 'none')),
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    captured_cents bigint NOT NULL CHECK (captured_cents >= 0),
    refunded_cents bigint NOT NULL CHECK (refunded_cents >= 0),
    changed_at timestamptz NOT NULL,
    -- 'matched': the database agrees. 'adopted': a payment has it again, and inquires about it. 'waiting': a person must decide.
    -- 'settled': a person has.
    state text NOT NULL CHECK (state IN ('matched', 'adopted', 'waiting', 'settled')),
    -- Why it waits.
    problem text,
    settled_reason text,
    settled_at timestamptz,
    CHECK ((state = 'settled') = (settled_reason IS NOT NULL)),
    UNIQUE (restore_id, gateway_slug, gateway_transaction_id)
  );
  CREATE INDEX restored_charges_open ON restored_charges (request_part) WHERE state IN ('waiting', 'settled') AND holds = 'money';
  CREATE INDEX restored_charges_listed ON restored_charges (restore_id, state, id);
  `,
};
