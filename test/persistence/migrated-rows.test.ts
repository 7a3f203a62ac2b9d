import pg from 'pg';
import type { Mode } from '../../src/domain/shared/mode';
import { migrations } from '../../src/persistence/migrations';
import { migrate } from '../../src/persistence/sql/migrator';
import { createEmptyDatabase } from '../support/stack/test-config';

const clients: pg.Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.end())));

/** A database that has only the migrations before `name`, and the way to the newest ones. */
async function before(name: string, mode: Mode = 'test') {
  const url = await createEmptyDatabase();
  const earlier = migrations.slice(
    0,
    migrations.findIndex((migration) => migration.name === name),
  );
  expect((await migrate(url, mode, earlier)).length).toBeGreaterThan(0);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  const rows = async (sql: string): Promise<unknown[]> => (await client.query<object>(sql)).rows;
  return { rows, migrateAll: () => migrate(url, mode) };
}

const COMPANIES = `INSERT INTO companies (client_id, name, slug) VALUES
  ('first', 'First', 'first'), ('second', 'Second', 'second'), ('without', 'Without users', 'without')`;
/** The users of two companies alternate, so that a role by position in the whole table would be wrong. */
const USERS = `INSERT INTO users (company_id, name, email, password_hash)
  SELECT c.id, u.name, u.name || '@example.com', 'none'
    FROM (VALUES (1, 'ana', 'first'), (2, 'bia', 'second'), (3, 'caio', 'first'), (4, 'davi', 'second'), (5, 'eva', 'first'))
           AS u (position, name, company)
    JOIN companies c ON c.client_id = u.company ORDER BY u.position`;

describe('users of a release without roles', () => {
  it('keep what they could do: the first one of each company becomes its owner, the others admins', async () => {
    const { rows, migrateAll } = await before('0012-user-roles');
    await rows(COMPANIES);
    await rows(USERS);
    expect(await migrateAll()).toContain('0012-user-roles');
    expect(await rows('SELECT name, role FROM users ORDER BY id')).toEqual([
      { name: 'ana', role: 'owner' },
      { name: 'bia', role: 'owner' },
      { name: 'caio', role: 'admin' },
      { name: 'davi', role: 'admin' },
      { name: 'eva', role: 'admin' },
    ]);
  });

  it('that it inserts while it still serves are owners, because it only registers the first user of a company', async () => {
    const { rows, migrateAll } = await before('0012-user-roles');
    await rows(COMPANIES);
    await migrateAll();
    await rows(`INSERT INTO users (company_id, name, email, password_hash)
      SELECT id, 'new', 'new@example.com', 'none' FROM companies WHERE client_id = 'without'`);
    expect(await rows('SELECT role FROM users')).toEqual([{ role: 'owner' }]);
  });

  it('have neither a second factor nor a removal, and their API keys keep their scopes', async () => {
    const { rows, migrateAll } = await before('0012-user-roles');
    await rows(COMPANIES);
    await rows(USERS);
    await rows(`INSERT INTO api_keys (company_id, name, key_hash, scopes)
      SELECT id, 'key', 'hash', '{read,write}' FROM companies WHERE client_id = 'first'`);
    await migrateAll();
    const changed = `SELECT count(*)::int AS count FROM users
      WHERE removed_at IS NOT NULL OR totp_enabled_at IS NOT NULL OR sealed_totp IS NOT NULL`;
    expect(await rows(changed)).toEqual([{ count: 0 }]);
    expect(await rows('SELECT scopes, revoked_at FROM api_keys')).toEqual([
      { scopes: ['read', 'write'], revoked_at: null },
    ]);
    expect(await rows('SELECT DISTINCT require_two_factor AS required FROM companies')).toEqual([
      { required: false },
    ]);
  });
});

it.each<Mode>(['test', 'live'])(
  'companies and audit entries of a release without modes belong to the deployment’s own mode: %s',
  async (mode) => {
    const { rows, migrateAll } = await before('0014-modes', mode);
    await rows(COMPANIES);
    await rows(`INSERT INTO audit_log (company_id, action, subject_type, subject_id, changes)
      SELECT id, 'gateway.update', 'gateway', 'gateway_1', '{}' FROM companies WHERE client_id = 'first'`);
    await migrateAll();
    expect(await rows('SELECT DISTINCT mode FROM companies')).toEqual([{ mode }]);
    expect(await rows('SELECT mode FROM audit_log')).toEqual([{ mode }]);
  },
);
