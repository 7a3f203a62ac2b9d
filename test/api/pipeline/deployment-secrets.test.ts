import { randomUUID } from 'node:crypto';
import { newCompany } from '../../support/fixtures/payments';
import { ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { underLoad } from '../../support/scenarios/under-load';
import { startEngine, type Engine } from '../../support/stack/engine';
import { createTestDatabase } from '../../support/stack/test-config';

/* Secrets of which a process knows one at a time: the next processes have another one, and both work until the old one is revoked. */

const ends: Array<() => Promise<unknown>> = [];
afterAll(async () => {
  for (const end of ends) await end();
});

/** The API and the worker of one deploy; all deploys share a database. */
async function deploy(databaseUrl: string, settings: Record<string, string>): Promise<Engine> {
  const engine = await startEngine({ DATABASE_URL: databaseUrl, DATABASE_POOL: '4', ...settings });
  ends.push(() => engine.stop());
  return engine;
}

/** Pays at the deploys that run, in turn. */
function payments(company: Awaited<ReturnType<typeof newCompany>>, running: () => readonly Engine[]) {
  let turn = 0;
  return async () => {
    const engines = running();
    const engine = engines[turn++ % engines.length];
    if (engine === undefined) throw new Error('no deploy runs');
    const { body } = await pay(engine, company, { amount: uniqueAmount() });
    expect(body.status).toBe('approved');
    return { engine, body };
  };
}

it('the password of the database is replaced under load by a second role, and the first one is then disabled', async () => {
  const databaseUrl = await createTestDatabase();
  const owner = await startEngine({ DATABASE_URL: databaseUrl }, { workers: 'none' });
  ends.push(() => owner.stop());
  const { db } = owner.context;
  const urlOf = async (role: string): Promise<string> => {
    const url = new URL(databaseUrl);
    await db.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}' IN ROLE ${url.username}`);
    [url.username, url.password] = [role, role];
    return url.href;
  };
  const [first, second] = ['a', 'b'].map((name) => `${name}_${randomUUID().replaceAll('-', '')}`);
  if (!first || !second) throw new Error('a name is missing');
  const before = await deploy(await urlOf(first), {});
  const after = await deploy(await urlOf(second), {});
  const company = await newCompany(owner);
  let running = [before];
  const made = await underLoad(
    payments(company, () => running),
    async (nextRound) => {
      await nextRound();
      running = [before, after];
      await nextRound();
      running = [after];
      await nextRound();
      await db.query(`ALTER ROLE ${first} NOLOGIN`);
      await db.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [first]);
      await nextRound();
    },
  );
  expect(new Set(made.map(({ engine }) => engine))).toEqual(new Set([before, after]));
  for (const { body } of made) expect((await ledgerOf(after, body)).captured).toBe(body.amount);
  await expect(before.context.db.query('SELECT 1')).rejects.toThrow();
});

it('the secret of the platform’s own account is replaced under load, and the gateway then revokes the first one', async () => {
  const databaseUrl = await createTestDatabase();
  const clientId = `client_${randomUUID().replaceAll('-', '')}`;
  const [account, oldSecret, newSecret] = ['account', 'sk_old', 'sk_new'].map(
    (name) => `${name}_${randomUUID()}`,
  );
  if (!account || !oldSecret || !newSecret) throw new Error('a name is missing');
  const settings = (secret: string) => ({
    PLATFORM_GATEWAY_SECRET: secret,
    PLATFORM_GATEWAY_COMPANIES: clientId,
  });
  const before = await deploy(databaseUrl, settings(oldSecret));
  const after = await deploy(databaseUrl, settings(newSecret));
  const { simulator } = after;
  for (const secret of [oldSecret, newSecret]) await simulator.setUpAccount(secret, { account });
  const company = await newCompany(after, [], clientId);
  let running = [before];
  const made = await underLoad(
    payments(company, () => running),
    async (nextRound) => {
      await nextRound();
      running = [before, after];
      await nextRound();
      running = [after];
      // Charges that began with the old secret end with it.
      await nextRound();
      await simulator.setUpAccount(oldSecret, { account, revoked: true });
      await nextRound();
    },
  );
  expect(new Set(made.map(({ engine }) => engine))).toEqual(new Set([before, after]));
  for (const { body } of made) {
    expect(body.transactions[0]?.gateway).toMatch(/^gateway_[67]$/);
    expect((await ledgerOf(after, body)).captured).toBe(body.amount);
  }
});
