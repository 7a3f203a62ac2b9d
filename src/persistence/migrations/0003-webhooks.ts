import type { Migration } from './migration';

/** What is told to companies: events, the endpoints that want them, and each event's way to each endpoint. */
export const migration: Migration = {
  name: '0003-webhooks',
  up: `
    -- How many events the payment has told. Raised by the statement that moves it, so that the numbers have no gaps.
    ALTER TABLE payments ADD COLUMN event_sequence integer NOT NULL DEFAULT 0;

    -- Everything published, born in the transaction that made it true.
    CREATE TABLE events (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      -- A reader of the list stays behind the oldest transaction still open: what commits late is not skipped.
      tx_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
      company_id bigint NOT NULL REFERENCES companies,
      -- 'test' is a test event, which only the endpoint it was asked for gets.
      resource_type text NOT NULL CHECK (resource_type IN ('payment', 'test')),
      resource_id uuid NOT NULL,
      sequence integer NOT NULL,
      type text NOT NULL,
      -- The body, byte for byte as it is signed and sent.
      payload text NOT NULL,
      created_at timestamptz NOT NULL,
      UNIQUE (resource_type, resource_id, sequence)
    );
    CREATE INDEX events_company ON events (company_id, tx_id, id);

    CREATE TABLE webhook_endpoints (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      company_id bigint NOT NULL REFERENCES companies,
      url text NOT NULL,
      events text[] NOT NULL,
      enabled boolean NOT NULL,
      sealed_secret jsonb NOT NULL,
      -- The one before it signs too, for a while.
      sealed_old_secret jsonb,
      old_secret_until timestamptz,
      -- Since when every attempt has failed.
      failing_since timestamptz,
      -- Why the service itself turned it off, and when the company's people were told.
      disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')),
      disabled_notified_at timestamptz,
      deleted_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK (NOT enabled OR (deleted_at IS NULL AND disabled_reason IS NULL)),
      CHECK ((sealed_old_secret IS NULL) = (old_secret_until IS NULL))
    );
    CREATE INDEX webhook_endpoints_company ON webhook_endpoints (company_id, id) WHERE deleted_at IS NULL;

    CREATE TABLE webhook_deliveries (
      -- With msg_ before it, the webhook-id of every attempt.
      id uuid PRIMARY KEY,
      event_id bigint NOT NULL REFERENCES events,
      endpoint_id bigint NOT NULL REFERENCES webhook_endpoints,
      company_id bigint NOT NULL REFERENCES companies,
      resource_id uuid NOT NULL,
      status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
      -- Attempts made.
      retry_count integer NOT NULL DEFAULT 0,
      next_retry_at timestamptz,
      -- When a sweeper starts the workflow, should no open run exist by then.
      recover_after timestamptz,
      created_at timestamptz NOT NULL,
      delivered_at timestamptz,
      UNIQUE (event_id, endpoint_id),
      CHECK ((status = 'pending') = (next_retry_at IS NOT NULL)),
      CHECK ((status = 'pending') = (recover_after IS NOT NULL))
    );
    CREATE INDEX webhook_deliveries_resource ON webhook_deliveries (resource_id, id);
    CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, id DESC);
    CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (endpoint_id) WHERE status = 'pending';
    CREATE INDEX webhook_deliveries_overdue ON webhook_deliveries (recover_after) WHERE recover_after IS NOT NULL;

    CREATE TABLE webhook_attempts (
      delivery_id uuid NOT NULL REFERENCES webhook_deliveries,
      number integer NOT NULL,
      started_at timestamptz NOT NULL,
      duration_ms integer NOT NULL,
      -- Null when there was no answer; then the error says why.
      status_code integer,
      error text,
      response_excerpt text,
      PRIMARY KEY (delivery_id, number)
    );
  `,
};
