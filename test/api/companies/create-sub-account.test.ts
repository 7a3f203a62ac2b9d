import { randomUUID } from 'node:crypto';
import { createCompanies } from '../../../src/composition/api-companies';
import type { SubAccountInformation } from '../../../src/domain/routing/subaccount-information';
import type { Capabilities } from '../../../src/domain/routing/routing';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { GatewayRegistry } from '../../../src/gateways/registry';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { subAccountRoutes } from '../../../src/http/routes/sub-accounts';
import { corporation, individual } from '../../unit/domain/subaccount-fixtures';
import { paymentRequest } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { startTestApi, TEST_KEYS } from '../support/test-api';
import { sameGateways } from '../../support/same-gateways';

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startEngineApi(
    { PAYMENT_SYNC_TIMEOUT: '5', GATEWAYS_INACTIVE: 'gateway_4' },
    { workers: 'payments' },
  );
});
afterAll(() => api.stop());
beforeEach(async () => {
  client = await registerWithGateways(api, []);
});

const REFUSED = '52998224799';
const PENDING = '52998224700';

const create = (
  information: SubAccountInformation | object = individual(),
  { key, slug = 'gateway_1', by = client }: { key?: string; slug?: string; by?: ApiClient } = {},
) =>
  by('createSubAccount', {
    body: { gateway_slug: slug, subaccount_information: information },
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });

const list = async (by: ApiClient = client) => expectStatus(await by('listSubAccounts'), 200).body.data;

/** Number of requests for a recipient that the gateway received, over all of the company’s sub-accounts. */
async function requestsToGateway(): Promise<number> {
  const logs = await Promise.all((await list()).map(({ id }) => api.engine.simulator.requests(id)));
  return logs.flat().filter(({ operation }) => operation === 'recipient').length;
}

describe('POST /sub-accounts', () => {
  it.each([
    ['an individual', individual(), { name: 'Maria Souza', document: '***.982.247-**' }],
    ['a corporation', corporation(), { name: 'Flores do Centro Ltda', document: '**.222.333/0001-**' }],
  ])('answers 201 with an active recipient for %s, with a masked document', async (_, information, shown) => {
    const { body } = expectStatus(await create(information), 201);
    expect(body.data).toEqual({
      id: expect.any(String),
      gateway_slug: 'gateway_1',
      recipient_id: expect.stringMatching(/^re_/),
      status: 'active',
      message: null,
      consent_url: null,
      created_at: expect.any(String),
      ...shown,
    });
  });

  it('answers 201 with a pending recipient while the gateway examines it', async () => {
    const { data } = expectStatus(await create(individual({ document: PENDING })), 201).body;
    expect(data).toMatchObject({ status: 'pending', recipient_id: expect.stringMatching(/^re_/) });
    expect(data.message).toBe('documents are being checked');
  });

  it('answers 201 with a refusal and its reason, and the sub-account keeps both', async () => {
    const { data } = expectStatus(await create(individual({ document: REFUSED })), 201).body;
    expect(data).toMatchObject({ status: 'refused', message: 'the document was refused' });
    const found = expectStatus(await client('getSubAccount', { params: { id: data.id } }), 200);
    expect(found.body.data).toEqual(data);
  });

  it('creates one recipient per gateway and per company', async () => {
    const first = expectStatus(await create(), 201).body.data;
    const second = expectStatus(await create(individual(), { slug: 'gateway_2' }), 201).body.data;
    const other = await registerWithGateways(api, []);
    const third = expectStatus(await create(individual(), { by: other }), 201).body.data;
    expect(new Set([first, second, third].map(({ recipient_id }) => recipient_id)).size).toBe(3);
  });

  it.each([
    ['gateway_slug', { gateway_slug: 'gateway_6', subaccount_information: individual() }],
    ['gateway_slug', { subaccount_information: individual() }],
    ['subaccount_information', { gateway_slug: 'gateway_1' }],
    ['subaccount_information', { gateway_slug: 'gateway_1', subaccount_information: null }],
    ...(
      [
        ['birthdate', individual({ birthdate: null })],
        ['birthdate', individual({ birthdate: '2999-01-01' })],
        ['document', individual({ document: '11222333000181' })],
        ['trading_name', corporation({ trading_name: null })],
        ['email', { ...individual(), email: 'nobody' }],
        ['default_bank_account', { ...individual(), default_bank_account: undefined }],
      ] as const
    ).map(
      ([field, subaccount_information]) =>
        [`subaccount_information.${field}`, { gateway_slug: 'gateway_1', subaccount_information }] as const,
    ),
  ] as const)('answers 422 on %s, creates nothing and leaves the key free', async (field, body) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const answer = expectStatus(await client('createSubAccount', { body, headers }), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
    expect(await list()).toEqual([]);
    expectStatus(await create(individual(), { key: headers['Idempotency-Key'] }), 201);
  });

  it('answers 404 gateway_not_found for an inactive gateway and leaves the key free', async () => {
    const key = randomUUID();
    const { body } = expectStatus(await create(individual(), { slug: 'gateway_4', key }), 404);
    expect(body.code).toBe('gateway_not_found');
    expect(await list()).toEqual([]);
    expectStatus(await create(individual(), { key }), 201);
  });

  it('answers 422 for a gateway without sub-accounts', async () => {
    class PlainDriver extends SimulatorDriver {
      override capabilities(slug: GatewaySlug): Capabilities {
        return { ...super.capabilities(slug), subAccounts: false };
      }
    }
    const { config, context } = api.engine;
    const registry = new GatewayRegistry({
      drivers: new Map([['gateway_1', new PlainDriver()]]),
      ...config.gateways,
    });
    const plain = await startTestApi({
      handlers: subAccountRoutes(createCompanies(config, { ...context, registries: sameGateways(registry) })),
    });
    const answer = await create(individual(), { by: apiClient(plain.baseUrl, TEST_KEYS) });
    await plain.close();
    expect(expectStatus(answer, 422).body.errors).toEqual({
      gateway_slug: ['gateway_1 makes no sub-accounts'],
    });
  });

  it('answers 401 without a key pair', async () => {
    expectStatus(await create(individual(), { by: api.anonymous }), 401);
  });

  it('stores no personal data in plain text', async () => {
    expectStatus(await create(individual({ document: '39053344705' }), { key: randomUUID() }), 201);
    const tables = ['sub_accounts', 'idempotency_keys'];
    for (const table of tables) {
      const rows = await api.engine.context.db.query(`SELECT t::text AS text FROM ${table} t`);
      expect(JSON.stringify(rows)).not.toMatch(/39053344705|390\.533|123456/);
    }
  });
});

