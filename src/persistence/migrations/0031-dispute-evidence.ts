import type { Migration } from './migration';

export const migration: Migration = {
  name: '0031-dispute-evidence',
  up: `
  -- What companies submit against disputes (docs/disputes.md).
  CREATE TABLE dispute_evidence (
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    dispute_id uuid NOT NULL REFERENCES disputes,
    -- Of the disputed payment: evidence is sealed with this customer's key.
    customer_id bigint NOT NULL REFERENCES customers,
    kind text NOT NULL,
    -- Null for a text.
    content_type text,
    -- Of the text or the file.
    size_bytes integer NOT NULL CHECK (size_bytes > 0),
    -- The text, or the file's name.
    sealed_words text NOT NULL,
    -- The file in base64; null for a text.
    sealed_file text,
    CHECK ((content_type IS NULL) = (sealed_file IS NULL)),
    -- The request that submits it; null while it is a draft.
    request_id uuid REFERENCES dispute_requests,
    -- The gateway's id of the file, if it was uploaded ahead of the submission.
    gateway_file_id text,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX dispute_evidence_dispute ON dispute_evidence (dispute_id, created_at);
  CREATE INDEX dispute_evidence_request ON dispute_evidence (request_id) WHERE request_id IS NOT NULL;
  -- One text and one file of each kind in a submission, because gateways take no more.
  CREATE UNIQUE INDEX dispute_evidence_draft ON dispute_evidence (dispute_id, kind, (content_type IS NULL))
    WHERE request_id IS NULL;

  ALTER TABLE dispute_requests
    DROP CONSTRAINT dispute_requests_kind_check,
    ADD CONSTRAINT dispute_requests_kind_check CHECK (kind IN ('accept', 'evidence')) NOT VALID;
  `,
};
