/** Companies, their users, settings and logos, and the sandbox's mail. */
export const companies = `
  CREATE TABLE companies (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client_id text NOT NULL UNIQUE,
    name text NOT NULL,
    -- The company's part of its payment links' URLs. It never changes.
    slug text NOT NULL,
    -- IANA name. Days in lists, reports and due dates are days in this zone.
    timezone text NOT NULL DEFAULT 'America/Sao_Paulo',
    -- Seconds. These two are here and not in company_configs because every request loads this row.
    pix_expires_in integer NOT NULL DEFAULT 86400 CHECK (pix_expires_in BETWEEN 60 AND 1209600),
    billet_due_days integer NOT NULL DEFAULT 3 CHECK (billet_due_days BETWEEN 1 AND 30),
    cnpj text,
    financial_email text,
    phone text,
    -- The x-client-id header of the registration: the partner that referred the company.
    referrer text,
    -- When its first user registered with its key pair. Null if nobody did: it may have come with a user.
    claimed_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX companies_slug ON companies (slug);

  CREATE TABLE users (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    name text NOT NULL,
    email text NOT NULL,
    -- argon2id, PHC string.
    password_hash text NOT NULL,
    -- The first proof that the user reads mail at this address: a token sent there was used.
    email_verified_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX users_email ON users (lower(email));
  CREATE INDEX users_company ON users (company_id);

  CREATE TABLE api_keys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    name text NOT NULL,
    -- HMAC-SHA-256 of the key. The key itself is shown once and not stored.
    key_hash text NOT NULL,
    scopes text[] NOT NULL CHECK (scopes <@ '{read,write}' AND cardinality(scopes) > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- To the minute.
    last_used_at timestamptz,
    -- A revoked key stays, so that the audit log's id keeps its name.
    revoked_at timestamptz
  );
  CREATE INDEX api_keys_company ON api_keys (company_id, id) WHERE revoked_at IS NULL;

  -- One row per valid access token. Signing out deletes the row; a token without a row is rejected.
  CREATE TABLE user_sessions (
    jti uuid PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX user_sessions_user ON user_sessions (user_id);

  CREATE TABLE password_resets (
    token_hash text PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX password_resets_user ON password_resets (user_id);

  CREATE TABLE email_verifications (
    token_hash text PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX email_verifications_user ON email_verifications (user_id);

  -- Mail of a sandbox without a mail server, shown to its developer.
  CREATE TABLE sandbox_mails (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    recipient text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );

  -- A company without a row uses the defaults.
  CREATE TABLE company_configs (
    company_id bigint PRIMARY KEY REFERENCES companies,
    -- Days after the first decline on which a subscription's charge is retried.
    dunning_days integer[] NOT NULL,
    -- Evaluated in array order.
    routing_rules jsonb NOT NULL,
    brand_name text,
    brand_color text,
    -- Origins that may embed the checkout page (CSP frame-ancestors).
    checkout_frame_origins text[] NOT NULL,
    -- What checkouts offer: {"maxInstallments", "minInstallmentCents", "interest", "interestRates"}.
    installments jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
  );

  -- A copy of the image, taken when its URL was saved. Served by its hash.
  CREATE TABLE company_logos (
    company_id bigint PRIMARY KEY REFERENCES companies,
    -- SHA-256 of the bytes, in hex.
    hash text NOT NULL,
    content_type text NOT NULL,
    bytes bytea NOT NULL CHECK (octet_length(bytes) <= 262144),
    source_url text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX company_logos_hash ON company_logos (hash);
`;