describe('the same information again', () => {
  it('gives the same sub-account with another key, without a key and in different formatting', async () => {
    const { data } = expectStatus(await create(individual(), { key: randomUUID() }), 201).body;
    const again = [
      await create(individual(), { key: randomUUID() }),
      await create(individual()),
      await create({ ...individual({ document: '52998224725' }), trading_name: null, extra: 1 }),
    ];
    expect(again.map((answer) => expectStatus(answer, 201).body.data)).toEqual([data, data, data]);
    expect(again.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, null, null]);
    expect(await requestsToGateway()).toBe(1);
  });

  it.each([
    ['one key', () => 'one'],
    ['ten keys', () => randomUUID()],
  ])('gives one recipient for ten concurrent requests under %s', async (_, keyOf) => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create(individual(), { key: keyOf() })),
    );
    const ids = answers.map((answer) => expectStatus(answer, 201).body.data.id);
    expect(new Set(ids).size).toBe(1);
    expect(await requestsToGateway()).toBe(1);
  });

  it('is sent to the gateway again after a refusal, under another key', async () => {
    const refused = individual({ document: REFUSED });
    const key = randomUUID();
    const first = expectStatus(await create(refused, { key }), 201).body.data;
    const second = expectStatus(await create(refused, { key: randomUUID() }), 201).body.data;
    expect(second.id).not.toBe(first.id);
    expect(expectStatus(await create(refused, { key }), 201).body.data).toEqual(first);
    expect(await requestsToGateway()).toBe(2);
  });

  it('gives the same recipient through PUT /company/gateways', async () => {
    const gateways = [
      {
        gateway_slug: 'gateway_1',
        secret_key: 'unused',
        use_as_subaccount: true,
        subaccount_information: individual(),
      },
    ];
    expectStatus(await client('saveGateways', { body: { gateways } }), 200);
    const [known] = await list();
    expect(expectStatus(await create(), 201).body.data).toEqual(known);
    expect(await requestsToGateway()).toBe(1);
  });
});

