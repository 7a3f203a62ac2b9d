import type { Migration } from './migration';

/** When payments waited for a person: `payments.stuck_at` only tells of now. */
export const migration: Migration = {
  name: '0008-desk',
  up: `
    CREATE TABLE manual_review_periods (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      payment_id bigint NOT NULL REFERENCES payments,
      company_id bigint NOT NULL REFERENCES companies,
      started_at timestamptz NOT NULL,
      ended_at timestamptz
    );
    CREATE INDEX desk_visits_payment ON manual_review_periods (payment_id, id);
    CREATE UNIQUE INDEX desk_visits_open ON manual_review_periods (payment_id) WHERE ended_at IS NULL;

    -- Whatever brings a payment to the desk, or takes it away, is noted with it.
    CREATE FUNCTION note_desk_visit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.stuck_at IS NULL THEN
        -- What moved the payment tells when; one that only left the desk has no instant of its own.
        UPDATE manual_review_periods
           SET ended_at = CASE WHEN NEW.updated_at <> OLD.updated_at THEN NEW.updated_at ELSE clock_timestamp() END
         WHERE payment_id = NEW.id AND ended_at IS NULL;
      ELSE
        INSERT INTO manual_review_periods (payment_id, company_id, started_at) VALUES (NEW.id, NEW.company_id, NEW.stuck_at)
        ON CONFLICT (payment_id) WHERE ended_at IS NULL DO NOTHING;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER payments_desk AFTER UPDATE OF stuck_at ON payments
      FOR EACH ROW WHEN (OLD.stuck_at IS DISTINCT FROM NEW.stuck_at) EXECUTE FUNCTION note_desk_visit();

    CREATE INDEX payments_stuck ON payments (company_id, created_at DESC, id DESC) WHERE stuck_at IS NOT NULL;
  `,
};
