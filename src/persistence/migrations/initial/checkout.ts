/** Payment links and checkout sessions. */
export const checkout = `
  CREATE TABLE payment_links (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The id that the API shows.
    token text NOT NULL UNIQUE,
    company_id bigint NOT NULL REFERENCES companies,
    slug text NOT NULL,
    name text NOT NULL,
    description text,
    type text NOT NULL CHECK (type IN ('one_time', 'subscription')),
    amount_cents bigint CHECK (amount_cents >= 100),
    plan_id bigint REFERENCES plans,
    currency text NOT NULL,
    -- The first one is preselected.
    payment_methods text[] NOT NULL CHECK (payment_methods <@ ARRAY['card', 'pix'] AND cardinality(payment_methods) >= 1),
    gateway_first_try text,
    max_uses integer CHECK (max_uses >= 1),
    -- Purchases made or in progress. May exceed max_uses by a pix that is paid after it was released.
    uses_count integer NOT NULL DEFAULT 0 CHECK (uses_count >= 0),
    expires_at timestamptz,
    success_url text,
    cancel_url text,
    metadata jsonb,
    -- What the link sets itself; the company's terms apply where it is null.
    installments jsonb NOT NULL,
    is_active boolean NOT NULL,
    deleted_at timestamptz,
    created_at timestamptz NOT NULL,
    -- The company's last change; a purchase does not set it.
    updated_at timestamptz NOT NULL,
    CHECK ((type = 'one_time') = (amount_cents IS NOT NULL)),
    CHECK ((type = 'subscription') = (plan_id IS NOT NULL))
  );
  CREATE UNIQUE INDEX payment_links_slug ON payment_links (company_id, slug) WHERE deleted_at IS NULL;
  CREATE INDEX payment_links_company ON payment_links (company_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

  CREATE TABLE checkout_sessions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- SHA-256. The token is a bearer secret: it allows paying here and reading the buyer.
    token_hash text NOT NULL UNIQUE,
    company_id bigint NOT NULL REFERENCES companies,
    -- Null for a session that the company opened through the API.
    payment_link_id bigint REFERENCES payment_links,
    type text NOT NULL CHECK (type IN ('one_time', 'subscription')),
    amount_cents bigint CHECK (amount_cents >= 100),
    plan_id bigint REFERENCES plans,
    -- The plan's terms when the session was opened, in this currency. The subscription gets them, whatever the plan has then.
    plan_amount_cents bigint,
    plan_interval text,
    plan_interval_count integer,
    plan_trial_days integer,
    plan_billing_day integer,
    -- What the buyer of a subscription was shown: the first two charges, and how many cycles the coupon discounts.
    offered_first_cents bigint,
    offered_recurring_cents bigint,
    offered_coupon_cycles integer,
    -- How a card can pay a one-time amount, as shown: {"installments", "firstCents", "amountCents", "totalCents",
    -- "interestCents"}. The charge is the total of one of them, also if the link or the company changes its terms.
    installment_options jsonb NOT NULL,
    currency text NOT NULL,
    merchant_order_id text NOT NULL,
    -- The method offered first.
    payment_method text NOT NULL CHECK (payment_method IN ('card', 'pix')),
    payment_methods text[] NOT NULL,
    gateway_first_try text,
    metadata jsonb,
    success_url text,
    cancel_url text,
    -- The customer that the company named, or the buyer's own input {"name", "email", "document"}, encrypted, or neither.
    customer_id bigint REFERENCES customers,
    sealed_buyer jsonb,
    -- Keyed hash, to find the sessions of a customer who is erased.
    buyer_document_hash text,
    coupon_id bigint REFERENCES coupons,
    -- 'claimed' by a payment or subscription; 'closed' after the last try failed.
    status text NOT NULL CHECK (status IN ('open', 'claimed', 'closed')),
    tries integer NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
    -- The payment or the subscription of the last try.
    transaction_id uuid,
    subscription_id uuid,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK ((type = 'one_time') = (amount_cents IS NOT NULL)),
    CHECK ((type = 'subscription') = (plan_id IS NOT NULL)),
    CHECK (num_nonnulls(plan_id, plan_amount_cents, plan_interval, plan_interval_count, plan_trial_days,
                        offered_first_cents) IN (0, 6)),
    CHECK (customer_id IS NULL OR sealed_buyer IS NULL),
    CHECK (status <> 'claimed' OR num_nonnulls(transaction_id, subscription_id) = 1)
  );
  CREATE INDEX checkout_sessions_buyer ON checkout_sessions (company_id, buyer_document_hash)
    WHERE buyer_document_hash IS NOT NULL;
  CREATE INDEX checkout_sessions_customer ON checkout_sessions (customer_id) WHERE customer_id IS NOT NULL;
  CREATE INDEX checkout_sessions_link ON checkout_sessions (payment_link_id) WHERE payment_link_id IS NOT NULL;
  -- Sessions without a try are erased some time after they expire.
  CREATE INDEX checkout_sessions_unused ON checkout_sessions (expires_at) WHERE tries = 0;
`;
