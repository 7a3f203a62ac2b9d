import { GATEWAY_SLUGS, type GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { Endpoints } from '../../../src/gateways/driver-names';
import { uniqueAmount } from '../../support/scenarios/pay';
import { paymentRequest } from '../../support/fixtures/payments';
import { individual } from '../../unit/domain/subaccount-fixtures';
import { callbackBody, sentPayment, signed, storedCallbacks } from '../callbacks/callback-api';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerCompanyWithUser, type CompanyWithUser } from '../support/manual-resolution';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { authorization, pendingPix, sale } from '../support/payment-scenario';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({ GATEWAYS_INACTIVE: 'gateway_4' });
});
afterAll(() => api.stop());

async function gatewaysOf(client: ApiClient) {
  return expectStatus(await client('listGateways'), 200).body.data;
}

async function gatewayOf(client: ApiClient, slug: GatewaySlug) {
  const found = (await gatewaysOf(client)).find(({ gateway_slug }) => gateway_slug === slug);
  if (found === undefined) throw new Error(`${slug} is not in the list`);
  return found;
}

const change = (client: ApiClient, slug: string, body: object) =>
  client('updateGateway', { params: { slug }, body });

/** The gateway to which a new payment of the company is routed. */
async function routedTo({ byKey }: CompanyWithUser): Promise<string | undefined> {
  return (await sale(byKey, { amount: uniqueAmount() })).transactions[0]?.gateway;
}

describe('GET /user/gateways', () => {
  it('returns every gateway with the company’s credential and the gateway’s capabilities', async () => {
    const { byToken } = await registerCompanyWithUser(api, ['gateway_2', 'gateway_1']);
    const gateways = await gatewaysOf(byToken);
    expect(gateways.map(({ gateway_slug }) => gateway_slug)).toEqual(GATEWAY_SLUGS);
    const [first, second, third] = gateways;
    expect(first).toMatchObject({ configured: true, enabled: true, order: 2, platform: false });
    expect(second).toMatchObject({ configured: true, order: 1, capabilities: { authorize_only: false } });
    expect(third).toMatchObject({ configured: false, enabled: false, order: null, created_at: null });
    expect(third?.capabilities).toMatchObject({ methods: ['card', 'pix', 'billet'], idempotency: 'none' });
    expect(gateways.filter(({ active }) => !active).map((it) => it.gateway_slug)).toEqual(['gateway_4']);
    const platform = gateways.filter((it) => it.platform).map((it) => [it.gateway_slug, it.configured]);
    expect(platform).toEqual([
      ['gateway_6', false],
      ['gateway_7', false],
    ]);
  });

  it('shows a sub-account instead of a key, and whether it can be charged', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api, []);
    const gateway = { gateway_slug: 'gateway_1', secret_key: 'sk_test', use_as_subaccount: true };
    const subaccount_information = individual();
    const gateways = [{ ...gateway, subaccount_information }];
    expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
    expect(await gatewayOf(byToken, 'gateway_1')).toMatchObject({
      use_as_subaccount: true,
      sub_account_status: 'active',
    });
  });

  it('shows what the gateway said that the account lacks, until the credentials are saved again', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api, ['gateway_1', 'gateway_2']);
    const amount = uniqueAmount();
    await api.engine.simulator.script({ amount, gateway: 'gateway_1' }, { lacks: 'raw_cards' });
    expect((await sale(byKey, { amount })).transactions.map(({ gateway }) => gateway)).toEqual([
      'gateway_1',
      'gateway_2',
    ]);
    const { learned_limits: limits } = await gatewayOf(byToken, 'gateway_1');
    const message = 'raw_cards is not enabled for this account';
    expect(limits).toMatchObject([{ feature: 'raw_cards', message }]);
    for (const { since, until } of limits) expect(Date.parse(until) - Date.parse(since)).toBe(86_400_000);
    expect((await gatewayOf(byToken, 'gateway_2')).learned_limits).toEqual([]);
    const gateways = [{ gateway_slug: 'gateway_1', secret_key: 'sk_test_with_cards' }];
    expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
    expect((await gatewayOf(byToken, 'gateway_1')).learned_limits).toEqual([]);
  });

  it('counts the results of the last hour’s charges', async () => {
    const company = await registerCompanyWithUser(api);
    const { byKey, byToken } = company;
    expect((await gatewayOf(byToken, 'gateway_1')).health.last_hour).toMatchObject({
      charges: 0,
      p50_ms: null,
    });
    await sale(byKey);
    await authorization(byKey);
    await pendingPix(byKey);
    await declined(company);
    expect((await gatewayOf(byToken, 'gateway_1')).health).toMatchObject({
      circuit: 'closed',
      last_hour: { charges: 4, approved: 2, pending: 1, declined: 1, errors: 0, unknown: 0 },
    });
    expect((await gatewayOf(byToken, 'gateway_1')).health.last_hour.p50_ms).toBeGreaterThan(0);
  });

  it('shows an open circuit with its end and its reason', async () => {
    const { byToken, companyId } = await registerCompanyWithUser(api);
    const { circuits, db } = api.engine.context;
    const failure = { reason: 'the gateway refused the credentials', opensAtOnce: true, openForMs: 30_000 };
    const at = new Date();
    await db.inTransaction((tx) =>
      circuits.recordFailure(tx, { companyId, slug: 'gateway_1' }, { ...failure, at }),
    );
    expect((await gatewayOf(byToken, 'gateway_1')).health).toMatchObject({
      circuit: 'open',
      open_until: new Date(at.getTime() + 30_000).toISOString(),
      reason: failure.reason,
      recent_failures: 1,
    });
  });

  async function declined({ byKey }: CompanyWithUser): Promise<void> {
    const amount = uniqueAmount();
    await api.engine.simulator.script({ gateway: 'gateway_1', amount }, { decline: '51' });
    const { body } = expectStatus(
      await byKey('createCardPayment', { body: paymentRequest({ amount }) }),
      200,
    );
    expect(body.status).toBe('failed');
  }
});

