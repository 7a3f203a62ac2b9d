/** Changes made by users, and to credentials by programs: who, when and what. The table is append-only. */
export const auditLog = `
  CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id bigint NOT NULL REFERENCES companies,
    -- Null if the change was made with the company's API key.
    user_id bigint REFERENCES users,
    -- The user's email at the time of the change.
    user_email text,
    action text NOT NULL,
    subject_type text NOT NULL,
    subject_id text NOT NULL,
    -- Old and new values by their API names. For a secret only the fact that it changed.
    changes jsonb NOT NULL,
    -- Null if the change was not made by a request.
    request_id text,
    -- The attempt's id of a capture, cancel or refund, or the id of a manual resolution. Unique, so that a retried
    -- operation is recorded once.
    operation_id uuid UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((user_id IS NULL) = (user_email IS NULL))
  );
  CREATE INDEX audit_log_company ON audit_log (company_id, created_at DESC, id DESC);
  CREATE INDEX audit_log_action ON audit_log (company_id, action, created_at DESC, id DESC);
  CREATE INDEX audit_log_subject ON audit_log (company_id, subject_type, subject_id, created_at DESC, id DESC);

  CREATE FUNCTION reject_audit_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'audit_log is append-only'; END $$;
  CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_log_change();
`;
