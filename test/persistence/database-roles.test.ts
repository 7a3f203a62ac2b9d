import { randomUUID } from 'node:crypto';
import { requireMigratedMode } from '../../src/composition/require-migrated-mode';
import type { Mode } from '../../src/domain/shared/mode';
import { connectDatabase } from '../../src/persistence/sql/database';
import { mayChangeSchema } from '../../src/persistence/sql/database-role';
import { RestoreRepository } from '../../src/persistence/restore/restore-repository';
import { migrate } from '../../src/persistence/sql/migrator';
import { Database } from '../../src/persistence/sql/transaction';
import { startEngine, type Engine } from '../support/stack/engine';
import { pay, uniqueAmount } from '../support/scenarios/pay';
import { newCompany } from '../support/fixtures/payments';
import { adminOf } from '../support/fixtures/admin';
import { readStack } from '../support/stack/stack';
import { readProjectFile } from '../unit/project/project-files';

const PASSWORD = 'password-of-a-test';
/** Roles belong to the whole server, which other test files use too. */
const SUFFIX = `_${randomUUID().slice(0, 8)}`;
const DATABASE = `payments${SUFFIX}`;

let engine: Engine;
beforeAll(async () => {
  await setUpRoles();
  await migrate(urlOf('payments_owner'), 'test');
  engine = await startEngine({ DATABASE_URL: urlOf('payments_app') }, { workers: 'payments' });
});
afterAll(() => engine.stop());

function urlOf(role: string): string {
  const url = new URL(readStack().databaseUrl);
  [url.username, url.password, url.pathname] = [role + SUFFIX, PASSWORD, `/${DATABASE}`];
  return url.href;
}

/** Runs the script of the production setup, whose lines with a backslash are psql's own. */
async function setUpRoles(): Promise<void> {
  const script = readProjectFile('deploy/postgres-roles.sql')
    .replace(/^\\getenv.*$|^--.*$/gm, '')
    .replace(/:'\w+'/g, `'${PASSWORD}'`)
    .replace(/\b(payments_owner|payments_app)\b/g, `$1${SUFFIX}`)
    .replace(/\bROLE temporal\b/g, `ROLE temporal${SUFFIX}`)
    .replace(/\bDATABASE payments\b/g, `DATABASE ${DATABASE}`);
  const [onServer = '', inDatabase = ''] = script.split(/^\\connect.*$/m);
  const server = new URL(readStack().databaseUrl);
  await runAll(server.href, onServer);
  server.pathname = `/${DATABASE}`;
  await runAll(server.href, inDatabase);
}

/** One by one, because a database is not created inside a transaction. */
async function runAll(url: string, script: string): Promise<void> {
  const sequelize = connectDatabase(url, 1);
  try {
    for (const statement of script.split(';').map((text) => text.trim())) {
      if (statement !== '') await sequelize.query(statement);
    }
  } finally {
    await sequelize.close();
  }
}

describe('the database role of the API and the workers', () => {
  it('takes payments without owning a table or being a superuser', async () => {
    const company = await newCompany(engine);
    const { body } = await pay(engine, company, { amount: uniqueAmount() });
    expect(body.status).toBe('approved');
    await engine.sweeper.sweepOnce();
    expect(await mayChangeSchema(engine.context.db)).toBe(false);
  });

  it.each([
    'ALTER TABLE audit_log DISABLE TRIGGER ALL',
    'DROP INDEX gateway_attempts_one_charge',
    'TRUNCATE payments CASCADE',
    'CREATE TABLE mine (id integer)',
    'CREATE ROLE mine SUPERUSER',
    `ALTER TABLE payments ADD COLUMN mine integer`,
  ])('is refused: %s', async (statement) => {
    await expect(engine.context.db.queryComposed(statement, [])).rejects.toThrow(
      /permission denied|must be owner/,
    );
  });

  it('can add to the audit log and change nothing in it', async () => {
    const { context } = engine;
    const company = await newCompany(engine);
    const actor = await adminOf(context, company.id);
    const entry = {
      ...actor,
      action: 'config.update',
      subjectType: 'config',
      subjectId: '1',
      changes: {},
    } as const;
    expect(await context.db.inTransaction((tx) => context.audit.insert(tx, entry))).toBe(true);
    for (const change of ["UPDATE audit_log SET action = 'none'", 'DELETE FROM audit_log']) {
      await expect(context.db.queryComposed(change, [])).rejects.toThrow(/append-only/);
    }
  });

  it('skips the numbers that a restore has lost', async () => {
    const { db } = engine.context;
    const next = () =>
      db.queryOne<{ number: number }>(
        "SELECT nextval(pg_get_serial_sequence('events', 'id'))::float8 AS number",
        [],
      );
    const before = await next();
    await new RestoreRepository(db).skipNumbers();
    const after = await next();
    expect((after?.number ?? 0) - (before?.number ?? 0)).toBeGreaterThan(1_000_000);
  }, 120_000);

  it('is told apart from the owner of the tables, of whom production warns', async () => {
    const owner = new Database(connectDatabase(urlOf('payments_owner'), 1));
    expect(await mayChangeSchema(owner)).toBe(true);
    await owner.close();
  });

  it('finds out for which mode the database was migrated, and a process of the other mode does not start', async () => {
    const warn = jest.fn();
    const start = async (mode: Mode): Promise<void> => {
      const db = new Database(connectDatabase(urlOf('payments_app'), 1));
      await requireMigratedMode({ mode }, { db }, { warn }).finally(() => db.close());
    };
    await start('test');
    await expect(start('live')).rejects.toThrow('the database was migrated for test mode');
    expect(warn).not.toHaveBeenCalled();
  });
});