describe('credentials that PUT /company/gateways saves', () => {
  const save = (client: ApiClient, ...gateways: object[]) => client('saveGateways', { body: { gateways } });
  const item = { gateway_slug: 'gateway_5', secret_key: 'sk_test_5' };

  it('are refused with 422 if the gateway refuses them, and no gateway of the request is saved', async () => {
    const company = await registerCompanyWithUser(api);
    const refused = { gateway_slug: 'gateway_1', secret_key: 'sk_invalid_key' };
    const answer = expectStatus(await save(company.byKey, item, refused), 422);
    expect(answer.body.errors).toEqual({ 'gateways.1.secret_key': ['gateway_1 rejected it'] });
    expect(await gatewayOf(company.byToken, 'gateway_5')).toMatchObject({
      configured: false,
      verified: null,
    });
    expect(await routedTo(company)).toBe('gateway_1');
  });

  it('are saved unverified if the gateway is not reached, and verified by the first charge', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api, []);
    // The registry reads the same map.
    const endpoints = api.engine.config.gateways.endpoints as Map<GatewaySlug, Endpoints>;
    const reachable = endpoints.get('gateway_5') ?? {};
    endpoints.set('gateway_5', { api: 'http://127.0.0.1:1' });
    const { body } = expectStatus(await save(byKey, item), 200);
    endpoints.set('gateway_5', reachable);
    expect(body.data[0]).toMatchObject({ gateway_slug: 'gateway_5', verified: false });
    expect(await gatewayOf(byToken, 'gateway_5')).toMatchObject({ configured: true, verified: false });
    await sale(byKey);
    expect(await gatewayOf(byToken, 'gateway_5')).toMatchObject({ verified: true });
  });

  it('are named by their fields, which the list of gateways shows with the processor', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api);
    expect(await gatewayOf(byToken, 'gateway_1')).toMatchObject({
      vendor: 'simulator',
      callback_proof: 'signature',
      verified: true,
      earlier_secrets: 0,
      credential_fields: [
        {
          name: 'secret_key',
          required: true,
          secret: true,
          multiline: false,
          description: 'Any text: the simulator has an account for each.',
          description_pt: 'Qualquer texto: o simulador tem uma conta para cada um.',
        },
        {
          name: 'client_id',
          required: false,
          secret: false,
          multiline: false,
          description: expect.any(String),
        },
      ],
    });
    expect(await gatewayOf(byToken, 'gateway_6')).toMatchObject({ credential_fields: [] });
    const misspelt = { ...item, credentials: { certificate: 'PEM' } };
    const answer = expectStatus(await save(byKey, misspelt), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['gateways.0.credentials.certificate']);
    for (const credentials of [
      { 'Not a name': 'x' },
      { certificate: 'x'.repeat(16_385) },
      { certificate: 1 },
    ])
      expectStatus(await save(byKey, { ...item, credentials }), 422);
  });

  it('are in the audit log as changes with the API key, without their values and only if something changed', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api, []);
    await save(byKey, { ...item, client_id: 'loja' });
    await save(byKey, { ...item, client_id: 'loja' });
    await save(byKey, { ...item, secret_key: 'sk_canary', order: 4, same_account: true });
    const { data } = expectStatus(await byToken('listAuditLog'), 200).body;
    expect(data.map(({ user, action, subject, changes }) => ({ user, action, subject, changes }))).toEqual([
      {
        user: null,
        action: 'gateway.update',
        subject: { type: 'gateway', id: 'gateway_5' },
        changes: { order: { from: 1, to: 4 }, secret_key: 'changed', same_account: true },
      },
      {
        user: null,
        action: 'gateway.create',
        subject: { type: 'gateway', id: 'gateway_5' },
        changes: {
          order: { from: null, to: 1 },
          client_id: { from: null, to: 'loja' },
          use_as_subaccount: { from: null, to: false },
          secret_key: 'changed',
        },
      },
    ]);
    expect(JSON.stringify(data)).not.toMatch(/canary|sk_test_5/);
  });
});

