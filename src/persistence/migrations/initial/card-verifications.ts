/** Authorizations of zero: what issuers said about cards that were saved or began a trial. */
export const cardVerifications = `
  CREATE TABLE card_verifications (
    -- Also our reference and the idempotency key at the gateway.
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    -- The secret that it was sent with. Null if it was sent with the platform's key, or the secret was never charged with and is
    -- deleted.
    secret_id uuid REFERENCES gateway_secrets ON DELETE SET NULL,
    -- The card: its number's fingerprint and its expiry.
    charged_card text NOT NULL,
    reason text NOT NULL CHECK (reason IN ('first_saved', 'first_recurring')),
    -- 'sent' has no answer yet, or never will: nothing waits for it, because no money is at stake.
    status text NOT NULL CHECK (status IN ('sent', 'verified', 'declined', 'unknown', 'error')),
    response_code text,
    -- The card itself was refused for good, so its network forbids to verify it again.
    forbids_card boolean NOT NULL DEFAULT false,
    -- Mastercard's Merchant Advice Code, two digits.
    advice_code text,
    -- What the card's network returned: {"transactionId", "transactionLinkId", "eloReference"}.
    network_ids jsonb,
    sent_at timestamptz NOT NULL,
    answered_at timestamptz,
    CHECK ((status = 'sent') = (answered_at IS NULL)),
    CHECK (network_ids IS NULL OR status = 'verified'),
    CHECK (NOT forbids_card OR status = 'declined')
  );
  -- Finds a recent verification, and the declines that the networks count.
  CREATE INDEX card_verifications_card ON card_verifications (company_id, charged_card, sent_at DESC) WHERE status <> 'error';
  -- Finds the old ones, which are deleted.
  CREATE INDEX card_verifications_old ON card_verifications (sent_at) WHERE NOT forbids_card;
`;
