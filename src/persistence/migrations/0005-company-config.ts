import type { Migration } from './migration';

/** How each company wants its payments made: its terms, its routing rules, its brand. */
export const migration: Migration = {
  name: '0005-company-config',
  up: `
    -- What making a payment needs stands with the company, which every request loads.
    ALTER TABLE companies
      ADD COLUMN pix_expires_in integer NOT NULL DEFAULT 86400 CHECK (pix_expires_in BETWEEN 60 AND 1209600),
      ADD COLUMN billet_due_days integer NOT NULL DEFAULT 3 CHECK (billet_due_days BETWEEN 1 AND 30);

    -- A company without a row has never changed any of it.
    CREATE TABLE company_configs (
      company_id bigint PRIMARY KEY REFERENCES companies,
      dunning_days integer[] NOT NULL,
      -- In the order they are tried.
      routing_rules jsonb NOT NULL,
      brand_name text,
      brand_color text,
      checkout_frame_origins text[] NOT NULL,
      updated_at timestamptz NOT NULL DEFAULT now()
    );

    -- At most one for each company, as it was when it was fetched; served by its hash.
    CREATE TABLE company_logos (
      company_id bigint PRIMARY KEY REFERENCES companies,
      -- SHA-256, in hex.
      hash text NOT NULL,
      content_type text NOT NULL,
      bytes bytea NOT NULL CHECK (octet_length(bytes) <= 262144),
      source_url text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX company_logos_hash ON company_logos (hash);

    -- Why the attempt went to this gateway, for people to read. Attempts made before it was kept have none.
    ALTER TABLE gateway_attempts ADD COLUMN routing_reason text;
  `,
};
