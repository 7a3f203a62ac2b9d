/** Payments, their attempts at gateways, idempotency keys, gateway callbacks and manual reviews. */
export const payments = `
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
    -- False to only authorize the card and capture later.
    capture boolean NOT NULL,
    installments integer NOT NULL,
    -- The part of amount_cents that the buyer of a checkout pays as interest.
    interest_cents bigint NOT NULL DEFAULT 0 CHECK (interest_cents BETWEEN 0 AND amount_cents - 1),
    soft_descriptor text,
    metadata jsonb,
    splits jsonb,
    gateway_first_try text,
    -- Why gateway_first_try was not tried first, for the company. Null if it was.
    ignored_first_try text,
    customer_id bigint NOT NULL REFERENCES customers,
    -- {"id", "token", "type"}.
    customer jsonb NOT NULL,
    -- The customer, the cardholder's name and the billing address as of the request, sealed with the customer's key.
    personal_data text,
    card jsonb,
    -- Keyed hash of the number: the same for the same card within a company.
    card_fingerprint text,
    save_card boolean NOT NULL DEFAULT false,
    -- No foreign key: the number of a card that is not saved is deleted when the payment is settled.
    vault_card_id uuid,
    captured_amount_cents bigint NOT NULL DEFAULT 0,
    refunded_amount_cents bigint NOT NULL DEFAULT 0,
    -- What the payer of a pix or boleto paid; may differ from amount_cents.
    paid_amount_cents bigint,
    capture_before timestamptz,
    -- Seconds, as requested.
    pix_expires_in integer,
    -- A day in Brazil.
    billet_due_at date,
    -- The request named no expiry or due date, so a gateway may change the company's default to what it can do.
    expiry_is_default boolean NOT NULL DEFAULT false,
    billet_instructions text,
    -- When a pix or boleto can no longer be paid in time. A payment made before may be reported later.
    expires_at timestamptz,
    -- When the money was captured, or a part of a pix or boleto was paid. The refund deadline counts from here.
    paid_at timestamptz,
    -- When the gateway was last asked for the status, by the payment's clock.
    last_polled_at timestamptz,
    -- The test clock (sandbox): its offset from the wall clock, its time while it advances, and the time it advances to.
    clock_offset_ms bigint NOT NULL DEFAULT 0,
    clock_now timestamptz,
    clock_target timestamptz,
    -- Number of charge attempts.
    attempts integer NOT NULL DEFAULT 0,
    last_gateway text,
    -- Total time of the gateway calls before the result.
    gateways_request_ms integer NOT NULL DEFAULT 0,
    -- Events published so far. The statement that changes the payment increases it, so the numbers have no gaps.
    event_sequence integer NOT NULL DEFAULT 0,
    -- Since when the payment waits for an operator: inquiries did not determine the last attempt's result, or it makes no
    -- progress.
    stuck_at timestamptz,
    requested_at timestamptz NOT NULL,
    settled_at timestamptz,
    -- The subscription and the billing cycle that it pays for. Both null for a one-off payment.
    subscription_id uuid REFERENCES subscriptions (uuid),
    billing_cycle_id uuid REFERENCES billing_cycles,
    -- When it was charged by the subscription's clock. The card networks' limits on declines are counted by it.
    billed_at timestamptz,
    -- {"initiator", "reason"} and, if the merchant initiates it, {"networkIds"}.
    initiation jsonb NOT NULL DEFAULT '{"initiator": "customer", "reason": "one_off"}',
    -- The checkout session it was made in.
    checkout_session_id bigint REFERENCES checkout_sessions,
    -- After this instant the sweeper starts the workflow, a no-op if it runs. Null if there is nothing left to do.
    recover_after timestamptz,
    -- Since when sweepers have started the workflow in vain, and what the last one set recover_after to: if recover_after is
    -- another instant, something else has written it, so the payment makes progress.
    overdue_since timestamptz,
    swept_until timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (captured_amount_cents <= amount_cents),
    -- A partial payment of a pix or boleto that nobody accepted is refunded without being captured.
    CHECK (refunded_amount_cents <= GREATEST(captured_amount_cents, paid_amount_cents)),
    CHECK ((concat_ws(' ', initiation ->> 'initiator', initiation ->> 'reason') IN ('customer one_off', 'customer first_saved',
      'customer first_recurring', 'customer saved_card', 'merchant recurring', 'merchant unscheduled')) IS TRUE),
    CHECK ((subscription_id IS NULL) = (billing_cycle_id IS NULL)),
    CHECK ((subscription_id IS NULL) = (billed_at IS NULL))
  );
  -- Includes every column that lists filter by, so that rows are filtered in the index.
  CREATE INDEX payments_company ON payments (company_id, created_at DESC, id DESC)
    INCLUDE (status, payment_method, last_gateway, amount_cents);
  CREATE INDEX payments_customer ON payments (customer_id);
  CREATE INDEX payments_order ON payments (company_id, merchant_order_id);
  CREATE INDEX payments_overdue ON payments (recover_after) WHERE recover_after IS NOT NULL;
  CREATE INDEX payments_processing ON payments (company_id, created_at) WHERE status = 'processing';
  CREATE INDEX payments_stuck ON payments (company_id, created_at DESC, id DESC) WHERE stuck_at IS NOT NULL;
  -- A billing cycle has at most one payment that may hold the customer's money.
  CREATE UNIQUE INDEX payments_one_per_cycle ON payments (billing_cycle_id)
    WHERE billing_cycle_id IS NOT NULL AND status IN ('processing', 'pending', 'authorized', 'approved', 'refunded');
  CREATE INDEX payments_cycle ON payments (billing_cycle_id, id) WHERE billing_cycle_id IS NOT NULL;
  CREATE INDEX payments_subscription ON payments (subscription_id, id) WHERE subscription_id IS NOT NULL;
  -- A checkout session has at most one payment in progress.
  CREATE UNIQUE INDEX payments_one_per_session ON payments (checkout_session_id)
    WHERE checkout_session_id IS NOT NULL AND status IN ('processing', 'pending', 'authorized');

  -- A key names what its request created: a payment, an operation on one, a sub-account, a subscription or a command.
  -- Never deleted if it moved money: a resent request gets the recorded answer and never charges twice.
  CREATE TABLE idempotency_keys (
    company_id bigint NOT NULL REFERENCES companies,
    key text NOT NULL,
    request_hash text NOT NULL,
    transaction_id uuid,
    attempt_id uuid,
    sub_account_id uuid,
    subscription_id uuid,
    subscription_command_id uuid,
    -- Null until the result is known.
    response_status integer,
    -- json and not jsonb: the answer is returned byte for byte.
    response_body json,
    -- Whose personal data the answer shows: null in response_body, and sealed here with the customer's key.
    customer_id bigint REFERENCES customers,
    personal_data text,
    -- When the key can be deleted. Null: never, because the request moved money.
    expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, key)
  );
  CREATE INDEX idempotency_keys_expired ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE gateway_attempts (
    -- Also the idempotency key at the gateway.
    id uuid PRIMARY KEY,
    payment_id bigint NOT NULL REFERENCES payments,
    company_id bigint NOT NULL REFERENCES companies,
    -- Number of the charge attempt; an operation has the number of the charge it acts on.
    attempt integer NOT NULL,
    operation text NOT NULL CHECK (operation IN ('authorize', 'charge', 'capture', 'cancel', 'refund', 'inquiry')),
    -- Why the operation was made: 'reversal' returns a charge that was approved after it was recorded as not made;
    -- 'authorization_expired' releases an authorization at the end of its capture window; 'duplicate_purchase' gives back
    -- the second payment of a checkout session; 'found_at_gateway': an inquiry found it, and nobody requested it here.
    purpose text NOT NULL DEFAULT 'charge'
      CHECK (purpose IN ('charge', 'merchant_request', 'reversal', 'authorization_expired', 'duplicate_purchase',
        'found_at_gateway')),
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    -- The secret of the company that it was sent with; another secret of the same account may replace it in later calls.
    -- Null if it was sent with the platform's key.
    secret_id uuid REFERENCES gateway_secrets,
    -- The card of a subscription's charge: its number's fingerprint and its expiry. Null for one-off payments.
    charged_card text,
    -- Our reference at the gateway.
    reference text NOT NULL,
    -- Why routing chose this gateway, as text for operators. Null for operations on a charge.
    routing_reason text,
    status text NOT NULL CHECK (status IN
      ('requested', 'sent', 'unknown', 'accepted', 'approved', 'authorized', 'pending', 'declined', 'canceled', 'refunded',
       'error', 'abandoned')),
    amount_cents bigint NOT NULL,
    -- The charge that a capture, cancel or refund acts on.
    target_attempt_id uuid REFERENCES gateway_attempts,
    -- The key of the request for the operation.
    idempotency_key text,
    -- Each recipient's exact share of a capture or refund.
    splits jsonb,
    -- The reason given with the request.
    reason text,
    -- Where a boleto is refunded to. Null once the gateway has accepted or refused the refund.
    sealed_bank_account jsonb,
    gateway_transaction_id text,
    response_code text,
    response_message text,
    decline_type text,
    -- Mastercard's Merchant Advice Code, two digits.
    advice_code text,
    error_family text,
    authorization_code text,
    -- What the card's network returned: {"transactionId", "transactionLinkId", "eloReference"}.
    network_ids jsonb,
    pix jsonb,
    billet jsonb,
    -- What the gateway reported in an inquiry that contradicts the records, and when it agreed with them again. Null otherwise.
    reported_state jsonb,
    agreed_at timestamptz,
    -- Consecutive inquiries answered "not found".
    not_found_count integer NOT NULL DEFAULT 0,
    -- By the payment's clock: since when the result of an accepted operation is awaited, or since an operator started its
    -- inquiries again. Null if it was never accepted with its result to come later.
    awaited_since timestamptz,
    -- How often it was sent. An operation is sent again only if it provably never arrived, and a charge of unknown
    -- outcome only under a key that its gateway replays.
    send_count integer NOT NULL DEFAULT 0,
    request_ms integer,
    sent_at timestamptz,
    -- Since when inquiries about it were inconclusive for so long that an operator may resolve it. Null if they are not.
    escalated_at timestamptz,
    -- The operator's resolution of it that is not applied yet (manual_resolutions), so that each step of the workflow sees it.
    open_resolution_id uuid,
    -- The database's clock and not the worker's: proof that the gateway has no such charge depends on this time.
    claimed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- A charge has its result at once, or is unknown.
    CHECK (status <> 'accepted' OR (operation IN ('capture', 'cancel', 'refund') AND awaited_since IS NOT NULL))
  );
  CREATE UNIQUE INDEX gateway_attempts_number ON gateway_attempts (payment_id, attempt, operation)
    WHERE operation IN ('authorize', 'charge');
  -- The central guarantee: a payment has at most one charge that may hold the customer's money.
  CREATE UNIQUE INDEX gateway_attempts_one_charge ON gateway_attempts (payment_id)
    WHERE operation IN ('authorize', 'charge') AND status IN ('sent', 'unknown', 'pending', 'authorized', 'approved');
  -- The charges by which card networks limit further ones: declined, or perhaps declined.
  CREATE INDEX gateway_attempts_charged_card ON gateway_attempts (company_id, charged_card)
    WHERE charged_card IS NOT NULL AND status IN ('declined', 'unknown', 'sent');
  CREATE INDEX gateway_attempts_payment ON gateway_attempts (payment_id, created_at);
  -- A charge is captured or canceled once. A reversal acts on a second charge that the same attempt made by mistake.
  CREATE UNIQUE INDEX gateway_attempts_one_capture_or_cancel ON gateway_attempts (target_attempt_id)
    WHERE operation IN ('capture', 'cancel') AND purpose <> 'reversal'
      AND status IN ('requested', 'sent', 'unknown', 'accepted', 'approved', 'canceled');
  -- An inquiry by reference finds one operation.
  CREATE UNIQUE INDEX gateway_attempts_reference ON gateway_attempts (reference) WHERE operation <> 'inquiry';
  -- Callbacks of gateways that do not repeat our reference.
  CREATE INDEX gateway_attempts_gateway_id ON gateway_attempts (gateway_transaction_id, gateway_slug)
    WHERE operation IN ('authorize', 'charge') AND gateway_transaction_id IS NOT NULL;

  -- Callbacks as received. A callback never changes a payment; it triggers an inquiry.
  CREATE TABLE gateway_callbacks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    company_id bigint NOT NULL REFERENCES companies,
    payment_id bigint NOT NULL REFERENCES payments,
    attempt_id uuid NOT NULL REFERENCES gateway_attempts,
    event_id text NOT NULL,
    -- The gateway's id of the charge, as the callback states it.
    gateway_transaction_id text,
    kind text NOT NULL CHECK (kind IN ('status', 'chargeback')),
    -- Charge state that the callback reports, used to skip callbacks that report nothing new. Null if it is incomplete.
    reported_state jsonb,
    -- SHA-256 of the body, in hex.
    body_hash text NOT NULL,
    -- As received, of a payment's first signed callbacks only: anyone can send any number of bytes unsigned. Null too once the
    -- customer is erased, because a callback may name its payer.
    raw_body bytea,
    headers jsonb,
    -- Whether it was signed with a secret that only the gateway and this service know.
    trusted boolean NOT NULL,
    received_at timestamptz NOT NULL,
    processed_at timestamptz,
    -- After this instant the sweeper signals the payment's workflow. Null once processed.
    recover_after timestamptz,
    -- Includes trusted: a forged callback must not block the signed one with the same body.
    UNIQUE (gateway_slug, company_id, event_id, body_hash, trusted),
    CHECK ((recover_after IS NULL) = (processed_at IS NOT NULL)),
    CHECK (num_nonnulls(raw_body, headers) = 0 OR (trusted AND num_nonnulls(raw_body, headers) = 2))
  );
  CREATE INDEX gateway_callbacks_prunable ON gateway_callbacks (received_at) WHERE NOT trusted AND processed_at IS NOT NULL;
  -- How many unsigned callbacks of a payment were ever stored. Outlives the rows, which are pruned.
  CREATE TABLE unsigned_callback_counts (
    payment_id bigint PRIMARY KEY REFERENCES payments,
    stored integer NOT NULL
  );
  CREATE INDEX gateway_callbacks_payment ON gateway_callbacks (payment_id, received_at);
  CREATE INDEX gateway_callbacks_overdue ON gateway_callbacks (recover_after) WHERE recover_after IS NOT NULL;
  -- Callbacks that name a charge by a gateway's id that no charge has yet: they may come before the answer to the charge.
  CREATE TABLE parked_callbacks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    gateway_slug text NOT NULL REFERENCES gateways (slug),
    gateway_transaction_id text NOT NULL,
    event_id text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('status', 'chargeback')),
    -- SHA-256 of the body, in hex.
    body_hash text NOT NULL,
    received_at timestamptz NOT NULL,
    UNIQUE (gateway_slug, gateway_transaction_id, event_id, body_hash)
  );
  CREATE INDEX parked_callbacks_received ON parked_callbacks (received_at);
`;
