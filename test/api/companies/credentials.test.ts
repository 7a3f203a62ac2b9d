import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { expectStatus } from '../support/api-client';
import {
  companyIdOf,
  register,
  startCompanyApi,
  type CompanyApi,
  type RegisteredCompany,
} from '../support/company-api';

let api: CompanyApi;
let company: RegisteredCompany;
beforeAll(async () => {
  api = await startCompanyApi({ GATEWAYS_INACTIVE: 'gateway_4' });
});
afterAll(() => api.stop());
beforeEach(async () => {
  company = await register(api);
});

const save = (...gateways: object[]) => company.client('saveGateways', { body: { gateways } });

/** The gateways that payments of the company are routed to, by order. */
async function stored(of = company) {
  const rows = await api.engine.context.gateways.listRoutableGateways(await companyIdOf(api, of), []);
  return rows.map(({ slug, order, clientId }) => ({ slug, order, clientId }));
}

describe('PUT /company/gateways', () => {
  it('answers 200 with the records in the order of the request, without secrets', async () => {
    const answer = await save(
      { gateway_slug: 'gateway_2', secret_key: 'sk_canary_2', order: 7, client_id: 'loja' },
      { gateway_slug: 'gateway_1', secret_key: 'sk_canary_1' },
    );
    const { data } = expectStatus(answer, 200).body;
    expect(data).toEqual([
      {
        id: expect.any(Number),
        company_id: await companyIdOf(api, company),
        gateway_id: 2,
        gateway_slug: 'gateway_2',
        client_id: 'loja',
        verified: true,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
      expect.objectContaining({ gateway_id: 1, gateway_slug: 'gateway_1', client_id: null }),
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('sk_canary');
    expect(api.logText()).not.toContain('sk_canary');
  });

  it('puts new gateways after all others if the request gives no order', async () => {
    await save({ gateway_slug: 'gateway_3', secret_key: 'sk', order: 4 });
    await save(
      { gateway_slug: 'gateway_1', secret_key: 'sk' },
      { gateway_slug: 'gateway_2', secret_key: 'sk', order: null },
    );
    expect((await stored()).map(({ slug, order }) => [slug, order])).toEqual([
      ['gateway_3', 4],
      ['gateway_1', 5],
      ['gateway_2', 6],
    ]);
  });

  it('updates the gateways in the request only, and keeps an omitted order and client_id', async () => {
    const first = expectStatus(
      await save(
        { gateway_slug: 'gateway_1', secret_key: 'sk', order: 2, client_id: 'one' },
        { gateway_slug: 'gateway_2', secret_key: 'sk', order: 3, client_id: 'two' },
      ),
      200,
    );
    const again = expectStatus(await save({ gateway_slug: 'gateway_2', secret_key: 'sk_new' }), 200);
    expect(again.body.data).toHaveLength(1);
    expect(again.body.data[0]).toMatchObject({ id: first.body.data[1]?.id, client_id: 'two' });
    expect(await stored()).toEqual([
      { slug: 'gateway_1', order: 2, clientId: 'one' },
      { slug: 'gateway_2', order: 3, clientId: 'two' },
    ]);
    await save({ gateway_slug: 'gateway_2', secret_key: 'sk_new', client_id: null, order: 1 });
    expect(await stored()).toEqual([
      { slug: 'gateway_2', order: 1, clientId: null },
      { slug: 'gateway_1', order: 2, clientId: 'one' },
    ]);
  });

  it('gives every gateway a different order under concurrent requests', async () => {
    const slugs = ['gateway_1', 'gateway_2', 'gateway_3', 'gateway_5'];
    await Promise.all(slugs.map((gateway_slug) => save({ gateway_slug, secret_key: 'sk' })));
    expect((await stored()).map(({ order }) => order)).toEqual([1, 2, 3, 4]);
  });

  it('encrypts the secret for this company and gateway only', async () => {
    await save(
      { gateway_slug: 'gateway_1', secret_key: 'sk_one' },
      { gateway_slug: 'gateway_2', secret_key: 'sk_two' },
    );
    const companyId = await companyIdOf(api, company);
    const [one, two] = await api.engine.context.gateways.listRoutableGateways(companyId, []);
    const { secretCipher } = api.engine.context;
    const open = (secret = one?.secret ?? null, owner = { companyId, slug: 'gateway_1' as GatewaySlug }) =>
      secret && secretCipher.open(owner, secret);
    expect(await open()).toEqual({ secretKey: 'sk_one', credentials: {} });
    await expect(open(two?.secret)).rejects.toThrow();
    await expect(open(one?.secret, { companyId: companyId + 1, slug: 'gateway_1' })).rejects.toThrow();
  });

  it('never changes another company’s gateways', async () => {
    const other = await register(api);
    await save({ gateway_slug: 'gateway_1', secret_key: 'sk', order: 5, client_id: 'mine' });
    await other.client('saveGateways', {
      body: { gateways: [{ gateway_slug: 'gateway_1', secret_key: 'sk', order: 9, client_id: 'theirs' }] },
    });
    expect(await stored()).toEqual([{ slug: 'gateway_1', order: 5, clientId: 'mine' }]);
    expect(await stored(other)).toEqual([{ slug: 'gateway_1', order: 9, clientId: 'theirs' }]);
  });

  it('answers 401 without a key pair and saves nothing', async () => {
    const body = { gateways: [{ gateway_slug: 'gateway_1', secret_key: 'sk' }] };
    expectStatus(await api.anonymous('saveGateways', { body }), 401);
  });

  it('answers 404 for a gateway that this deployment does not offer, and saves no gateway of the request', async () => {
    const answer = await save(
      { gateway_slug: 'gateway_1', secret_key: 'sk' },
      { gateway_slug: 'gateway_4', secret_key: 'sk' },
    );
    expect(expectStatus(answer, 404).body.code).toBe('gateway_not_found');
    expect(await stored()).toEqual([]);
  });

  it.each([
    ['gateway_slug', { gateway_slug: 'gateway_6', secret_key: 'sk' }],
    ['gateway_slug', { gateway_slug: 'gateway_7', secret_key: 'sk' }],
    ['gateway_slug', { secret_key: 'sk' }],
    ['secret_key', { gateway_slug: 'gateway_1' }],
    ['secret_key', { gateway_slug: 'gateway_1', secret_key: 'x'.repeat(501) }],
    ['order', { gateway_slug: 'gateway_1', secret_key: 'sk', order: 0 }],
    ['order', { gateway_slug: 'gateway_1', secret_key: 'sk', order: 1.5 }],
    ['client_id', { gateway_slug: 'gateway_1', secret_key: 'sk', client_id: 'x'.repeat(256) }],
    ['subaccount_information', { gateway_slug: 'gateway_1', secret_key: 'sk', use_as_subaccount: true }],
  ])('answers 422 on %s for %j, and saves no gateway of the request', async (field, item) => {
    const answer = expectStatus(await save({ gateway_slug: 'gateway_2', secret_key: 'sk' }, item), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([`gateways.1.${field}`]);
    expect(await stored()).toEqual([]);
  });

  it('answers 422 for a duplicate gateway and for an empty list', async () => {
    const item = { gateway_slug: 'gateway_1', secret_key: 'sk' };
    expect(expectStatus(await save(item, item), 422).body.errors).toHaveProperty(['gateways.1.gateway_slug']);
    expectStatus(await save(), 422);
    expectStatus(await company.client('saveGateways', { body: {} }), 422);
    expect(await stored()).toEqual([]);
  });
});
