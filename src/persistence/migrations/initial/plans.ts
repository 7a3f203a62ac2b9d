/** What a company offers for subscription: plans and coupons. */
export const plans = `
  CREATE TABLE plans (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE,
    company_id bigint NOT NULL REFERENCES companies,
    name text NOT NULL,
    description text,
    amount_cents bigint NOT NULL CHECK (amount_cents >= 100),
    currency text NOT NULL,
    interval text NOT NULL CHECK (interval IN ('daily', 'weekly', 'monthly', 'yearly')),
    interval_count integer NOT NULL CHECK (interval_count >= 1),
    trial_period_days integer NOT NULL CHECK (trial_period_days >= 0),
    -- Day of the month; null to use the day on which the subscription starts.
    billing_day integer CHECK (billing_day BETWEEN 1 AND 31),
    -- A card must be valid for at least this many more months.
    min_card_months integer NOT NULL CHECK (min_card_months >= 0),
    is_active boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );
  CREATE INDEX plans_company ON plans (company_id, created_at DESC, id DESC);

  CREATE TABLE coupons (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE,
    company_id bigint NOT NULL REFERENCES companies,
    code text NOT NULL,
    name text NOT NULL,
    description text,
    discount_type text NOT NULL CHECK (discount_type IN ('percentage', 'fixed')),
    -- Percent or cents, by discount_type.
    discount_value bigint NOT NULL CHECK (discount_value >= 1),
    max_redemptions integer CHECK (max_redemptions >= 1),
    redemptions_count integer NOT NULL DEFAULT 0 CHECK (redemptions_count >= 0),
    -- How many paid cycles of a subscription it discounts. Null for all.
    max_cycles integer CHECK (max_cycles >= 1),
    -- Days in the company's time zone, both inclusive.
    valid_from date NOT NULL,
    valid_until date CHECK (valid_until > valid_from),
    is_active boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (company_id, code),
    CHECK (discount_type = 'fixed' OR discount_value <= 100)
  );
  CREATE INDEX coupons_company ON coupons (company_id, created_at DESC, id DESC);
`;
