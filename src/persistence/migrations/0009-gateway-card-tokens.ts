import type { Migration } from './migration';

export const migration: Migration = {
  name: '0009-gateway-card-tokens',
  up: `
  -- What a gateway returned for a card, with which the same account there charges it without its security code. It ends with the number.
  CREATE TABLE gateway_card_tokens (
    company_id bigint NOT NULL REFERENCES companies,
    vault_card_id uuid NOT NULL REFERENCES vault_cards ON DELETE CASCADE,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    -- The secret with which it was obtained. Other secrets of its account can use it. Null for the platform's key.
    secret_id uuid REFERENCES gateway_secrets ON DELETE CASCADE,
    -- Encrypted.
    sealed_token jsonb NOT NULL,
    -- Of the card that the gateway saw: a renewed card does not use the token of the earlier one.
    expire_month integer NOT NULL,
    expire_year integer NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE NULLS NOT DISTINCT (vault_card_id, gateway_slug, secret_id)
  );
  CREATE INDEX gateway_card_tokens_secret ON gateway_card_tokens (secret_id);
  `,
};
