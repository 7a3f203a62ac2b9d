import { createAppContext, type AppContext } from '../../src/composition/app-context';
import type { GatewaySlug } from '../../src/domain/shared/gateway-slug';
import { newGatewayAccountId, newSubAccountId, type SubAccountId } from '../../src/domain/shared/ids';
import { insertCompany } from '../support/fixtures/companies';
import { testConfig } from '../support/stack/test-config';

let context: AppContext;
beforeAll(() => {
  context = createAppContext(testConfig());
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

async function saveCredential(
  companyId: number,
  slug: GatewaySlug,
  order: number,
  subAccountId: SubAccountId | null = null,
) {
  const { credentials, db, gatewaySecrets, secretCipher } = context;
  const gateway = { companyId, slug };
  const clientId = 'at-gateway';
  const sealed = await secretCipher.seal(gateway, { secretKey: 'sk', credentials: {} }, clientId);
  const accountId = newGatewayAccountId();
  return db.inTransaction(async (tx) => {
    await gatewaySecrets.insertAccount(tx, accountId, gateway);
    const account = { ...gateway, accountId, clientId };
    const values = { ...account, ...sealed, accountProof: 'origin', verifiedAt: new Date() } as const;
    const secretId = subAccountId === null ? (await gatewaySecrets.upsert(tx, values)).id : null;
    return credentials.upsert(tx, { ...account, order, secretId, subAccountId });
  });
}

async function newSubAccount(companyId: number, slug: GatewaySlug): Promise<SubAccountId> {
  const id = newSubAccountId();
  await context.subAccounts.insertOrRestart({
    id,
    companyId,
    gatewaySlug: slug,
    informationHash: id,
    sealedInformation: await context.envelope.seal('{}', 'test'),
    name: 'Maria',
    documentMasked: '***',
  });
  return id;
}

const load = (companyId: number, platform: GatewaySlug[] = []) =>
  context.gateways.listRoutableGateways(companyId, platform);
const slugs = (rows: ReadonlyArray<{ slug: GatewaySlug }>) => rows.map(({ slug }) => slug);

describe('listRoutableGateways', () => {
  it("returns the company's enabled credentials by order and then by age, and no other company's", async () => {
    const [companyId, otherId] = [await insertCompany(context), await insertCompany(context)];
    await saveCredential(companyId, 'gateway_3', 2);
    await saveCredential(companyId, 'gateway_1', 2);
    const first = await saveCredential(companyId, 'gateway_2', 1);
    await saveCredential(companyId, 'gateway_4', 1);
    await saveCredential(otherId, 'gateway_5', 1);
    await context.db.query(
      `UPDATE gateway_credentials SET enabled = false WHERE company_id = $1 AND gateway_slug = 'gateway_4'`,
      [companyId],
    );
    const rows = await load(companyId);
    expect(slugs(rows)).toEqual(['gateway_2', 'gateway_3', 'gateway_1']);
    expect(rows[0]).toEqual({
      slug: 'gateway_2',
      order: 1,
      credentialId: first.id,
      secret: {
        id: first.secretId,
        fingerprint: expect.any(String),
        sealedValues: expect.objectContaining({ ciphertext: expect.any(String) }),
        clientId: 'at-gateway',
        isAccepted: true,
        isUsed: false,
      },
      clientId: 'at-gateway',
      subAccount: null,
      recipientIds: [],
      lackedFeatures: [],
      circuit: { recentFailures: [], openUntil: null, reason: null },
    });
  });

  it('omits a sub-account until it is active, and returns all active recipient ids of the gateway', async () => {
    const companyId = await insertCompany(context);
    const [own, other] = [
      await newSubAccount(companyId, 'gateway_1'),
      await newSubAccount(companyId, 'gateway_1'),
    ];
    await saveCredential(companyId, 'gateway_1', 1, own);
    expect(await load(companyId)).toEqual([]);

    await context.subAccounts.recordAnswer(own, {
      status: 'pending',
      recipientId: `re_${own}`,
      message: null,
    });
    expect(await load(companyId)).toEqual([]);

    await context.subAccounts.recordAnswer(own, {
      status: 'active',
      recipientId: `re_${own}`,
      message: null,
    });
    await context.subAccounts.recordAnswer(other, {
      status: 'active',
      recipientId: `re_${other}`,
      message: null,
    });
    const [row] = await load(companyId);
    expect(row).toMatchObject({ secret: null, subAccount: { recipientId: `re_${own}` } });
    expect([...(row?.recipientIds ?? [])].sort()).toEqual([`re_${own}`, `re_${other}`].sort());
  });

  it('returns each circuit, which saving the credential closes', async () => {
    const companyId = await insertCompany(context);
    await saveCredential(companyId, 'gateway_1', 1);
    const failure = {
      at: new Date('2026-06-15T12:00:00.123Z'),
      reason: 'refused',
      opensAtOnce: true,
      openForMs: 30_000,
    };
    await context.db.inTransaction((tx) =>
      context.circuits.recordFailure(tx, { companyId, slug: 'gateway_1' }, failure),
    );
    expect((await load(companyId))[0]?.circuit).toEqual({
      recentFailures: [failure.at],
      openUntil: new Date('2026-06-15T12:00:30.123Z'),
      reason: 'refused',
    });
    await saveCredential(companyId, 'gateway_1', 1);
    expect((await load(companyId))[0]?.circuit.openUntil).toBeNull();
  });

  it("returns the platform's gateways after the company's own", async () => {
    const companyId = await insertCompany(context);
    await saveCredential(companyId, 'gateway_1', 1_000_000);
    const rows = await load(companyId, ['gateway_7', 'gateway_6']);
    expect(slugs(rows)).toEqual(['gateway_1', 'gateway_6', 'gateway_7']);
    expect(rows[1]).toMatchObject({ credentialId: null, secret: null, subAccount: null });
  });
});

describe('findRouting', () => {
  it("returns the same gateways and the company's rules in their order, and no other company's", async () => {
    const [companyId, otherId] = [await insertCompany(context), await insertCompany(context)];
    for (const id of [companyId, otherId]) {
      await saveCredential(id, 'gateway_1', 2);
      await saveCredential(id, 'gateway_2', 1);
    }
    const rules = ['first', 'second'].map((name) => ({
      name,
      when: {},
      target: { kind: 'list', gateways: ['gateway_1'] } as const,
    }));
    await context.db.inTransaction(async (tx) => {
      const config = await context.companyConfigs.lock(tx, companyId);
      await context.companyConfigs.save(tx, companyId, { ...config, routingRules: rules }, new Date());
    });
    const platform: GatewaySlug[] = ['gateway_6'];
    const loaded = await context.gateways.findRouting(companyId, platform);
    expect(loaded).toEqual({ gateways: await load(companyId, platform), rules, hasCvv: false });
    expect(slugs(loaded.gateways)).toEqual(['gateway_2', 'gateway_1', 'gateway_6']);
    expect((await context.gateways.findRouting(otherId, platform)).rules).toEqual([]);
  });
});

describe('findGateway', () => {
  it('finds a disabled gateway too, for operations on its charges', async () => {
    const companyId = await insertCompany(context);
    await saveCredential(companyId, 'gateway_1', 1);
    await context.db.query('UPDATE gateway_credentials SET enabled = false WHERE company_id = $1', [
      companyId,
    ]);
    expect(await context.gateways.findGateway(companyId, 'gateway_1', [])).toMatchObject({
      slug: 'gateway_1',
    });
    expect(await context.gateways.findGateway(companyId, 'gateway_2', [])).toBeNull();
    expect(await context.gateways.findGateway(companyId, 'gateway_6', ['gateway_6'])).toMatchObject({
      credentialId: null,
    });
  });
});
