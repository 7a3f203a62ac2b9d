import { randomBytes, randomUUID } from 'node:crypto';
import { checkKeys, type ConfiguredKeys } from '../../src/application/keys/check-keys';
import { isNeeded, reportKeys } from '../../src/application/keys/key-report';
import { rehash } from '../../src/application/keys/rehash';
import { countByMasterKey, rewrap, sealedColumns } from '../../src/application/keys/rewrap';
import { createPayments } from '../../src/composition/api-payments';
import { createAppContext } from '../../src/composition/app-context';
import { configuredKeys, createKeyReport, requireUsedKeys } from '../../src/composition/secret-keys';
import type { Config } from '../../src/config';
import type { SealedValue } from '../../src/domain/shared/sealed-value';
import { HashRepository } from '../../src/persistence/keys/hash-repository';
import { SEALED_COLUMNS, SealedValueRepository } from '../../src/persistence/keys/sealed-value-repository';
import { SecretKeyRepository } from '../../src/persistence/keys/secret-key-repository';
import { encryptionContext } from '../../src/security/encryption-context';
import { adminOf } from '../support/fixtures/admin';
import { addEndpoint } from '../support/fixtures/webhooks';
import { newCompany } from '../support/fixtures/payments';
import { pay } from '../support/scenarios/pay';
import { startEngine, type Engine } from '../support/stack/engine';
import { testConfig } from '../support/stack/test-config';

const secret = () => randomBytes(32).toString('hex');
const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [
  {
    API_KEY_PEPPER: secret(),
    REQUEST_HASH_KEY: secret(),
    FINGERPRINT_KEY: secret(),
    ENCRYPTION_KEYS: key('old'),
    CODEC_KEYS: key('old'),
  },
  {
    API_KEY_PEPPER: secret(),
    REQUEST_HASH_KEY: secret(),
    FINGERPRINT_KEY: secret(),
    ENCRYPTION_KEYS: key('new'),
    CODEC_KEYS: key('new'),
  },
];
type Keys = typeof OLD;
const lists = (...keys: readonly Keys[]): Record<string, string> =>
  Object.fromEntries(
    Object.keys(OLD).map((name) => [name, keys.map((set) => set[name as keyof Keys]).join()]),
  );

/** An API process with other settings beside the engine, whose worker it shares. */
function anotherApi(settings: Record<string, string>): Pick<Engine, 'config' | 'context' | 'payments'> {
  const { temporal, databaseUrl } = engine.config;
  const config: Config = testConfig({ ...settings, TEMPORAL_TASK_QUEUE: temporal.taskQueue }, databaseUrl);
  const context = createAppContext(config);
  others.push(context);
  return { config, context, payments: createPayments(config, context, () => undefined) };
}

let engine: Engine;
const others: Array<Engine['context']> = [];
beforeAll(async () => {
  // The first step of a rotation: the old keys make new values, the new ones are read.
  engine = await startEngine(lists(OLD, NEW));
});
afterAll(async () => {
  await engine.stop();
  await Promise.all(others.map(({ db, temporal }) => Promise.all([db.close(), temporal.connection.close()])));
});

