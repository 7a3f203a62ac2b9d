import type { Migration } from './migration';

/** Pages where anybody pays: links, one buyer's way to one purchase, and the names that their addresses are made of. */
export const migration: Migration = {
  name: '0012-payment-links',
  up: `
    -- The company in its links' addresses; it never changes. The release before this one names nobody, hence the default.
    ALTER TABLE companies
      ADD COLUMN slug text NOT NULL DEFAULT 'c-' || left(replace(gen_random_uuid()::text, '-', ''), 12);
    -- As the names of new companies are read: without accents, in small letters and digits.
    WITH read AS (
      SELECT id, rtrim(left(trim(BOTH '-' FROM regexp_replace(
          regexp_replace(lower(normalize(name, NFD)), '[\\u0300-\\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g')), 60), '-') AS slug
        FROM companies),
    numbered AS (SELECT id, slug, row_number() OVER (PARTITION BY slug ORDER BY id) AS nth FROM read WHERE slug <> '')
    UPDATE companies c SET slug = CASE WHEN n.nth = 1 THEN n.slug ELSE n.slug || '-' || left(replace(gen_random_uuid()::text, '-', ''), 8) END
      FROM numbered n WHERE n.id = c.id;
    CREATE UNIQUE INDEX companies_slug ON companies (slug);

    CREATE TABLE payment_links (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      token text NOT NULL UNIQUE,
      company_id bigint NOT NULL REFERENCES companies,
      slug text NOT NULL,
      name text NOT NULL,
      description text,
      type text NOT NULL CHECK (type IN ('one_time', 'subscription')),
      amount_cents bigint CHECK (amount_cents >= 100),
      plan_id bigint REFERENCES plans,
      currency text NOT NULL,
      -- The one offered first at the head.
      payment_methods text[] NOT NULL CHECK (payment_methods <@ ARRAY['card', 'pix'] AND cardinality(payment_methods) >= 1),
      gateway_first_try text,
      max_uses integer CHECK (max_uses >= 1),
      -- Purchases that are made or under way. A pix that was given up and is paid after all may take it beyond max_uses.
      uses_count integer NOT NULL DEFAULT 0 CHECK (uses_count >= 0),
      expires_at timestamptz,
      success_url text,
      cancel_url text,
      metadata jsonb,
      is_active boolean NOT NULL,
      deleted_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK ((type = 'one_time') = (amount_cents IS NOT NULL)),
      CHECK ((type = 'subscription') = (plan_id IS NOT NULL))
    );
    CREATE UNIQUE INDEX payment_links_slug ON payment_links (company_id, slug) WHERE deleted_at IS NULL;
    CREATE INDEX payment_links_company ON payment_links (company_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

    CREATE TABLE checkout_sessions (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      -- SHA-256 of the token: whoever has that may pay here, and read who buys.
      token_hash text NOT NULL UNIQUE,
      company_id bigint NOT NULL REFERENCES companies,
      -- Null for a session of the company's own making.
      payment_link_id bigint REFERENCES payment_links,
      type text NOT NULL CHECK (type IN ('one_time', 'subscription')),
      amount_cents bigint CHECK (amount_cents >= 100),
      plan_id bigint REFERENCES plans,
      currency text NOT NULL,
      merchant_order_id text NOT NULL,
      payment_method text NOT NULL CHECK (payment_method IN ('card', 'pix')),
      payment_methods text[] NOT NULL,
      gateway_first_try text,
      metadata jsonb,
      success_url text,
      cancel_url text,
      -- The customer that its company named; or what a buyer said: {"name", "email", "document"}; or neither.
      customer_id bigint REFERENCES customers,
      buyer jsonb,
      coupon_id bigint REFERENCES coupons,
      -- 'claimed' by what it buys; 'closed' after the last try.
      status text NOT NULL CHECK (status IN ('open', 'claimed', 'closed')),
      tries integer NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
      -- What it bought, or last tried to.
      transaction_id uuid,
      subscription_id uuid,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK ((type = 'one_time') = (amount_cents IS NOT NULL)),
      CHECK ((type = 'subscription') = (plan_id IS NOT NULL)),
      CHECK (customer_id IS NULL OR buyer IS NULL),
      CHECK (status <> 'claimed' OR num_nonnulls(transaction_id, subscription_id) = 1)
    );
    CREATE INDEX checkout_sessions_link ON checkout_sessions (payment_link_id) WHERE payment_link_id IS NOT NULL;
    -- Those that nobody ever paid in, by when they may be erased.
    CREATE INDEX checkout_sessions_unused ON checkout_sessions (expires_at) WHERE tries = 0;

    ALTER TABLE payments ADD COLUMN checkout_session_id bigint REFERENCES checkout_sessions;
    -- At most one of a session's payments is under way.
    CREATE UNIQUE INDEX payments_one_per_session ON payments (checkout_session_id)
      WHERE checkout_session_id IS NOT NULL AND status IN ('processing', 'pending', 'authorized');
    ALTER TABLE subscriptions ADD COLUMN checkout_session_id bigint REFERENCES checkout_sessions;
  `,
};
