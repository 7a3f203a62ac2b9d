import type { Migration } from './migration';

/** What a payment needs after its first result: pix and billet, operations on a charge, callbacks, the sandbox's clock. */
export const migration: Migration = {
  name: '0002-payment-life',
  up: `
    ALTER TABLE payments
      -- Seconds, as asked for.
      ADD COLUMN pix_expires_in integer,
      ADD COLUMN billet_due_at date,
      ADD COLUMN billet_instructions text,
      -- When a pix or billet can no longer be paid in time; what was paid just before may be heard of later.
      ADD COLUMN expires_at timestamptz,
      -- When the money was taken: refunds have a limit from here.
      ADD COLUMN paid_at timestamptz,
      -- When the gateway was last asked how it stands, by the payment's own clock.
      ADD COLUMN last_polled_at timestamptz,
      -- The sandbox's clock of this payment: how far it is ahead, where it stands, and where it is to go.
      ADD COLUMN clock_offset_ms bigint NOT NULL DEFAULT 0,
      ADD COLUMN clock_now timestamptz,
      ADD COLUMN clock_target timestamptz;

    ALTER TABLE gateway_attempts
      -- A command was asked for by the company; a reversal gives back a charge that came too late; a lapse releases
      -- an authorization whose time is over.
      ADD COLUMN purpose text NOT NULL DEFAULT 'charge' CHECK (purpose IN ('charge', 'command', 'reversal', 'lapse')),
      ADD COLUMN idempotency_key text,
      -- Each recipient's exact part of a capture or refund.
      ADD COLUMN splits jsonb,
      ADD COLUMN reason text,
      ADD COLUMN sealed_bank_account jsonb,
      -- How often it was sent: what provably never arrived may be sent again, but not for ever.
      ADD COLUMN tries integer NOT NULL DEFAULT 0;
    -- A charge is captured or canceled, once.
    CREATE UNIQUE INDEX gateway_attempts_one_capture_or_cancel ON gateway_attempts (target_attempt_id)
      WHERE operation IN ('capture', 'cancel') AND status IN ('requested', 'sent', 'unknown', 'approved', 'canceled');
    -- What is looked up at the gateway by our reference must be one thing.
    CREATE UNIQUE INDEX gateway_attempts_reference ON gateway_attempts (reference) WHERE operation <> 'inquiry';

    ALTER TABLE gateway_credentials ADD COLUMN sealed_webhook_secret jsonb;

    CREATE INDEX sub_accounts_company ON sub_accounts (company_id, created_at DESC, id DESC);

    -- A key names what it made: a payment, an operation on one, or a sub-account.
    ALTER TABLE idempotency_keys
      ALTER COLUMN transaction_id DROP NOT NULL,
      ADD COLUMN attempt_id uuid,
      ADD COLUMN sub_account_id uuid;

    -- What gateways reported, as it came. Nothing moves because of one: the gateway is asked.
    CREATE TABLE gateway_callbacks (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      gateway_slug text NOT NULL REFERENCES gateways (slug),
      company_id bigint NOT NULL REFERENCES companies,
      payment_id bigint NOT NULL REFERENCES payments,
      attempt_id uuid NOT NULL REFERENCES gateway_attempts,
      event_id text NOT NULL,
      -- What the gateway calls the charge, as it was told.
      gateway_transaction_id text,
      kind text NOT NULL CHECK (kind IN ('status', 'chargeback')),
      body_hash text NOT NULL,
      raw_body bytea NOT NULL,
      headers jsonb NOT NULL,
      -- Whether its signature was made with a secret that only the gateway and we know.
      trusted boolean NOT NULL,
      received_at timestamptz NOT NULL,
      processed_at timestamptz,
      -- When a sweeper wakes the payment's workflow, should it not have been looked at by then.
      recover_after timestamptz,
      -- One that anybody could have made must not stand in the way of the same one with a signature.
      UNIQUE (gateway_slug, company_id, event_id, body_hash, trusted),
      CHECK ((recover_after IS NULL) = (processed_at IS NOT NULL))
    );
    CREATE INDEX gateway_callbacks_payment ON gateway_callbacks (payment_id, received_at);
    CREATE INDEX gateway_callbacks_overdue ON gateway_callbacks (recover_after) WHERE recover_after IS NOT NULL;
  `,
};
