import type { Migration } from './migration';

export const migration: Migration = {
  name: '0016-callback-modes',
  up: `
  -- Of the companies whose data the callback may be about: 1 for their own rows, -1 for those of the other mode, null for all.
  ALTER TABLE parked_callbacks ADD COLUMN company_sign smallint CHECK (company_sign IN (1, -1));
  `,
};
