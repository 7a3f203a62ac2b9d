import type { Migration } from './migration';

export const migration: Migration = {
  name: '0004-hold-detail',
  up: `
  -- What keeps each gateway of the company from being asked, if hold_reason is not_attempted.
  ALTER TABLE billing_cycles ADD COLUMN hold_detail text;
  `,
};