describe('PATCH /user/gateways/{slug}', () => {
  it('routes new payments to other gateways after a gateway is disabled or reordered', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_1', 'gateway_2']);
    const { byKey, byToken } = company;
    expect(await routedTo(company)).toBe('gateway_1');
    const changed = expectStatus(await change(byToken, 'gateway_1', { order: 3 }), 200).body.data;
    expect(changed).toMatchObject({ gateway_slug: 'gateway_1', order: 3, enabled: true });
    expect(await routedTo(company)).toBe('gateway_2');
    expect(expectStatus(await change(byToken, 'gateway_2', { enabled: false }), 200).body.data.enabled).toBe(
      false,
    );
    expect(await routedTo(company)).toBe('gateway_1');
    expectStatus(await change(byToken, 'gateway_1', { enabled: false }), 200);
    const refused = expectStatus(await byKey('createCardPayment', { body: paymentRequest() }), 422);
    expect(refused.body.code).toBe('no_gateway_available');
  });

  it('leaves existing charges at a disabled gateway', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api);
    const { transaction_id: id } = await sale(byKey);
    expectStatus(await change(byToken, 'gateway_1', { enabled: false }), 200);
    const refunded = expectStatus(await byToken('refundUserPayment', { params: { id } }), 200).body;
    expect(refunded.status).toBe('refunded');
  });

  it('stores the secret that verifies the gateway’s callbacks, never returns it, and deletes it on null', async () => {
    const { byKey, byToken, user } = await registerCompanyWithUser(api);
    const secret = 'whsec_of_this_company_alone';
    const found = await api.engine.context.companies.findByClientId(user.registered.company.client_id);
    if (found === null) throw new Error('the company is gone');
    const deliver = async (): Promise<boolean | number> => {
      const { payment, reference } = await sentPayment(api.engine, found.company);
      const body = callbackBody(reference);
      const params = { gateway: 'gateway_1' };
      const { status } = await api.anonymous('receiveCallback', {
        params,
        body,
        headers: signed(body, secret),
      });
      return status === 200 ? (await storedCallbacks(api.engine, payment))[0]?.trusted === true : status;
    };
    expect(await deliver()).toBe(401);
    const set = expectStatus(await change(byToken, 'gateway_1', { webhook_secret: secret }), 200);
    expect(set.body.data.webhook_secret_set).toBe(true);
    expect(await deliver()).toBe(true);
    const shown = [
      set.body,
      await gatewaysOf(byToken),
      (await byToken('listAuditLog')).body,
      (await byKey('listEvents')).body,
    ];
    expect(JSON.stringify(shown)).not.toContain(secret);
    const tables = ['gateway_credentials', 'audit_log'];
    for (const table of tables) {
      const rows = await api.engine.context.db.queryComposed(`SELECT * FROM ${table}`, []);
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
    const forgotten = expectStatus(await change(byToken, 'gateway_1', { webhook_secret: null }), 200);
    expect(forgotten.body.data.webhook_secret_set).toBe(false);
    expect(await deliver()).toBe(401);
    const log = expectStatus(
      await byToken('listAuditLog', { query: { action: 'gateway.update' } }),
      200,
    ).body;
    expect(log.data.map(({ changes }) => changes)).toEqual(Array(2).fill({ webhook_secret: 'changed' }));
  });

  it.each(['gateway_2', 'gateway_6', 'gateway_9', 'nonsense'])(
    'answers 404 for %s, for which the company has no credential',
    async (slug) => {
      const { byToken } = await registerCompanyWithUser(api);
      expectStatus(await change(byToken, slug, { enabled: true }), 404);
    },
  );

  it.each([
    ['order', { order: 0 }],
    ['order', { order: 1.5 }],
    ['enabled', { enabled: 'perhaps' }],
    ['enabled', { enabled: null }],
    ['webhook_secret', { webhook_secret: 'short' }],
    ['webhook_secret', { webhook_secret: 'x'.repeat(501) }],
  ])('answers 422 on %s for an invalid value, and changes nothing', async (field, body) => {
    const { byToken } = await registerCompanyWithUser(api);
    const before = await gatewayOf(byToken, 'gateway_1');
    const answer = expectStatus(await change(byToken, 'gateway_1', body), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
    expect(await gatewayOf(byToken, 'gateway_1')).toEqual(before);
  });
});
