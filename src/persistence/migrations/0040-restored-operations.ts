import type { Migration } from './migration';

export const migration: Migration = {
  name: '0040-restored-operations',
  up: `
  -- What the gateway reports of the charge. Null in rows of before this column: holds tells.
  ALTER TABLE restored_charges ADD COLUMN status text
    CHECK (status IN ('pending', 'authorized', 'approved', 'refunded', 'canceled', 'declined'));
  -- The captures, cancels and refunds of it that the gateway carried out for requests of ours: [{reference, operation, amountCents}].
  -- Null if the report does not tell them.
  ALTER TABLE restored_charges ADD COLUMN operations jsonb;
  CREATE INDEX restored_charges_accepted ON restored_charges (request_part)
    WHERE state IN ('waiting', 'settled') AND (holds = 'money' OR status IN ('refunded', 'canceled'));
  CREATE INDEX restored_charges_payment ON restored_charges (request_part);

  -- Moves every sequence on, so that no number of the time that a restore has lost is given again: receivers know an event by its
  -- number, and a company's is hashed into the ids of its payments at the gateways. As the owner: the role of the processes may not.
  CREATE FUNCTION skip_lost_numbers() RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT setval(s.oid, COALESCE(pg_sequence_last_value(s.oid), 0) + 1000000)
      FROM pg_class s WHERE s.relkind = 'S' AND s.relnamespace = 'public'::regnamespace
  $$;
  `,
};
