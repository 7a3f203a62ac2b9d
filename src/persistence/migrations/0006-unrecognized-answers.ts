import type { Migration } from './migration';

export const migration: Migration = {
  name: '0006-unrecognized-answers',
  up: `
  -- Answers of gateways that no driver knows, by their shape: without secrets and personal data.
  CREATE TABLE unrecognized_answers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    -- The driver of the gateway at that time.
    vendor text NOT NULL,
    operation text NOT NULL,
    -- Null for a callback.
    http_status integer,
    content_type text,
    -- Property names and types of values, or the known words of a page.
    shape text NOT NULL,
    -- Hash of status, content type and shape.
    fingerprint text NOT NULL,
    seen_count bigint NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    -- The attempt of the last one. No foreign key, and null if it was about no payment.
    last_attempt_id uuid,
    UNIQUE (company_id, gateway_slug, operation, fingerprint)
  );

  -- Verified callbacks that belong to no payment.
  CREATE TABLE unmatched_callbacks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Whose secret verified them. Null if a secret of the deployment, or a key that the gateway publishes, did.
    company_id bigint REFERENCES companies,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    kind text NOT NULL,
    seen_count bigint NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    UNIQUE NULLS NOT DISTINCT (company_id, gateway_slug, kind)
  );

  ALTER TABLE parked_callbacks
    -- Counted among unmatched callbacks if no charge takes it.
    ADD COLUMN verified boolean NOT NULL DEFAULT false,
    -- Whose secret verified it; null as above.
    ADD COLUMN verified_company_id bigint;
  `,
};
