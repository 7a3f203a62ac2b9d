/** Subscriptions, their billing cycles and commands. */
export const subscriptions = `
  CREATE TABLE subscriptions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE,
    company_id bigint NOT NULL REFERENCES companies,
    customer_id bigint NOT NULL REFERENCES customers,
    plan_id bigint NOT NULL REFERENCES plans,
    -- The price that was agreed. The plan's own may differ: it can change until it has a subscription, and a checkout session
    -- keeps the price that it has shown.
    plan_amount_cents bigint NOT NULL,
    plan_currency text NOT NULL,
    plan_interval text NOT NULL,
    plan_interval_count integer NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'trialing', 'active', 'past_due', 'paused', 'canceled')),
    card jsonb NOT NULL,
    -- Keyed hash of the number. The card networks' limits on declines are counted by it.
    card_fingerprint text NOT NULL,
    -- No foreign key: the number is erased once nothing needs it.
    vault_card_id uuid NOT NULL,
    -- The cardholder's name and the billing address, sealed with the customer's key.
    personal_data text,
    gateway_first_try text,
    metadata jsonb,
    -- The billing schedule. All instants from here to due_at follow the subscription's clock, which a test clock can
    -- advance; they are wall-clock time when clock_offset_ms is 0.
    timezone text NOT NULL,
    starts_at timestamptz NOT NULL,
    interval text NOT NULL,
    interval_count integer NOT NULL,
    -- Day of the month on which the current schedule charges. Null: the day of starts_at.
    schedule_billing_day integer,
    -- Day of the month that the request or the plan asked for.
    billing_day integer,
    -- Index of the current period in the schedule; 0 before the first.
    period_number integer NOT NULL,
    period_start timestamptz,
    period_end timestamptz,
    -- The price of the current period after discount, once its cycle is paid; 0 for a trial. What was waived is not included.
    period_value_cents bigint NOT NULL,
    -- Whether period_value_cents includes the coupon's discount.
    period_discounted boolean NOT NULL DEFAULT false,
    -- Value left over by plan changes, which later cycles use.
    credit_balance_cents bigint NOT NULL DEFAULT 0 CHECK (credit_balance_cents >= 0),
    trial_days integer NOT NULL,
    trial_start timestamptz,
    trial_end timestamptz,
    coupon_id bigint REFERENCES coupons,
    -- Paid cycles that the coupon discounted.
    coupon_cycles_used integer NOT NULL DEFAULT 0,
    cycles_opened integer NOT NULL,
    cycles_paid integer NOT NULL,
    -- A charge without a certain result.
    open_charge text CHECK (open_charge IN ('cycle', 'plan_change')),
    -- A plan change scheduled for the end of the period. A cancellation at that end suspends it.
    new_plan_id bigint REFERENCES plans,
    plan_change_type text CHECK (plan_change_type IN ('upgrade', 'downgrade')),
    cancel_at_period_end boolean NOT NULL,
    paused_at timestamptz,
    paused_until timestamptz,
    past_due_since timestamptz,
    canceled_at timestamptz,
    cancel_reason text CHECK (cancel_reason IN ('requested', 'period_end', 'payment_failed', 'past_due')),
    -- Whether the event was published for the current trial, and for the current card.
    trial_ending_notified boolean NOT NULL,
    card_expiring_notified boolean NOT NULL,
    last_transition_at timestamptz NOT NULL,
    -- The next scheduled event, such as a renewal or the end of a pause. Null if there is none.
    due_at timestamptz,
    -- Whether a charge or a verification of the current card was approved, and the network's ids of the first one.
    card_approved boolean NOT NULL DEFAULT false,
    network_ids jsonb,
    -- The test clock (sandbox): its offset from the wall clock, its time while it advances, and the time it advances to.
    clock_offset_ms bigint NOT NULL DEFAULT 0,
    clock_now timestamptz,
    clock_target timestamptz,
    -- Events published so far. The next one has this number plus one.
    event_sequence integer NOT NULL DEFAULT 0,
    -- Wall clock. When the unpaid cycle on hold was last tried; null unless a charge is on hold. And when the charge was released
    -- for another try before its next probe, because gateways answer again.
    hold_checked_at timestamptz,
    hold_released_at timestamptz,
    idempotency_key text,
    -- The checkout session it was bought in.
    checkout_session_id bigint REFERENCES checkout_sessions,
    -- After this instant (wall clock) the sweeper starts the workflow, a no-op if it runs.
    -- Null if there is nothing left to do.
    recover_after timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK ((period_start IS NULL) = (period_end IS NULL)),
    CHECK ((trial_start IS NULL) = (trial_end IS NULL)),
    CHECK ((new_plan_id IS NULL) = (plan_change_type IS NULL)),
    CHECK ((status = 'canceled') = (canceled_at IS NOT NULL)),
    CHECK (status <> 'canceled' OR open_charge IS NULL)
  );
  CREATE INDEX subscriptions_company ON subscriptions (company_id, created_at DESC, id DESC);
  CREATE INDEX subscriptions_status ON subscriptions (company_id, status, created_at DESC, id DESC);
  CREATE INDEX subscriptions_customer ON subscriptions (customer_id);
  CREATE INDEX subscriptions_plan ON subscriptions (plan_id);
  CREATE INDEX subscriptions_new_plan ON subscriptions (new_plan_id) WHERE new_plan_id IS NOT NULL;
  CREATE INDEX subscriptions_overdue ON subscriptions (recover_after) WHERE recover_after IS NOT NULL;
  -- Finds the charges to release once gateways answer, and counts those on hold and those released in the last minute.
  CREATE INDEX subscriptions_on_hold ON subscriptions (company_id, hold_checked_at) WHERE hold_checked_at IS NOT NULL;
  CREATE INDEX subscriptions_released ON subscriptions (company_id, hold_released_at) WHERE hold_released_at IS NOT NULL;
  -- Finds the vault cards that subscriptions still need.
  CREATE INDEX subscriptions_vault_card ON subscriptions (vault_card_id) WHERE status <> 'canceled';

  CREATE TABLE billing_cycles (
    id uuid PRIMARY KEY,
    subscription_id bigint NOT NULL REFERENCES subscriptions,
    company_id bigint NOT NULL REFERENCES companies,
    -- 'proration' and 'interval_change' are charges of plan changes.
    kind text NOT NULL CHECK (kind IN ('regular', 'proration', 'interval_change')),
    -- Among the regular cycles. The cycle of a plan change has the number of the regular one before it.
    number integer NOT NULL,
    -- 'waived': the amount was too small to charge.
    status text NOT NULL CHECK (status IN ('open', 'paid', 'failed', 'waived')),
    amount_cents bigint NOT NULL,
    discount_cents bigint NOT NULL,
    -- What the credit balance pays.
    credit_cents bigint NOT NULL CHECK (credit_cents >= 0),
    -- What is charged; 0 if waived or paid with credit.
    charge_cents bigint NOT NULL CHECK (charge_cents = 0 OR charge_cents >= 100),
    -- The plan change that it pays for. Null for a regular cycle.
    new_plan_id bigint REFERENCES plans,
    plan_change_type text CHECK (plan_change_type IN ('upgrade', 'downgrade')),
    period_start timestamptz NOT NULL,
    period_end timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    -- When it was paid or waived.
    paid_at timestamptz,
    first_failed_at timestamptz,
    -- Charges after the first.
    retry_count integer NOT NULL,
    next_retry_at timestamptz,
    -- The issuer or network forbids charging the same card again.
    irreversible boolean NOT NULL,
    -- Outage hold: no issuer has answered since this instant. The charge is tried again at next_probe_at.
    hold_since timestamptz,
    hold_reason text CHECK (hold_reason IN ('gateway_unavailable', 'outcome_unknown', 'not_attempted')),
    next_probe_at timestamptz,
    -- Whether subscription.payment.delayed was published for the hold.
    delay_notified boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (num_nonnulls(new_plan_id, plan_change_type) = CASE WHEN kind = 'regular' THEN 0 ELSE 2 END),
    CHECK (amount_cents - discount_cents - credit_cents - charge_cents BETWEEN 0 AND 99),
    CHECK ((status IN ('paid', 'waived')) = (paid_at IS NOT NULL)),
    CHECK ((hold_since IS NULL) = (hold_reason IS NULL)),
    CHECK (hold_since IS NOT NULL OR next_probe_at IS NULL)
  );
  CREATE UNIQUE INDEX billing_cycles_number ON billing_cycles (subscription_id, number) WHERE kind = 'regular';
  CREATE INDEX billing_cycles_list ON billing_cycles (subscription_id, number DESC, created_at DESC, id DESC);
  -- At most one unpaid period, and one plan change whose charge has no certain result.
  CREATE UNIQUE INDEX billing_cycles_one_open ON billing_cycles (subscription_id, (kind = 'regular'))
    WHERE status = 'open';
  CREATE INDEX billing_cycles_new_plan ON billing_cycles (new_plan_id) WHERE status = 'open' AND new_plan_id IS NOT NULL;

  -- Requests to change a subscription. Its workflow executes them in order of position.
  CREATE TABLE subscription_commands (
    id uuid PRIMARY KEY,
    -- Given under the lock of the subscription. Ids are made before it, by clocks of several machines.
    position bigint GENERATED ALWAYS AS IDENTITY,
    subscription_id bigint NOT NULL REFERENCES subscriptions,
    company_id bigint NOT NULL REFERENCES companies,
    kind text NOT NULL CHECK (kind IN
      ('pause', 'resume', 'cancel', 'uncancel', 'change_plan', 'change_card', 'retry')),
    details jsonb NOT NULL,
    -- The same of the new card.
    personal_data text,
    -- 'in_progress': its charge has no certain result yet.
    status text NOT NULL CHECK (status IN ('requested', 'in_progress', 'done', 'refused')),
    -- Why it was refused. Clients see this text.
    refusal text,
    -- 'card': the refusal is about the card that the command gives.
    refusal_subject text NOT NULL DEFAULT 'state' CHECK (refusal_subject IN ('state', 'card')),
    idempotency_key text,
    -- By the subscription's clock.
    requested_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK ((status = 'refused') = (refusal IS NOT NULL))
  );
  CREATE INDEX subscription_commands_open ON subscription_commands (subscription_id, position)
    WHERE status IN ('requested', 'in_progress');
`;
