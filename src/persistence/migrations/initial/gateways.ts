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

  -- A company's account at a gateway. It keeps its charges when its secret is replaced.
  CREATE TABLE gateway_accounts (
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    -- The company's own secret for the callbacks of this account. Null if it has none.
    sealed_webhook_secret jsonb,
    created_at timestamptz NOT NULL DEFAULT now()
  );

  -- The secrets of these accounts. An earlier one is kept while charges may need it.
  CREATE TABLE gateway_secrets (
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    account_id uuid NOT NULL REFERENCES gateway_accounts,
    -- Why it belongs to the account: its charges made the account ('origin'), it showed a charge of the account ('seen'),
    -- or the company said so ('claimed').
    account_proof text NOT NULL CHECK (account_proof IN ('origin', 'seen', 'claimed')),
    -- Keyed hash of all its values: the same for the same values.
    fingerprint text NOT NULL,
    client_id text,
    -- Encrypted: the secret key and the named credentials. Null once nothing needs them.
    sealed_values jsonb,
    -- When the gateway last accepted it, and since when it rejects it.
    verified_at timestamptz,
    rejected_at timestamptz,
    -- After this instant the sweeper tells the company's users that it is rejected. And when they were told last.
    notify_after timestamptz,
    notified_at timestamptz,
    -- When the first charge was sent with it.
    used_at timestamptz,
    -- After this instant the sweeper erases it, unless something still needs it.
    erase_after timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (company_id, gateway_slug, fingerprint)
  );
  CREATE INDEX gateway_secrets_account ON gateway_secrets (account_id);
  CREATE INDEX gateway_secrets_to_notify ON gateway_secrets (notify_after) WHERE notify_after IS NOT NULL;
  CREATE INDEX gateway_secrets_erasable ON gateway_secrets (erase_after) WHERE erase_after IS NOT NULL;

  CREATE TABLE gateway_credentials (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    gateway_id integer NOT NULL REFERENCES gateways,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    client_id text,
    account_id uuid NOT NULL REFERENCES gateway_accounts,
    -- The secret of new charges. Null for a sub-account, which charges with the platform's key.
    secret_id uuid REFERENCES gateway_secrets,
    -- The company's preference: lowest first.
    "order" integer NOT NULL CHECK ("order" >= 1),
    enabled boolean NOT NULL DEFAULT true,
    -- The recipient of the whole amount of every charge. Null if the company uses its own account.
    sub_account_id uuid REFERENCES sub_accounts,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (company_id, gateway_slug),
    CHECK ((secret_id IS NULL) = (sub_account_id IS NOT NULL))
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

  -- What a gateway said that a company's account lacks. Routing follows it for a day after 'since'.
  CREATE TABLE gateway_learned_limits (
    company_id bigint NOT NULL REFERENCES companies,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    -- Null for the platform's own account.
    account_id uuid REFERENCES gateway_accounts,
    feature text NOT NULL CHECK (feature IN ('raw_cards', 'pix', 'billet', 'splits')),
    -- The gateway's words.
    message text NOT NULL,
    -- When the charge was sent whose answer said so.
    since timestamptz NOT NULL,
    UNIQUE NULLS NOT DISTINCT (company_id, gateway_slug, account_id, feature)
  );
`;
