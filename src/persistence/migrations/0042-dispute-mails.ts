import type { Migration } from './migration';

export const migration: Migration = {
  name: '0042-dispute-mails',
  up: `
  ALTER TABLE disputes
    -- The mail to the company's owners and admins that is not sent yet; set with the event that it is about.
    ADD COLUMN mail_due text CHECK (mail_due IN ('opened', 'evidence_due')),
    -- Until then the worker that claimed the mail sends it. Null before the first try.
    ADD COLUMN mail_claimed_until timestamptz;
  CREATE INDEX disputes_mail_due ON disputes (id) WHERE mail_due IS NOT NULL;
  `,
};
