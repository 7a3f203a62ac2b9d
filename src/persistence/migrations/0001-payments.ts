import type { Migration } from './migration';

/** Companies, gateway credentials, customers, the card vault, payments and their attempts. */
export const migration: Migration = {
  name: '0001-payments',
  up: `
    CREATE TABLE companies (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      client_id text NOT NULL UNIQUE,
      api_key_hash text NOT NULL,
      name text NOT NULL,
      timezone text NOT NULL DEFAULT 'America/Sao_Paulo',
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now()
    );

    CREATE TABLE users (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      company_id bigint NOT NULL REFERENCES companies,
      name text NOT NULL,
      email text NOT NULL,
      password_hash text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE UNIQUE INDEX users_email ON users (lower(email));

    CREATE TABLE gateways (
      id integer PRIMARY KEY,
      slug text NOT NULL UNIQUE
    );
    INSERT INTO gateways SELECT n, 'gateway_' || n FROM generate_series(1, 7) AS n;

    CREATE TABLE sub_accounts (
      id uuid PRIMARY KEY,
      company_id bigint NOT NULL REFERENCES companies,
      gateway_slug text NOT NULL REFERENCES gateways (slug),
      information_hash text NOT NULL,
      -- Sealed: a person's document, income and bank account.
      sealed_information jsonb NOT NULL,
      name text NOT NULL,
      document_masked text NOT NULL,
      -- 'requested' is not at the gateway; 'unknown' was sent and may be there.
      status text NOT NULL CHECK (status IN ('requested', 'unknown', 'pending', 'active', 'refused')),
      recipient_id text,
      message text,
      -- When the last request to make it was claimed, and how often its state was asked for.
      sent_at timestamptz,
      polls integer NOT NULL DEFAULT 0,
      -- When a sweeper starts the workflow, should no open run exist by then.
      recover_after timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CHECK (recipient_id IS NOT NULL OR status NOT IN ('pending', 'active'))
    );
    -- The same information again makes no second recipient.
    CREATE UNIQUE INDEX sub_accounts_information
      ON sub_accounts (company_id, gateway_slug, information_hash) WHERE status <> 'refused';
    CREATE INDEX sub_accounts_recipient ON sub_accounts (company_id, gateway_slug, recipient_id);
    CREATE INDEX sub_accounts_overdue ON sub_accounts (recover_after) WHERE recover_after IS NOT NULL;

    CREATE TABLE gateway_credentials (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      company_id bigint NOT NULL REFERENCES companies,
      gateway_id integer NOT NULL REFERENCES gateways,
      gateway_slug text NOT NULL REFERENCES gateways (slug),
      client_id text,
      -- Null for a sub-account, which charges with the platform's key.
      sealed_secret jsonb,
      "order" integer NOT NULL CHECK ("order" >= 1),
      enabled boolean NOT NULL DEFAULT true,
      -- Charges give this recipient everything.
      sub_account_id uuid REFERENCES sub_accounts,
      -- Tells accounts apart without telling their secrets: what an attempt was sent to is asked nowhere else.
      account_fingerprint text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (company_id, gateway_slug),
      CHECK ((sealed_secret IS NULL) = (sub_account_id IS NOT NULL))
    );

    CREATE TABLE gateway_circuits (
      company_id bigint NOT NULL REFERENCES companies,
      gateway_slug text NOT NULL REFERENCES gateways (slug),
      recent_failures timestamptz[] NOT NULL DEFAULT '{}',
      open_until timestamptz,
      reason text,
      updated_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (company_id, gateway_slug)
    );

    CREATE TABLE customers (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      token text NOT NULL UNIQUE,
      company_id bigint NOT NULL REFERENCES companies,
      name text NOT NULL,
      email text NOT NULL,
      document text NOT NULL,
      phone text,
      address jsonb,
      metadata jsonb,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (company_id, document)
    );
    CREATE INDEX customers_company ON customers (company_id, created_at DESC, id DESC);

    CREATE TABLE vault_cards (
      id uuid PRIMARY KEY,
      company_id bigint NOT NULL REFERENCES companies,
      sealed_number jsonb NOT NULL,
      -- Used once, and gone when the authorization ends or after an hour, whichever comes first.
      sealed_cvv jsonb,
      cvv_expires_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX vault_cards_cvv ON vault_cards (cvv_expires_at) WHERE sealed_cvv IS NOT NULL;

    CREATE TABLE customer_cards (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      token text NOT NULL UNIQUE,
      company_id bigint NOT NULL REFERENCES companies,
      customer_id bigint NOT NULL REFERENCES customers,
      -- Null once the card is deleted and its number erased.
      vault_card_id uuid REFERENCES vault_cards ON DELETE SET NULL,
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
    -- Deleted cards whose number is still in the vault.
    CREATE INDEX customer_cards_deleted ON customer_cards (deleted_at)
      WHERE deleted_at IS NOT NULL AND vault_card_id IS NOT NULL;
    -- The same number again is the same saved card.
    CREATE UNIQUE INDEX customer_cards_number ON customer_cards (customer_id, fingerprint) WHERE deleted_at IS NULL;
    CREATE UNIQUE INDEX customer_cards_default ON customer_cards (customer_id) WHERE is_default AND deleted_at IS NULL;

    CREATE TABLE payments (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      transaction_id uuid NOT NULL UNIQUE,
      company_id bigint NOT NULL REFERENCES companies,
      merchant_order_id text NOT NULL,
      idempotency_key text,
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      currency text NOT NULL,
      payment_method text NOT NULL CHECK (payment_method IN ('card', 'pix', 'billet')),
      status text NOT NULL CHECK (status IN ('processing', 'pending', 'authorized', 'approved', 'failed', 'canceled', 'refunded')),
      message text NOT NULL,
      code text CHECK (code IN ('declined', 'expired', 'not_attempted', 'gateway_error')),
      capture boolean NOT NULL,
      installments integer NOT NULL,
      soft_descriptor text,
      metadata jsonb,
      splits jsonb,
      gateway_first_try text,
      customer_id bigint NOT NULL REFERENCES customers,
      -- The customer as it was when the payment was made: the answer to a resent request never changes.
      customer jsonb NOT NULL,
      card jsonb,
      card_fingerprint text,
      save_card boolean NOT NULL DEFAULT false,
      billing_address jsonb,
      -- No foreign key: the number of a card that is not saved is deleted when the payment is settled.
      vault_card_id uuid,
      captured_amount_cents bigint NOT NULL DEFAULT 0,
      refunded_amount_cents bigint NOT NULL DEFAULT 0,
      paid_amount_cents bigint,
      capture_before timestamptz,
      attempts integer NOT NULL DEFAULT 0,
      last_gateway text,
      gateways_request_ms integer NOT NULL DEFAULT 0,
      -- Waiting for a person: no inquiry could tell what became of the last attempt.
      stuck_at timestamptz,
      requested_at timestamptz NOT NULL,
      settled_at timestamptz,
      -- When a sweeper starts the workflow, should no open run exist by then.
      recover_after timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK (captured_amount_cents <= amount_cents),
      CHECK (refunded_amount_cents <= captured_amount_cents)
    );
    CREATE INDEX payments_company ON payments (company_id, created_at DESC, id DESC);
    CREATE INDEX payments_order ON payments (company_id, merchant_order_id);
    CREATE INDEX payments_overdue ON payments (recover_after) WHERE recover_after IS NOT NULL;

    -- Kept for ever: it is the truth behind "resending never charges twice".
    CREATE TABLE idempotency_keys (
      company_id bigint NOT NULL REFERENCES companies,
      key text NOT NULL,
      request_hash text NOT NULL,
      transaction_id uuid NOT NULL,
      response_status integer,
      response_body json,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (company_id, key)
    );

    CREATE TABLE gateway_attempts (
      -- Also the idempotency key at the gateway.
      id uuid PRIMARY KEY,
      payment_id bigint NOT NULL REFERENCES payments,
      company_id bigint NOT NULL REFERENCES companies,
      attempt integer NOT NULL,
      operation text NOT NULL CHECK (operation IN ('authorize', 'charge', 'capture', 'cancel', 'refund', 'inquiry')),
      gateway_slug text NOT NULL REFERENCES gateways (slug),
      account_fingerprint text NOT NULL,
      reference text NOT NULL,
      status text NOT NULL CHECK (status IN
        ('requested', 'sent', 'unknown', 'approved', 'authorized', 'pending', 'declined', 'canceled', 'refunded', 'error', 'abandoned')),
      amount_cents bigint NOT NULL,
      -- The charge a capture, cancel or refund acts on.
      target_attempt_id uuid REFERENCES gateway_attempts,
      gateway_transaction_id text,
      response_code text,
      response_message text,
      decline_type text,
      error_family text,
      authorization_code text,
      network_transaction_id text,
      pix jsonb,
      billet jsonb,
      -- How often in a row inquiry was answered "not found".
      not_found_count integer NOT NULL DEFAULT 0,
      request_ms integer,
      sent_at timestamptz,
      -- By the database's clock: what proves absence must not depend on which worker looks.
      claimed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE UNIQUE INDEX gateway_attempts_number ON gateway_attempts (payment_id, attempt, operation)
      WHERE operation IN ('authorize', 'charge');
    -- The heart of it: a payment has at most one charge that may hold the customer's money.
    CREATE UNIQUE INDEX gateway_attempts_one_charge ON gateway_attempts (payment_id)
      WHERE operation IN ('authorize', 'charge') AND status IN ('sent', 'unknown', 'pending', 'authorized', 'approved');
    CREATE INDEX gateway_attempts_payment ON gateway_attempts (payment_id, created_at);
  `,
};
