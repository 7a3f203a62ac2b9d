import { otherMode } from '../../domain/shared/mode';
import type { Migration } from './migration';

export const migration: Migration = {
  name: '0014-modes',
  up: (mode) => `
  -- A company has a row for each mode that it uses: its own one in the deployment's mode, and one with minus its id for the other
  -- mode. Every table references the row that its data belongs to, so company_id tells the mode of any row.
  ALTER TABLE companies
    ADD COLUMN mode text NOT NULL DEFAULT '${mode}',
    ALTER COLUMN client_id DROP NOT NULL,
    ADD CONSTRAINT companies_mode_check
      CHECK (mode = CASE WHEN id > 0 THEN '${mode}' ELSE '${otherMode(mode)}' END),
    -- Both rows are found by the client id of the company's own one.
    ADD CONSTRAINT companies_client_id_check CHECK ((client_id IS NULL) = (id < 0));

  -- Users, invitations and the audit log belong to the company in both modes.
  ALTER TABLE users ADD CONSTRAINT users_own_company CHECK (company_id > 0) NOT VALID;
  ALTER TABLE user_invitations ADD CONSTRAINT user_invitations_own_company CHECK (company_id > 0);
  ALTER TABLE audit_log
    -- Of the data that was changed.
    ADD COLUMN mode text NOT NULL DEFAULT '${mode}' CHECK (mode IN ('test', 'live')),
    ADD CONSTRAINT audit_log_own_company CHECK (company_id > 0) NOT VALID;
  `,
};
