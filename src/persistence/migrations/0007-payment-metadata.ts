import type { Migration } from './migration';

export const migration: Migration = {
  name: '0007-payment-metadata',
  up: `
  -- One document per company, so that the index keeps the same key and value of different companies apart.
  CREATE OR REPLACE FUNCTION company_metadata(company_id bigint, metadata jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN jsonb_build_object(company_id::text, metadata);
  `,
  index: {
    name: 'payments_metadata',
    // Without a list of pending entries, which would make one payment in thousands wait until all of them are moved.
    definition: `ON payments USING gin (company_metadata(company_id, metadata) jsonb_path_ops)
      WITH (fastupdate = off) WHERE metadata IS NOT NULL`,
  },
};
