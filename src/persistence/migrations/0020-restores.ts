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

  -- The operations that gateways carried out since that moment.
  CREATE TABLE restored_operations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    restore_id bigint NOT NULL REFERENCES restores,
    -- The company of the account; of the platform's account, the payment's. Null if neither tells it.
    company_id bigint REFERENCES companies,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    operation text NOT NULL CHECK (operation IN ('charge', 'authorize', 'capture', 'cancel', 'refund')),
    -- Our reference, as the gateway tells it.
    reference text NOT NULL,
    -- The payment that the reference names, and the end of its id, which a repeated request has again.
    transaction_id uuid,
    request_part text,
    -- The gateway's id of the charge.
    gateway_transaction_id text NOT NULL,
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    happened_at timestamptz NOT NULL,
    -- 'matched': the database had it. 'adopted': it has it again. 'waiting': a person must decide. 'settled': a person has.
    state text NOT NULL CHECK (state IN ('matched', 'adopted', 'waiting', 'settled')),
    -- Why it waits.
    problem text,
    attempt_id uuid REFERENCES gateway_attempts,
    settled_reason text,
    settled_at timestamptz,
    CHECK ((state = 'settled') = (settled_reason IS NOT NULL)),
    UNIQUE (restore_id, gateway_slug, gateway_transaction_id, reference)
  );
  CREATE INDEX restored_operations_open ON restored_operations (request_part, id) WHERE state IN ('waiting', 'settled');
  CREATE INDEX restored_operations_waiting ON restored_operations (restore_id, id) WHERE state = 'waiting';
  `,
};
