/** Customers, the card vault and the customers' saved cards. */
export const customers = `
  CREATE TABLE customers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The id that the API shows.
    token text NOT NULL UNIQUE,
    company_id bigint NOT NULL REFERENCES companies,
    name text NOT NULL,
    email text NOT NULL,
    -- CPF or CNPJ, without punctuation, in upper case.
    document text NOT NULL,
    phone text,
    address jsonb,
    metadata jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (company_id, document)
  );
  CREATE INDEX customers_company ON customers (company_id, created_at DESC, id DESC);

  -- Encrypted card numbers. A row is deleted when no saved card, subscription or payment in progress needs it.
  CREATE TABLE vault_cards (
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    sealed_number jsonb NOT NULL,
    -- Deleted when the authorization ends, or after an hour at the latest.
    sealed_cvv jsonb,
    cvv_expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX vault_cards_cvv ON vault_cards (cvv_expires_at) WHERE sealed_cvv IS NOT NULL;

  CREATE TABLE customer_cards (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The id that the API shows.
    token text NOT NULL UNIQUE,
    company_id bigint NOT NULL REFERENCES companies,
    customer_id bigint NOT NULL REFERENCES customers,
    -- Null once the card is deleted and its number erased.
    vault_card_id uuid REFERENCES vault_cards ON DELETE SET NULL,
    -- Keyed hash of the number: the same for the same card within a company.
    fingerprint text NOT NULL,
    brand text NOT NULL,
    first_6_digits text NOT NULL,
    last_4_digits text NOT NULL,
    holder_name text NOT NULL,
    expire_month integer NOT NULL,
    expire_year integer NOT NULL,
    billing_address jsonb,
    is_default boolean NOT NULL DEFAULT false,
    deleted_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK (vault_card_id IS NOT NULL OR deleted_at IS NOT NULL)
  );
  CREATE INDEX customer_cards_vault_card ON customer_cards (vault_card_id);
  -- Saving the same number again updates the saved card.
  CREATE UNIQUE INDEX customer_cards_number ON customer_cards (customer_id, fingerprint) WHERE deleted_at IS NULL;
  CREATE UNIQUE INDEX customer_cards_default ON customer_cards (customer_id) WHERE is_default AND deleted_at IS NULL;
`;
