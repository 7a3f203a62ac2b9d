/** Operators' resolutions, and the history of `payments.stuck_at`, which itself only shows the present. */
export const manualReviews = `
  -- What an operator decided about an attempt, committed before anything acts on it. A request to the workflow has its id only.
  CREATE TABLE manual_resolutions (
    id uuid PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    payment_id bigint NOT NULL REFERENCES payments,
    attempt_id uuid NOT NULL REFERENCES gateway_attempts,
    outcome text NOT NULL CHECK (outcome IN ('paid', 'absent', 'retry')),
    reason text NOT NULL,
    -- The gateway's id of a paid charge, if the operator knows it.
    gateway_transaction_id text,
    user_id bigint NOT NULL REFERENCES users,
    request_id text NOT NULL,
    -- 'superseded': the attempt got its result in another way, so the resolution changed nothing.
    status text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'applied', 'superseded')),
    created_at timestamptz NOT NULL,
    closed_at timestamptz,
    CHECK ((status = 'requested') = (closed_at IS NULL))
  );
  CREATE UNIQUE INDEX manual_resolutions_one_open ON manual_resolutions (attempt_id) WHERE status = 'requested';
  CREATE INDEX manual_resolutions_payment ON manual_resolutions (payment_id, id);

  CREATE TABLE manual_review_periods (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payment_id bigint NOT NULL REFERENCES payments,
    company_id bigint NOT NULL REFERENCES companies,
    started_at timestamptz NOT NULL,
    ended_at timestamptz
  );
  CREATE INDEX manual_review_periods_payment ON manual_review_periods (payment_id, id);
  CREATE UNIQUE INDEX manual_review_periods_one_open ON manual_review_periods (payment_id) WHERE ended_at IS NULL;

  -- A trigger, so that no statement that changes stuck_at can omit it.
  CREATE FUNCTION record_manual_review_period() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.stuck_at IS NULL THEN
      -- A statement that also changes the payment's state sets updated_at. Otherwise the end is now.
      UPDATE manual_review_periods
         SET ended_at = CASE WHEN NEW.updated_at <> OLD.updated_at THEN NEW.updated_at ELSE clock_timestamp() END
       WHERE payment_id = NEW.id AND ended_at IS NULL;
    ELSE
      INSERT INTO manual_review_periods (payment_id, company_id, started_at) VALUES (NEW.id, NEW.company_id, NEW.stuck_at)
      ON CONFLICT (payment_id) WHERE ended_at IS NULL DO NOTHING;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER payments_manual_review AFTER UPDATE OF stuck_at ON payments
    FOR EACH ROW WHEN (OLD.stuck_at IS DISTINCT FROM NEW.stuck_at) EXECUTE FUNCTION record_manual_review_period();
`;
