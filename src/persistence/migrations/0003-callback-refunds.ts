import type { Migration } from './migration';

export const migration: Migration = {
  name: '0003-callback-refunds',
  up: `
  -- Cents of a refund that the callback reports without the state of the whole charge; negative if a refund came back.
  ALTER TABLE gateway_callbacks ADD COLUMN refund_cents bigint;
  `,
};
