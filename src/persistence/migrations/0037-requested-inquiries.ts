import type { Migration } from './migration';

export const migration: Migration = {
  name: '0037-requested-inquiries',
  up: `
  ALTER TABLE payments
    -- When a user asked last to have the gateway asked, and what the answer changed. Null answer: not answered yet.
    ADD COLUMN inquiry_requested_at timestamptz,
    ADD COLUMN inquiry_answered_at timestamptz,
    ADD COLUMN inquiry_outcome text;
  ALTER TABLE payments
    ADD CONSTRAINT payments_inquiry_check CHECK (
      (inquiry_outcome IS NULL OR inquiry_outcome IN ('changed', 'unchanged', 'not_found', 'no_answer'))
      AND (inquiry_answered_at IS NULL) = (inquiry_outcome IS NULL)
      AND (inquiry_answered_at IS NULL OR inquiry_requested_at IS NOT NULL)) NOT VALID;
  `,
};
