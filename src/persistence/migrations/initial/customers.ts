/** Customers, the card vault and the customers' saved cards. */
export const customers = `
  CREATE TABLE customers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The id that the API shows.
    token text NOT NULL UNIQUE,
    company_id bigint NOT NULL REFERENCES companies,
    type text NOT NULL CHECK (type IN ('individual', 'corporation')),
    -- The customer's own key, wrapped. personal_data is sealed with it, here and in every other table; erasing it makes all
    -- of that unreadable.
    sealed_key jsonb,
    -- Name, email, document, phone, address and metadata.
    personal_data text,
    -- Keyed hashes, to find a customer by CPF or CNPJ and by email.
    document_hash text,
    email_hash text,
    erased_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (company_id, document_hash),
    CHECK (num_nonnulls(sealed_key, personal_data, document_hash, email_hash) = CASE WHEN erased_at IS NULL THEN 4 ELSE 0 END)
  );
  CREATE INDEX customers_company ON customers (company_id, created_at DESC, id DESC) WHERE erased_at IS NULL;
  CREATE INDEX customers_email ON customers (company_id, email_hash) WHERE erased_at IS NULL;

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
    expire_month integer NOT NULL,
    expire_year integer NOT NULL,
    -- Sealed with the customer's key. Null once the customer is erased.
    sealed_holder_name text,
    sealed_billing_address text,
    is_default boolean NOT NULL DEFAULT false,
    -- What the card's network returned for the first transaction in which the customer took part: {"transactionId",
    -- "transactionLinkId", "eloReference"}. Null until then, and again once the card is renewed.
    network_ids jsonb,
    deleted_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK (num_nonnulls(vault_card_id, sealed_holder_name) = 2 OR deleted_at IS NOT NULL)
  );
  CREATE INDEX customer_cards_vault_card ON customer_cards (vault_card_id);
  -- Saving the same number again updates the saved card.
  CREATE UNIQUE INDEX customer_cards_number ON customer_cards (customer_id, fingerprint) WHERE deleted_at IS NULL;
  CREATE UNIQUE INDEX customer_cards_default ON customer_cards (customer_id) WHERE is_default AND deleted_at IS NULL;
`;
