import type { Migration } from './migration';

export const migration: Migration = {
  name: '0049-revenue-and-rule-charges',
  up: `
  -- Recurring revenue (src/domain/subscriptions/recurring-revenue.ts). Transitions of subscriptions write it.
  ALTER TABLE subscriptions
    -- What the subscription pays in a month; 0 unless it is active.
    ADD COLUMN monthly_revenue_cents bigint NOT NULL DEFAULT 0,
    -- Whether monthly_revenue_cents was ever above 0.
    ADD COLUMN had_revenue boolean NOT NULL DEFAULT false;
  UPDATE subscriptions s SET
      had_revenue = true,
      monthly_revenue_cents = CASE WHEN s.status = 'active' AND priced.cents >= 100
        THEN round(priced.cents::numeric * f.times / (84 * s.plan_interval_count)) ELSE 0 END
    FROM (VALUES ('daily', 2555), ('weekly', 365), ('monthly', 84), ('yearly', 7)) AS f (interval, times),
      (SELECT s2.id, s2.plan_amount_cents - CASE
          WHEN c.id IS NULL OR s2.coupon_cycles_used >= c.max_cycles THEN 0
          WHEN c.discount_type = 'percentage' THEN round(s2.plan_amount_cents * c.discount_value / 100.0)
          ELSE least(c.discount_value, s2.plan_amount_cents) END AS cents
        FROM subscriptions s2 LEFT JOIN coupons c ON c.id = s2.coupon_id
        WHERE s2.status IN ('active', 'past_due', 'paused') AND s2.cycles_paid > 0) AS priced
    WHERE priced.id = s.id AND f.interval = s.plan_interval;

  -- Changes of subscriptions.monthly_revenue_cents. Never changed.
  CREATE TABLE revenue_movements (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    subscription_id bigint NOT NULL REFERENCES subscriptions,
    -- Wall clock.
    moved_at timestamptz NOT NULL,
    kind text NOT NULL CHECK (kind IN ('new', 'expansion', 'contraction', 'churned', 'reactivated')),
    currency text NOT NULL,
    amount_cents bigint NOT NULL,
    CHECK (CASE WHEN kind IN ('contraction', 'churned') THEN amount_cents < 0 ELSE amount_cents > 0 END)
  );
  CREATE INDEX revenue_movements_company ON revenue_movements (company_id, moved_at)
    INCLUDE (kind, currency, amount_cents);
  -- Since when there are movements: earlier changes of recurring revenue are not known.
  CREATE TABLE revenue_recording (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    since timestamptz NOT NULL DEFAULT now()
  );
  INSERT INTO revenue_recording DEFAULT VALUES;

  -- The rule that matched when routing chose the gateway, by its name; null if none did, and for older attempts.
  ALTER TABLE gateway_attempts ADD COLUMN routing_rule text;

  -- Charges by routing rule, counted like those by gateway (initial/counters.ts).
  CREATE TABLE rule_counter_deltas (
    company_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    rule text NOT NULL,
    status text NOT NULL,
    charges bigint NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
  CREATE INDEX rule_counter_deltas_company ON rule_counter_deltas (company_id);

  CREATE TABLE rule_counters (
    company_id bigint NOT NULL,
    grain text NOT NULL CHECK (grain IN ('hour', 'day', 'month')),
    -- Start of the hour, day or month.
    bucket_start timestamptz NOT NULL,
    rule text NOT NULL,
    status text NOT NULL,
    charges bigint NOT NULL,
    PRIMARY KEY (company_id, grain, bucket_start, rule, status)
  ) WITH (fillfactor = 80);

  CREATE FUNCTION count_rule_charge() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND OLD.routing_rule IS NOT NULL AND OLD.status NOT IN ('requested', 'sent') THEN
      INSERT INTO rule_counter_deltas VALUES (OLD.company_id, OLD.created_at, OLD.routing_rule, OLD.status, -1);
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.routing_rule IS NOT NULL AND NEW.status NOT IN ('requested', 'sent') THEN
      INSERT INTO rule_counter_deltas VALUES (NEW.company_id, NEW.created_at, NEW.routing_rule, NEW.status, 1);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER gateway_attempts_count_rule_insert AFTER INSERT ON gateway_attempts
    FOR EACH ROW WHEN (NEW.routing_rule IS NOT NULL AND NEW.operation IN ('authorize', 'charge') AND NEW.status NOT IN ('requested', 'sent'))
    EXECUTE FUNCTION count_rule_charge();
  CREATE TRIGGER gateway_attempts_count_rule_delete AFTER DELETE ON gateway_attempts
    FOR EACH ROW WHEN (OLD.routing_rule IS NOT NULL AND OLD.operation IN ('authorize', 'charge') AND OLD.status NOT IN ('requested', 'sent'))
    EXECUTE FUNCTION count_rule_charge();
  CREATE TRIGGER gateway_attempts_count_rule_update AFTER UPDATE ON gateway_attempts
    FOR EACH ROW WHEN ((OLD.routing_rule IS NOT NULL OR NEW.routing_rule IS NOT NULL) AND NEW.operation IN ('authorize', 'charge') AND
      (OLD.status, OLD.routing_rule, OLD.created_at, OLD.company_id) IS DISTINCT FROM
      (NEW.status, NEW.routing_rule, NEW.created_at, NEW.company_id))
    EXECUTE FUNCTION count_rule_charge();
  `,
};
