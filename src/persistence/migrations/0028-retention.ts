import type { Migration } from './migration';

export const migration: Migration = {
  name: '0028-retention',
  up: `
  -- How far the sweepers are in deleting what is older than its retention (docs/operations/retention.md). A pass goes through a
  -- table by id, from the oldest row to the first that is young enough.
  CREATE TABLE retention_passes (
    kind text PRIMARY KEY CHECK (kind IN ('event', 'callback_body')),
    -- The last id that the present pass has looked at.
    position bigint NOT NULL DEFAULT 0,
    -- When the next batch is due. A worker that takes a batch postpones it, so that no other worker takes the same one.
    due_at timestamptz NOT NULL DEFAULT now()
  );
  INSERT INTO retention_passes (kind) VALUES ('event'), ('callback_body');

  -- The newest deleted event of a company and type, in the order of GET /events. A cursor before it has missed an event.
  CREATE TABLE deleted_events (
    company_id bigint NOT NULL REFERENCES companies,
    type text NOT NULL,
    tx_id xid8 NOT NULL,
    id bigint NOT NULL,
    PRIMARY KEY (company_id, type)
  );
  `,
};
