import type { Migration } from './migration';

export const migration: Migration = {
  name: '0012-user-roles',
  // A user that the previous release inserts is the first one of a company, so the default is owner. The others that exist keep
  // all that they can do today as admins.
  up: `
  ALTER TABLE users ADD COLUMN role text NOT NULL DEFAULT 'owner'
    CHECK (role IN ('owner', 'admin', 'support', 'analyst', 'read_only'));
  UPDATE users SET role = 'admin'
   WHERE id NOT IN (SELECT min(id) FROM users GROUP BY company_id);

  -- More scopes; an added constraint refuses none of the rows that the replaced one allowed.
  ALTER TABLE api_keys DROP CONSTRAINT api_keys_scopes_check;
  ALTER TABLE api_keys ADD CONSTRAINT api_keys_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@
    '{read,write,payments:write,subscriptions:write,catalog:write,customers:write,gateways:write}');
  `,
};
