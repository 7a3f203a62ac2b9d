import type { Migration } from './migration';

export const migration: Migration = {
  name: '0032-user-language',
  up: `
  -- Of the mails to the user.
  ALTER TABLE users ADD COLUMN language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'pt'));
  `,
};
