import type { Migration } from './migration';

/** What a callback tells, so that one that tells nothing new is told from one that does. */
export const migration: Migration = {
  name: '0009-callback-standing',
  up: `
    -- How it says the charge stands; null where it does not tell all of that.
    ALTER TABLE gateway_callbacks ADD COLUMN standing jsonb;
  `,
};
