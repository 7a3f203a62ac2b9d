/** The gateways, and each company's accounts, recipients and circuit breakers there. */
export const gateways = `
  CREATE TABLE gateways (
    id integer PRIMARY KEY,
    slug text NOT NULL UNIQUE
  );
  INSERT INTO gateways SELECT n, 'gateway_' || n FROM generate_series(1, 7) AS n;

  CREATE TABLE sub_accounts (
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    -- Keyed hash of the information: the same for the same information.
    information_hash text NOT NULL,
    -- Encrypted: document, income and bank account of a person or business.
    sealed_information jsonb NOT NULL,
    name text NOT NULL,
    document_masked text NOT NULL,
    -- 'requested' was not sent to the gateway; 'unknown' was sent and has no certain result.
    status text NOT NULL CHECK (status IN ('requested', 'unknown', 'pending', 'active', 'refused')),
    -- The gateway's id for it.
    recipient_id text,
    -- The gateway's last message about it.
    message text,
    -- When the last creation request was claimed. Identifies that claim.
    sent_at timestamptz,
    -- Workflow steps since it was requested, or since its status last changed at the gateway.
    poll_count integer NOT NULL DEFAULT 0,
    -- After this instant the sweeper starts the workflow, a no-op if it runs. Null if there is nothing left to do.
    recover_after timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK (recipient_id IS NOT NULL OR status NOT IN ('pending', 'active'))
  );
  -- The same information is registered at a gateway once, unless the gateway refused it.
  CREATE UNIQUE INDEX sub_accounts_information
    ON sub_accounts (company_id, gateway_slug, information_hash) WHERE status <> 'refused';
  CREATE INDEX sub_accounts_recipient ON sub_accounts (company_id, gateway_slug, recipient_id);
  CREATE INDEX sub_accounts_overdue ON sub_accounts (recover_after) WHERE recover_after IS NOT NULL;
  CREATE INDEX sub_accounts_company ON sub_accounts (company_id, created_at DESC, id DESC);

  CREATE TABLE gateway_credentials (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    gateway_id integer NOT NULL REFERENCES gateways,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    client_id text,
    -- Null for a sub-account, which charges with the platform's key.
    sealed_secret jsonb,
    -- The company's preference: lowest first.
    "order" integer NOT NULL CHECK ("order" >= 1),
    enabled boolean NOT NULL DEFAULT true,
    -- The recipient of the whole amount of every charge. Null if the company uses its own account.
    sub_account_id uuid REFERENCES sub_accounts,
    -- Identifies the account without revealing its secret. An attempt is inquired only at the account it was sent to.
    account_fingerprint text NOT NULL,
    -- The company's own secret for this gateway's callbacks. Null if it has none.
    sealed_webhook_secret jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (company_id, gateway_slug),
    CHECK ((sealed_secret IS NULL) = (sub_account_id IS NOT NULL))
  );

  -- One circuit breaker per company and gateway. No row: the circuit is closed.
  CREATE TABLE gateway_circuits (
    company_id bigint NOT NULL REFERENCES companies,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    recent_failures timestamptz[] NOT NULL DEFAULT '{}',
    open_until timestamptz,
    reason text,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, gateway_slug)
  );
`;