describe('an Idempotency-Key', () => {
  it('replays the first answer byte for byte, even if the gateway has changed the status since', async () => {
    const key = randomUUID();
    const pending = individual({ document: PENDING });
    const first = expectStatus(await create(pending, { key }), 201);
    const { id } = first.body.data;
    await api.engine.context.db.query(`UPDATE sub_accounts SET status = 'active' WHERE id = $1`, [id]);
    const again = expectStatus(await create(pending, { key }), 201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(await list()).toMatchObject([{ id, status: 'active' }]);
  });

  it('returns the same answer after a crash between the gateway’s answer and its recording', async () => {
    const key = randomUUID();
    const first = expectStatus(await create(individual(), { key }), 201);
    await api.engine.context.db.query(
      'UPDATE idempotency_keys SET response_status = NULL, response_body = NULL WHERE key = $1',
      [key],
    );
    const answers = await Promise.all([1, 2, 3].map(() => create(individual(), { key })));
    expect(answers.map((answer) => expectStatus(answer, 201).body)).toEqual(Array(3).fill(first.body));
    const replayed = expectStatus(await create(individual(), { key }), 201);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(await requestsToGateway()).toBe(1);
  });

  it('is rejected with other information, another gateway and another route', async () => {
    const key = randomUUID();
    expectStatus(await create(individual(), { key }), 201);
    const others = [
      await create(individual({ monthly_income: 1 }), { key }),
      await create(individual(), { key, slug: 'gateway_2' }),
      await client('createCardPayment', { body: paymentRequest(), headers: { 'Idempotency-Key': key } }),
    ];
    const codes = others.map((answer) => expectStatus(answer, 422).body.code);
    expect(codes).toEqual(Array(3).fill('idempotency_key_reused'));
    expect(await list()).toHaveLength(1);
  });

  it('of a payment creates no sub-account', async () => {
    client = await registerWithGateways(api, ['gateway_1']);
    const key = randomUUID();
    const paid = await client('createCardPayment', {
      body: paymentRequest(),
      headers: { 'Idempotency-Key': key },
    });
    expectStatus(paid, 200);
    expect(expectStatus(await create(individual(), { key }), 422).body.code).toBe('idempotency_key_reused');
    expect(await list()).toEqual([]);
  });

  it('creates one sub-account if two different requests use it concurrently', async () => {
    const key = randomUUID();
    const answers = await Promise.all([
      create(individual(), { key }),
      create(individual({ monthly_income: 1 }), { key }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(await list()).toHaveLength(1);
  });

  it('of one company can be used by another company', async () => {
    const key = randomUUID();
    expectStatus(await create(individual(), { key }), 201);
    const by = await registerWithGateways(api, []);
    expectStatus(await create(individual({ monthly_income: 1 }), { key, by }), 201);
  });
});

describe('a gateway that does not answer', () => {
  let shortTimeoutApi: EngineApi;
  beforeAll(async () => {
    shortTimeoutApi = await startEngineApi({ PAYMENT_SYNC_TIMEOUT: '0.8' }, { workers: 'payments' });
  });
  afterAll(() => shortTimeoutApi.stop());

  it('causes a 503 with Retry-After, after which the key continues the same request and rejects others', async () => {
    const by = await registerWithGateways(shortTimeoutApi, []);
    const key = randomUUID();
    const information = individual({ name: 'Silent at first' });
    await shortTimeoutApi.engine.simulator.script(
      { gateway: 'gateway_3', operation: 'recipient' },
      { hang: 'after' },
    );
    const first = expectStatus(await create(information, { key, by, slug: 'gateway_3' }), 503);
    expect(first.body.code).toBe('unavailable');
    expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await list(by)).toMatchObject([{ status: 'pending', recipient_id: null }]);

    const other = await create(individual(), { key, by, slug: 'gateway_3' });
    expect(expectStatus(other, 422).body.code).toBe('idempotency_key_reused');

    const created = await waitFor(async () =>
      expectStatus(await create(information, { key, by, slug: 'gateway_3' }), 201),
    );
    const { id } = created.body.data;
    expect(created.body.data.status).toBe('active');
    expect(await list(by)).toMatchObject([{ id }]);
    const requests = await shortTimeoutApi.engine.simulator.requests(id);
    expect(requests.filter(({ operation }) => operation === 'recipient')).toHaveLength(1);
  });

  it('but has refused the recipient gives the refusal as the key’s answer and is not called again', async () => {
    const by = await registerWithGateways(shortTimeoutApi, []);
    const refused = { key: randomUUID(), by, slug: 'gateway_3' };
    const information = individual({ document: REFUSED });
    await shortTimeoutApi.engine.simulator.script(
      { gateway: 'gateway_3', operation: 'recipient' },
      { hang: 'after' },
    );
    expectStatus(await create(information, refused), 503);
    const { data } = (await waitFor(async () => expectStatus(await create(information, refused), 201))).body;
    expect(data.status).toBe('refused');
    expect(await list(by)).toMatchObject([{ id: data.id, status: 'refused' }]);
  });
});
