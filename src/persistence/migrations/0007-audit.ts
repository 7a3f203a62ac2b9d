import type { Migration } from './migration';

/** What people changed: who, when and what. Rows are only ever added. */
export const migration: Migration = {
  name: '0007-audit',
  up: `
    CREATE TABLE audit_log (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      company_id bigint NOT NULL REFERENCES companies,
      user_id bigint NOT NULL REFERENCES users,
      -- As it was then.
      user_email text NOT NULL,
      action text NOT NULL,
      subject_type text NOT NULL,
      subject_id text NOT NULL,
      -- By the API's names. Of a secret only that it changed.
      changes jsonb NOT NULL,
      request_id text,
      -- The capture, cancel or refund that was asked for (its attempt's id), or the word that was given on an operation:
      -- however often it is tried to carry that out, it is one change.
      operation_id uuid UNIQUE,
      created_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX audit_log_company ON audit_log (company_id, created_at DESC, id DESC);
    CREATE INDEX audit_log_action ON audit_log (company_id, action, created_at DESC, id DESC);
    CREATE INDEX audit_log_subject ON audit_log (company_id, subject_type, subject_id, created_at DESC, id DESC);

    CREATE FUNCTION refuse_to_rewrite_history() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'the audit log is only ever added to'; END $$;
    CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite_history();
  `,
};
