import type { Migration } from './migration';

/** Recurring money: plans, coupons, subscriptions, their cycles, what is asked of them, and the payments made for them. */
export const migration: Migration = {
  name: '0010-subscriptions',
  up: `
    CREATE TABLE plans (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE,
      company_id bigint NOT NULL REFERENCES companies,
      name text NOT NULL,
      description text,
      amount_cents bigint NOT NULL CHECK (amount_cents >= 100),
      currency text NOT NULL,
      interval text NOT NULL CHECK (interval IN ('daily', 'weekly', 'monthly', 'yearly')),
      interval_count integer NOT NULL CHECK (interval_count >= 1),
      trial_period_days integer NOT NULL CHECK (trial_period_days >= 0),
      billing_day integer CHECK (billing_day BETWEEN 1 AND 31),
      min_card_months integer NOT NULL CHECK (min_card_months >= 0),
      is_active boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX plans_company ON plans (company_id, created_at DESC, id DESC);

    CREATE TABLE coupons (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE,
      company_id bigint NOT NULL REFERENCES companies,
      code text NOT NULL,
      name text NOT NULL,
      description text,
      discount_type text NOT NULL CHECK (discount_type IN ('percentage', 'fixed')),
      -- Percent, or cents.
      discount_value bigint NOT NULL CHECK (discount_value >= 1),
      max_redemptions integer CHECK (max_redemptions >= 1),
      redemptions_count integer NOT NULL DEFAULT 0 CHECK (redemptions_count >= 0),
      max_cycles integer CHECK (max_cycles >= 1),
      -- Days in the company's zone, both inclusive.
      valid_from date NOT NULL,
      valid_until date CHECK (valid_until > valid_from),
      is_active boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      UNIQUE (company_id, code),
      CHECK (discount_type = 'fixed' OR discount_value <= 100)
    );
    CREATE INDEX coupons_company ON coupons (company_id, created_at DESC, id DESC);

    CREATE TABLE subscriptions (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE,
      company_id bigint NOT NULL REFERENCES companies,
      customer_id bigint NOT NULL REFERENCES customers,
      plan_id bigint NOT NULL REFERENCES plans,
      status text NOT NULL CHECK (status IN ('pending', 'trialing', 'active', 'past_due', 'paused', 'canceled')),
      card jsonb NOT NULL,
      card_fingerprint text NOT NULL,
      -- No foreign key: a number that nobody needs any more is erased.
      vault_card_id uuid NOT NULL,
      billing_address jsonb,
      gateway_first_try text,
      metadata jsonb,
      -- When its periods begin and end; instants of all columns from here on are in its own time.
      timezone text NOT NULL,
      starts_at timestamptz NOT NULL,
      interval text NOT NULL,
      interval_count integer NOT NULL,
      schedule_billing_day integer,
      -- The day it was asked to be charged on.
      billing_day integer,
      period_number integer NOT NULL,
      period_start timestamptz,
      period_end timestamptz,
      -- Charged for the period that runs.
      paid_cents bigint NOT NULL,
      trial_days integer NOT NULL,
      trial_start timestamptz,
      trial_end timestamptz,
      coupon_id bigint REFERENCES coupons,
      coupon_cycles_used integer NOT NULL DEFAULT 0,
      coupon_returned_at timestamptz,
      cycles_opened integer NOT NULL,
      cycles_paid integer NOT NULL,
      -- A charge that has no certain result yet.
      open_charge text CHECK (open_charge IN ('cycle', 'plan_change')),
      -- A change of plan that waits for the period's end.
      new_plan_id bigint REFERENCES plans,
      plan_change_type text CHECK (plan_change_type IN ('upgrade', 'downgrade')),
      cancel_at_period_end boolean NOT NULL,
      paused_at timestamptz,
      paused_until timestamptz,
      past_due_since timestamptz,
      canceled_at timestamptz,
      cancel_reason text CHECK (cancel_reason IN ('requested', 'period_end', 'payment_failed', 'past_due')),
      trial_ending_notified boolean NOT NULL,
      card_expiring_notified boolean NOT NULL,
      last_transition_at timestamptz NOT NULL,
      -- When something happens to it by itself; null when nothing does.
      due_at timestamptz,
      -- Whether its card was charged with success, and the scheme's id of the first such charge.
      card_charged boolean NOT NULL DEFAULT false,
      network_transaction_id text,
      -- The sandbox's clock of this subscription: how far it is ahead, where it stands, where it is to go.
      clock_offset_ms bigint NOT NULL DEFAULT 0,
      clock_now timestamptz,
      clock_target timestamptz,
      event_sequence integer NOT NULL DEFAULT 0,
      idempotency_key text,
      -- When a sweeper wakes the workflow, should it not have given a sign of life by then; real time.
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
    -- Whose numbers the vault keeps.
    CREATE INDEX subscriptions_vault_card ON subscriptions (vault_card_id) WHERE status <> 'canceled';

    CREATE TABLE billing_cycles (
      id uuid PRIMARY KEY,
      subscription_id bigint NOT NULL REFERENCES subscriptions,
      company_id bigint NOT NULL REFERENCES companies,
      number integer NOT NULL,
      status text NOT NULL CHECK (status IN ('open', 'paid', 'failed', 'waived')),
      amount_cents bigint NOT NULL,
      discount_cents bigint NOT NULL,
      charge_cents bigint NOT NULL,
      period_start timestamptz NOT NULL,
      period_end timestamptz NOT NULL,
      due_at timestamptz NOT NULL,
      paid_at timestamptz,
      first_failed_at timestamptz,
      retry_count integer NOT NULL,
      next_retry_at timestamptz,
      irreversible boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      UNIQUE (subscription_id, number),
      CHECK ((status IN ('paid', 'waived')) = (paid_at IS NOT NULL))
    );
    CREATE UNIQUE INDEX billing_cycles_one_open ON billing_cycles (subscription_id) WHERE status = 'open';

    -- Changes of plan that are paid for before they are made.
    CREATE TABLE plan_changes (
      id uuid PRIMARY KEY,
      subscription_id bigint NOT NULL REFERENCES subscriptions,
      company_id bigint NOT NULL REFERENCES companies,
      new_plan_id bigint NOT NULL REFERENCES plans,
      change_type text NOT NULL CHECK (change_type IN ('upgrade', 'downgrade')),
      charge_cents bigint NOT NULL CHECK (charge_cents >= 100),
      status text NOT NULL CHECK (status IN ('open', 'paid', 'refused')),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE UNIQUE INDEX plan_changes_one_open ON plan_changes (subscription_id) WHERE status = 'open';

    -- What people and their systems ask of a subscription: carried out by its workflow, in this order.
    CREATE TABLE subscription_commands (
      id uuid PRIMARY KEY,
      subscription_id bigint NOT NULL REFERENCES subscriptions,
      company_id bigint NOT NULL REFERENCES companies,
      kind text NOT NULL CHECK (kind IN
        ('pause', 'resume', 'cancel', 'uncancel', 'change_plan', 'change_card', 'retry')),
      details jsonb NOT NULL,
      -- 'taken' has begun a charge and waits for its result.
      status text NOT NULL CHECK (status IN ('requested', 'taken', 'done', 'refused')),
      -- Why it was refused: public text.
      refusal text,
      idempotency_key text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK ((status = 'refused') = (refusal IS NOT NULL))
    );
    CREATE INDEX subscription_commands_open ON subscription_commands (subscription_id, id)
      WHERE status IN ('requested', 'taken');

    ALTER TABLE payments
      ADD COLUMN subscription_id uuid REFERENCES subscriptions (uuid),
      ADD COLUMN billing_cycle_id uuid REFERENCES billing_cycles,
      ADD COLUMN plan_change_id uuid REFERENCES plan_changes,
      -- When it was charged in the subscription's own time, which the networks' caps on refusals are counted in.
      ADD COLUMN billed_at timestamptz,
      -- How often its card's network lets it be tried; null for a payment of its own.
      ADD COLUMN attempts_allowed integer CHECK (attempts_allowed >= 1),
      -- What a charge on a card on file tells the gateway: {"sequence": "first" | "subsequent", "networkTransactionId"}.
      ADD COLUMN recurring jsonb,
      ADD CHECK ((subscription_id IS NOT NULL) = (num_nonnulls(billing_cycle_id, plan_change_id) = 1));
    -- At most one charge of a cycle that may hold the customer's money.
    CREATE UNIQUE INDEX payments_one_per_cycle ON payments (billing_cycle_id)
      WHERE billing_cycle_id IS NOT NULL AND status IN ('processing', 'pending', 'authorized', 'approved', 'refunded');
    CREATE UNIQUE INDEX payments_plan_change ON payments (plan_change_id) WHERE plan_change_id IS NOT NULL;
    CREATE INDEX payments_cycle ON payments (billing_cycle_id, id) WHERE billing_cycle_id IS NOT NULL;
    CREATE INDEX payments_subscription ON payments (subscription_id, id) WHERE subscription_id IS NOT NULL;
    CREATE INDEX payments_card_on_file ON payments (company_id, card_fingerprint, amount_cents, billed_at)
      WHERE subscription_id IS NOT NULL;

    -- Mastercard's Merchant Advice Code, two digits.
    ALTER TABLE gateway_attempts ADD COLUMN advice_code text;

    ALTER TABLE idempotency_keys
      ADD COLUMN subscription_id uuid,
      ADD COLUMN subscription_command_id uuid;

    ALTER TABLE events DROP CONSTRAINT events_resource_type_check;
    ALTER TABLE events ADD CONSTRAINT events_resource_type_check
      CHECK (resource_type IN ('payment', 'subscription', 'test'));
  `,
};
