/**
 * Counters for lists and the dashboard. Triggers on payments and charges insert deltas in the transaction of the change,
 * which takes no row lock. A loop in the worker adds the deltas to the counters; counters plus deltas are exact at any
 * instant.
 *
 * Payments without a result (`processing`) are few and are counted in their own table, so that a card payment is one
 * delta.
 */
export const counters = `
  -- Changes of counted payments, not yet added to payment_counters. Autovacuum runs after few rows, because rows are
  -- inserted and deleted all the time.
  CREATE TABLE payment_counter_deltas (
    company_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    status text NOT NULL,
    payment_method text NOT NULL,
    gateway text NOT NULL,
    currency text NOT NULL,
    payments bigint NOT NULL,
    amount_cents bigint NOT NULL,
    captured_cents bigint NOT NULL,
    refunded_cents bigint NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
  CREATE INDEX payment_counter_deltas_company ON payment_counter_deltas (company_id);

  CREATE TABLE payment_counters (
    company_id bigint NOT NULL,
    -- One row per hour, per day and per month in UTC, so that a range of any length needs few rows.
    grain text NOT NULL CHECK (grain IN ('hour', 'day', 'month')),
    -- Start of the hour, day or month.
    bucket_start timestamptz NOT NULL,
    status text NOT NULL,
    payment_method text NOT NULL,
    -- The gateway of the last attempt; '' if there is none.
    gateway text NOT NULL,
    currency text NOT NULL,
    payments bigint NOT NULL,
    amount_cents bigint NOT NULL,
    captured_cents bigint NOT NULL,
    refunded_cents bigint NOT NULL,
    PRIMARY KEY (company_id, grain, bucket_start, status, payment_method, gateway, currency)
  ) WITH (fillfactor = 80);

  -- Records a change as the removal of the old row's values and the addition of the new row's.
  CREATE FUNCTION count_payment() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND OLD.status <> 'processing' THEN
      INSERT INTO payment_counter_deltas VALUES (OLD.company_id, OLD.created_at, OLD.status, OLD.payment_method,
        coalesce(OLD.last_gateway, ''), OLD.currency, -1, -OLD.amount_cents, -OLD.captured_amount_cents,
        -OLD.refunded_amount_cents);
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.status <> 'processing' THEN
      INSERT INTO payment_counter_deltas VALUES (NEW.company_id, NEW.created_at, NEW.status, NEW.payment_method,
        coalesce(NEW.last_gateway, ''), NEW.currency, 1, NEW.amount_cents, NEW.captured_amount_cents,
        NEW.refunded_amount_cents);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER payments_count_insert AFTER INSERT ON payments
    FOR EACH ROW WHEN (NEW.status <> 'processing') EXECUTE FUNCTION count_payment();
  CREATE TRIGGER payments_count_delete AFTER DELETE ON payments
    FOR EACH ROW WHEN (OLD.status <> 'processing') EXECUTE FUNCTION count_payment();
  CREATE TRIGGER payments_count_update AFTER UPDATE ON payments
    FOR EACH ROW WHEN ((OLD.status <> 'processing' OR NEW.status <> 'processing') AND
      (OLD.status, OLD.last_gateway, OLD.captured_amount_cents, OLD.refunded_amount_cents, OLD.amount_cents,
        OLD.payment_method, OLD.currency, OLD.created_at, OLD.company_id) IS DISTINCT FROM
      (NEW.status, NEW.last_gateway, NEW.captured_amount_cents, NEW.refunded_amount_cents, NEW.amount_cents,
        NEW.payment_method, NEW.currency, NEW.created_at, NEW.company_id))
    EXECUTE FUNCTION count_payment();

  -- Changes of charges with a result, by gateway and status.
  CREATE TABLE charge_counter_deltas (
    company_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    gateway text NOT NULL,
    status text NOT NULL,
    -- The code of a decline; '' otherwise.
    response_code text NOT NULL,
    charges bigint NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
  CREATE INDEX charge_counter_deltas_company ON charge_counter_deltas (company_id);

  CREATE TABLE charge_counters (
    company_id bigint NOT NULL,
    grain text NOT NULL CHECK (grain IN ('hour', 'day', 'month')),
    -- Start of the hour, day or month.
    bucket_start timestamptz NOT NULL,
    gateway text NOT NULL,
    status text NOT NULL,
    response_code text NOT NULL,
    charges bigint NOT NULL,
    PRIMARY KEY (company_id, grain, bucket_start, gateway, status, response_code)
  ) WITH (fillfactor = 80);

  CREATE FUNCTION count_charge() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND OLD.status NOT IN ('requested', 'sent') THEN
      INSERT INTO charge_counter_deltas VALUES (OLD.company_id, OLD.created_at, OLD.gateway_slug, OLD.status,
        CASE WHEN OLD.status = 'declined' THEN left(coalesce(OLD.response_code, ''), 40) ELSE '' END, -1);
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.status NOT IN ('requested', 'sent') THEN
      INSERT INTO charge_counter_deltas VALUES (NEW.company_id, NEW.created_at, NEW.gateway_slug, NEW.status,
        CASE WHEN NEW.status = 'declined' THEN left(coalesce(NEW.response_code, ''), 40) ELSE '' END, 1);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER gateway_attempts_count_insert AFTER INSERT ON gateway_attempts
    FOR EACH ROW WHEN (NEW.operation IN ('authorize', 'charge') AND NEW.status NOT IN ('requested', 'sent'))
    EXECUTE FUNCTION count_charge();
  CREATE TRIGGER gateway_attempts_count_delete AFTER DELETE ON gateway_attempts
    FOR EACH ROW WHEN (OLD.operation IN ('authorize', 'charge') AND OLD.status NOT IN ('requested', 'sent'))
    EXECUTE FUNCTION count_charge();
  CREATE TRIGGER gateway_attempts_count_update AFTER UPDATE ON gateway_attempts
    FOR EACH ROW WHEN (NEW.operation IN ('authorize', 'charge') AND
      (OLD.status, OLD.response_code, OLD.created_at, OLD.company_id, OLD.gateway_slug) IS DISTINCT FROM
      (NEW.status, NEW.response_code, NEW.created_at, NEW.company_id, NEW.gateway_slug))
    EXECUTE FUNCTION count_charge();
`;
