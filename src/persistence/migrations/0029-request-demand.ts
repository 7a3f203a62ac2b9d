import type { Migration } from './migration';

export const migration: Migration = {
  name: '0029-request-demand',
  up: `
  -- How many requests of a company an API process got in a second, if they were many: by it, all processes together keep the
  -- company's rate limit. Unlogged, because a second later it says nothing.
  CREATE UNLOGGED TABLE request_demand (
    company_id bigint NOT NULL,
    process_id uuid NOT NULL,
    requests integer NOT NULL,
    reported_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, process_id)
  ) WITH (fillfactor = 50);
  `,
};
