import type { Migration } from './migration';

/** What a change of plan is worth goes by what the running period was paid for, and whether a coupon had its part in that. */
export const migration: Migration = {
  name: '0013-discounted-periods',
  up: `
    -- Whether the coupon was taken off what the period that runs was paid for.
    ALTER TABLE subscriptions ADD COLUMN period_discounted boolean NOT NULL DEFAULT false;
    UPDATE subscriptions SET period_discounted = true
     WHERE coupon_cycles_used > 0 AND coupon_cycles_used = cycles_paid;
  `,
};
