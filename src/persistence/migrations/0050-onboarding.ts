import type { Migration } from './migration';

export const migration: Migration = {
  name: '0050-onboarding',
  up: `
  -- What is known of a company's first steps besides the facts that other tables have.
  CREATE TABLE onboardings (
    company_id bigint PRIMARY KEY REFERENCES companies,
    -- When all steps were first seen done: what shows it may be deleted later.
    completed_at timestamptz,
    dismissed_at timestamptz
  );
  -- A company that has payments already has made its first steps in its own way.
  INSERT INTO onboardings (company_id, dismissed_at)
    SELECT id, now() FROM companies c WHERE EXISTS (SELECT FROM payments WHERE company_id = c.id);

  -- The webhook endpoint at this service that a company's test events are sent to, to be looked at.
  CREATE TABLE webhook_receivers (
    company_id bigint PRIMARY KEY REFERENCES companies,
    endpoint_id bigint NOT NULL REFERENCES webhook_endpoints,
    -- Part of its URL, which webhook_endpoints has too.
    token text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL
  );

  -- What it has received. It has no bodies: that of a delivery is the event's, and others are not kept.
  CREATE TABLE received_webhooks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    received_at timestamptz NOT NULL,
    -- [{"name", "value"}]
    headers jsonb NOT NULL,
    body_bytes integer NOT NULL,
    signature text NOT NULL CHECK (signature IN ('valid', 'invalid', 'expired', 'missing')),
    -- Of a valid signature. No foreign key: deliveries are deleted after their retention.
    delivery_id uuid
  );
  CREATE INDEX received_webhooks_company ON received_webhooks (company_id, id DESC);
  CREATE INDEX received_webhooks_age ON received_webhooks (received_at);
  `,
};
