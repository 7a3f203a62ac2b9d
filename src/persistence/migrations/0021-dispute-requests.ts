import type { Migration } from './migration';

export const migration: Migration = {
  name: '0021-dispute-requests',
  up: `
  -- What companies ask gateways about disputes (docs/disputes.md). A row is committed before its request is sent.
  CREATE TABLE dispute_requests (
    -- Also the idempotency key at the gateway.
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    dispute_id uuid NOT NULL REFERENCES disputes,
    kind text NOT NULL CHECK (kind IN ('accept')),
    -- sent: the gateway may have it. unknown: nobody could find out whether it has.
    status text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'sent', 'done', 'refused', 'unknown')),
    -- Why it was refused, or is unknown.
    message text,
    sent_at timestamptz,
    -- How many times the gateway was asked to take it, or whether it took it.
    tries integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );
  -- A dispute has at most one request under way.
  CREATE UNIQUE INDEX dispute_requests_open ON dispute_requests (dispute_id) WHERE status IN ('requested', 'sent');
  CREATE INDEX dispute_requests_dispute ON dispute_requests (dispute_id, created_at DESC);
  `,
};
