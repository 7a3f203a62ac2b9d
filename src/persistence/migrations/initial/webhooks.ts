/** Events, the endpoints subscribed to them, and the deliveries of each event to each endpoint. */
export const webhooks = `
  -- Every published event. A transactional outbox: inserted in the transaction of the change it reports.
  CREATE TABLE events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Lists end before the oldest open transaction, so that an event that commits late is not skipped by a cursor.
    tx_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
    company_id bigint NOT NULL REFERENCES companies,
    -- What it is about. 'test' is a test event, delivered only to the endpoint it was requested for.
    subject_type text NOT NULL CHECK (subject_type IN ('payment', 'subscription', 'test')),
    subject_id uuid NOT NULL,
    -- From 1, without gaps within a subject.
    sequence integer NOT NULL,
    type text NOT NULL,
    -- What the body shows of the subject, as JSON. The body adds the columns above (src/presenters/event-body.ts).
    payload text NOT NULL,
    -- Whose personal data the body shows: null in payload, and sealed here with the customer's key.
    customer_id bigint REFERENCES customers,
    personal_data text,
    created_at timestamptz NOT NULL,
    UNIQUE (subject_type, subject_id, sequence)
  );
  CREATE INDEX events_company ON events (company_id, tx_id, id);

  CREATE TABLE webhook_endpoints (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    url text NOT NULL,
    events text[] NOT NULL,
    enabled boolean NOT NULL,
    sealed_secret jsonb NOT NULL,
    -- Rotated secrets that still sign, newest first: [{"sealed": ..., "until": instant}].
    older_secrets jsonb NOT NULL DEFAULT '[]',
    -- Since when every attempt has failed.
    failing_since timestamptz,
    -- Why the service disabled it, and when the company was notified.
    disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')),
    disabled_notified_at timestamptz,
    deleted_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (NOT enabled OR (deleted_at IS NULL AND disabled_reason IS NULL))
  );
  CREATE INDEX webhook_endpoints_company ON webhook_endpoints (company_id, id) WHERE deleted_at IS NULL;
  CREATE FUNCTION sorted_set(texts text[]) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ARRAY(SELECT DISTINCT item FROM unnest(texts) AS item ORDER BY item);
  -- An event is sent to a URL once, however often somebody creates the endpoint.
  CREATE UNIQUE INDEX webhook_endpoints_once ON webhook_endpoints (company_id, md5(url), sorted_set(events))
    WHERE deleted_at IS NULL;

  CREATE TABLE webhook_deliveries (
    -- Every attempt sends it as the webhook-id header, prefixed with msg_.
    id uuid PRIMARY KEY,
    event_id bigint NOT NULL REFERENCES events,
    endpoint_id bigint NOT NULL REFERENCES webhook_endpoints,
    company_id bigint NOT NULL REFERENCES companies,
    subject_id uuid NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
    -- Number of attempts.
    retry_count integer NOT NULL DEFAULT 0,
    next_retry_at timestamptz,
    -- After this instant the sweeper starts the workflow, a no-op if it runs.
    recover_after timestamptz,
    created_at timestamptz NOT NULL,
    delivered_at timestamptz,
    UNIQUE (event_id, endpoint_id),
    CHECK ((status = 'pending') = (next_retry_at IS NOT NULL)),
    CHECK ((status = 'pending') = (recover_after IS NOT NULL))
  );
  CREATE INDEX webhook_deliveries_subject ON webhook_deliveries (subject_id, id);
  CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, id DESC);
  CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (endpoint_id) WHERE status = 'pending';
  CREATE INDEX webhook_deliveries_overdue ON webhook_deliveries (recover_after) WHERE recover_after IS NOT NULL;
  CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (company_id, created_at) WHERE status = 'failed';

  CREATE TABLE webhook_attempts (
    delivery_id uuid NOT NULL REFERENCES webhook_deliveries,
    number integer NOT NULL,
    started_at timestamptz NOT NULL,
    duration_ms integer NOT NULL,
    -- Null if there was no answer; error then says why.
    status_code integer,
    error text,
    response_excerpt text,
    PRIMARY KEY (delivery_id, number)
  );
`;
