import type { Migration } from './migration';

export const migration: Migration = {
  name: '0018-disputes',
  up: `
  -- Chargebacks, retrieval requests and special returns of pix (docs/disputes.md). The workflow dispute/<id> owns each of them.
  CREATE TABLE disputes (
    -- Derived from attempt_id and gateway_dispute_id, so that each report finds its dispute.
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    payment_id bigint NOT NULL REFERENCES payments,
    -- The disputed charge, which tells the account at the gateway.
    attempt_id uuid NOT NULL REFERENCES gateway_attempts,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    gateway_dispute_id text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('chargeback', 'retrieval', 'med')),
    status text NOT NULL CHECK (status IN ('opened', 'submitted', 'won', 'lost', 'accepted')),
    amount_cents bigint NOT NULL CHECK (amount_cents > 0),
    -- What the company got back of a decided one.
    returned_cents bigint NOT NULL DEFAULT 0 CHECK (returned_cents BETWEEN 0 AND amount_cents),
    currency text NOT NULL,
    reason_code text,
    evidence_due_at timestamptz,
    -- By the gateway's clock: when it was opened first, and the last report that counted.
    opened_at timestamptz NOT NULL,
    reported_at timestamptz NOT NULL,
    closed_at timestamptz,
    -- The due date of which the company was reminded.
    reminded_for timestamptz,
    -- How often it changed, how many events it has, and what the ledger has of it.
    transitions integer NOT NULL,
    event_sequence integer NOT NULL DEFAULT 0,
    posted_held_cents bigint NOT NULL,
    posted_lost_cents bigint NOT NULL,
    posted_borne jsonb NOT NULL,
    -- After this instant the sweeper signals the workflow. Null once nothing is left to do.
    recover_after timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (attempt_id, gateway_dispute_id)
  );
  CREATE INDEX disputes_company ON disputes (company_id, opened_at DESC, id DESC);
  CREATE INDEX disputes_payment ON disputes (payment_id);
  CREATE INDEX disputes_overdue ON disputes (recover_after) WHERE recover_after IS NOT NULL;

  ALTER TABLE payments
    -- What its customer has got, or may get, by disputes.
    ADD COLUMN disputed_amount_cents bigint NOT NULL DEFAULT 0,
    -- What the payment shows of its newest dispute.
    ADD COLUMN dispute jsonb;

  -- A callback about a dispute is for the dispute's workflow. dispute_report is what a signed one says about it.
  ALTER TABLE gateway_callbacks
    ADD COLUMN dispute_id uuid,
    ADD COLUMN dispute_report jsonb,
    ADD CONSTRAINT gateway_callbacks_dispute_check
      CHECK (num_nonnulls(dispute_id, dispute_report) IN (0, 2) AND (dispute_id IS NULL OR trusted)) NOT VALID;

  ALTER TABLE events
    DROP CONSTRAINT events_subject_type_check,
    ADD CONSTRAINT events_subject_type_check CHECK (subject_type IN ('payment', 'subscription', 'dispute', 'test')) NOT VALID;
  `,
};