describe('while keys are rotated', () => {
  it('payments of processes before and after the step go on, repeated requests included, and everything stored is rewrapped', async () => {
    const later = anotherApi(lists(NEW, OLD));
    const company = await newCompany(engine);
    await addEndpoint(engine, company, 'http://127.0.0.1:9/hook');
    const { userId } = await adminOf(engine.context, company.id);
    const totpContext = encryptionContext.totpSecret(company.id, userId);
    const sealedTotp = await engine.context.envelope.seal('JBSWY3DPEHPK3PXP', totpContext);
    const { db } = later.context;
    await db.execute('UPDATE users SET sealed_totp = $2::jsonb WHERE id = $1', [
      userId,
      JSON.stringify(sealedTotp),
    ]);
    const sealedValues = new SealedValueRepository(db);
    const run = () => rewrap({ ...later.context, sealedValues, report: () => undefined });
    let isPaying = true;
    const load = Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const [first, second] = index % 2 === 0 ? [engine, later] : [later, engine];
        const [body, idempotencyKey] = [{ save_card: index < 4 }, randomUUID()];
        const paid = await pay(first, company, body, idempotencyKey);
        return { paid, repeated: await pay(second, company, body, idempotencyKey) };
      }),
    ).finally(() => (isPaying = false));
    const rewrapping = (async () => {
      while (isPaying) await run();
    })();
    const [answers] = await Promise.all([load, rewrapping]);
    for (const { paid, repeated } of answers) {
      expect(paid.body.status).toBe('approved');
      expect(repeated).toEqual({ body: paid.body, replayed: true });
    }
    await run();
    expect([...(await countByMasterKey(sealedValues)).keys()]).toEqual(['new']);
    // Without the old keys, the stored card, the credentials, the customer and the second factor open.
    const last = anotherApi({ ...lists(NEW, OLD), ENCRYPTION_KEYS: NEW.ENCRYPTION_KEYS });
    expect((await pay(last, company, {}, randomUUID())).body.status).toBe('approved');
    const totp = await db.queryOne<{ sealed: SealedValue }>(
      'SELECT sealed_totp AS sealed FROM users WHERE id = $1',
      [userId],
    );
    if (totp === null) throw new Error('the user is gone');
    expect(await last.context.envelope.open(totp.sealed, totpContext)).toBe('JBSWY3DPEHPK3PXP');
  });

  it('customers, buyers, gateway secrets and cards are recognized by the old key, by both, and by the new one alone', async () => {
    const apis = [lists(OLD), lists(NEW, OLD)].map(anotherApi);
    const company = await newCompany(engine);
    for (const api of apis) await pay(api, company, { save_card: true });
    const counts = () =>
      engine.context.db.queryOne(
        `SELECT (SELECT count(*) FROM customers WHERE company_id = $1) AS customers,
                (SELECT count(*) FROM customer_cards WHERE company_id = $1) AS cards,
                (SELECT count(DISTINCT card_fingerprint) FROM payments WHERE company_id = $1) AS fingerprints`,
        [company.id],
      );
    const once = { customers: 1, cards: 1, fingerprints: 1 };
    expect(await counts()).toEqual(once);
    const { context, config } = apis[1] ?? engine;
    const [gatewaySecret] = await context.gatewaySecrets.list({ companyId: company.id, slug: 'gateway_1' });
    const run = async () => {
      const changed: Record<string, number> = {};
      await rehash({
        ...context,
        sealedValues: new SealedValueRepository(context.db),
        hashes: new HashRepository(context.db),
        fingerprintKeys: config.secrets.fingerprintKeys,
        report: (records, count) => (changed[records] = count),
      });
      return changed;
    };
    expect((await run()).customers).toBeGreaterThan(0);
    expect(await run()).toMatchObject({ customers: 0, 'gateway secrets': 0, recipients: 0 });
    const last = anotherApi({ ...lists(NEW, OLD), FINGERPRINT_KEY: NEW.FINGERPRINT_KEY });
    expect((await pay(last, company, { save_card: true })).body.status).toBe('approved');
    expect(await counts()).toEqual(once);
    const [rehashed] = await context.gatewaySecrets.list({ companyId: company.id, slug: 'gateway_1' });
    expect(rehashed?.fingerprint).not.toBe(gatewaySecret?.fingerprint);
  });

  it('no encrypted column of the schema is left out', async () => {
    const { db } = engine.context;
    const columns = await db.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type = 'jsonb' AND column_name LIKE 'sealed%'`,
    );
    const known = Object.values(SEALED_COLUMNS).map(({ table, column }) => `${table}.${column}`);
    expect(known).toEqual(expect.arrayContaining(columns.map(({ name }) => name)));
    expect(columns.length).toBeGreaterThanOrEqual(13);
    // Every column can be read and counted, also without a row.
    const sealedValues = new SealedValueRepository(db);
    for (const column of sealedColumns) await sealedValues.list(column, null, 1);
  });

  it('a value that somebody changes while it is rewrapped keeps the change', async () => {
    const { context } = anotherApi(lists(NEW, OLD));
    const company = await newCompany(engine);
    await addEndpoint(engine, company, 'http://127.0.0.1:9/hook');
    const sealedValues = new SealedValueRepository(context.db);
    const [row] = (await sealedValues.list('endpointSecret', null, 1_000)).filter(
      ({ companyId }) => companyId === company.id,
    );
    if (!row || row.value === null || !('protected' in row.value)) throw new Error('no endpoint');
    const theirs = { ...row.value, tag: 'changed' };
    expect(await sealedValues.replace('endpointSecret', row, theirs)).toBe(true);
    expect(await sealedValues.replace('endpointSecret', row, row.value)).toBe(false);
    await context.db.execute('DELETE FROM webhook_endpoints WHERE id = $1', [row.id]);
  });
});

describe('a process', () => {
  const setting = 'ENCRYPTION_KEYS';
  const keys = (...acceptedIds: readonly string[]): ConfiguredKeys[] => [
    { setting, currentId: acceptedIds[0] ?? '', acceptedIds },
  ];

  it('does not start without a key that made values, until the key is retired', async () => {
    const { db } = engine.context;
    await db.execute('DELETE FROM secret_keys', []);
    const secretKeys = new SecretKeyRepository(db);
    const start = (...ids: readonly string[]) => checkKeys({ db, secretKeys }, keys(...ids));
    const lacks = (keyId: string) => [{ setting, keyId }];
    // A process that only reads with a key needs it no longer when it is taken back.
    expect(await start('k1')).toEqual([]);
    expect(await start('k1', 'k2')).toEqual([]);
    expect(await start('k1')).toEqual([]);
    expect(await start('k2')).toEqual(lacks('k1'));
    expect(await start('k2', 'k1')).toEqual([]);
    expect(await start('k1')).toEqual(lacks('k2'));
    expect(await secretKeys.retire(setting, 'k2')).toBe(false);
    expect(await secretKeys.retire(setting, 'k1')).toBe(true);
    expect(await start('k2')).toEqual([]);
    // Used again, it is needed again.
    expect(await start('k1', 'k2')).toEqual([]);
    expect(await start('k2')).toEqual(lacks('k1'));
  });

  it('is told which key it lacks, and the first one of a release records all keys it has', async () => {
    const { context, config } = engine;
    await context.db.execute('DELETE FROM secret_keys', []);
    const log = { warn: jest.fn() };
    await requireUsedKeys(config, context, log);
    const without = testConfig(lists(NEW));
    const close = jest.fn(() => Promise.resolve());
    const db = Object.create(context.db, { close: { value: close } }) as typeof context.db;
    await expect(requireUsedKeys(without, { db }, log)).rejects.toThrow(/ENCRYPTION_KEYS lacks the key old/);
    expect(close).toHaveBeenCalledTimes(1);
    await requireUsedKeys(testConfig(lists(NEW, OLD)), context, log);
    expect(log.warn).not.toHaveBeenCalled();
    const uses = await reportKeys(createKeyReport(context), configuredKeys(testConfig(lists(NEW, OLD))));
    const needed = (role: string) =>
      uses.filter((use) => use.role === role && isNeeded(use)).map((use) => use.setting);
    expect(needed('current')).toHaveLength(6);
    expect(needed('accepted')).toEqual(
      expect.arrayContaining(['API_KEY_PEPPER', 'REQUEST_HASH_KEY', 'CODEC_KEYS']),
    );
  });
});
