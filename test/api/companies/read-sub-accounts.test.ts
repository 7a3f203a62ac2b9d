import { newSubAccountId } from '../../../src/domain/shared/ids';
import { individual } from '../../unit/domain/subaccount-fixtures';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';

let api: EngineApi;
let client: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
});
afterAll(() => api.stop());
beforeEach(async () => {
  [client, other] = [await registerWithGateways(api, []), await registerWithGateways(api, [])];
});

async function create(name: string, by: ApiClient = client, document = '52998224725') {
  const body = { gateway_slug: 'gateway_2', subaccount_information: individual({ name, document }) };
  return expectStatus(await by('createSubAccount', { body }), 201).body.data;
}

describe('GET /sub-accounts', () => {
  it('lists the company’s own sub-accounts in any status, newest first and in pages', async () => {
    const created = [
      await create('first'),
      await create('second', client, '52998224799'),
      await create('third', client, '52998224700'),
    ].reverse();
    await create('theirs', other);
    const page = async (number: number) =>
      expectStatus(await client('listSubAccounts', { query: { per_page: 2, page: number } }), 200).body;
    const [first, second] = [await page(1), await page(2)];
    expect([...first.data, ...second.data]).toEqual(created);
    expect(created.map(({ status }) => status)).toEqual(['pending', 'refused', 'active']);
    expect(first.meta).toEqual({ current_page: 1, per_page: 2, total: 3, last_page: 2 });
  });

  it('returns one empty page for a company without sub-accounts', async () => {
    expect(expectStatus(await client('listSubAccounts'), 200).body).toEqual({
      data: [],
      meta: { current_page: 1, per_page: 15, total: 0, last_page: 1 },
    });
  });

  it.each([{ per_page: 101 }, { per_page: 0 }, { page: 0 }, { status: 'active' }])(
    'answers 422 for %j',
    async (query) => {
      const answer = expectStatus(await client('listSubAccounts', { query }), 422);
      expect(Object.keys(answer.body.errors ?? {})).toEqual(Object.keys(query));
    },
  );

  it('answers 401 without a key pair', async () => {
    expectStatus(await api.anonymous('listSubAccounts'), 401);
  });
});

describe('GET /sub-accounts/{id}', () => {
  it('answers 200 with the sub-account', async () => {
    const created = await create('Maria Souza');
    const { data } = expectStatus(
      await client('getSubAccount', { params: { id: created.id.toUpperCase() } }),
      200,
    ).body;
    expect(data).toEqual(created);
  });

  it('answers 404 for another company’s sub-account, with the same body as for an unknown one', async () => {
    const { id } = await create('Maria Souza');
    const bodies = await Promise.all(
      [id, newSubAccountId(), 'never', '%00', "' OR 1=1"].map(async (theirs) => {
        const { message, code } = expectStatus(
          await other('getSubAccount', { params: { id: theirs } }),
          404,
        ).body;
        return { message, code };
      }),
    );
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  it('answers 422 for a query parameter', async () => {
    const { id } = await create('Maria Souza');
    expectStatus(await client('getSubAccount', { params: { id }, query: { expand: 'all' } }), 422);
  });

  it('answers 401 without a key pair, whether or not the sub-account exists', async () => {
    const { id } = await create('Maria Souza');
    expectStatus(await api.anonymous('getSubAccount', { params: { id } }), 401);
    expectStatus(await api.anonymous('getSubAccount', { params: { id: newSubAccountId() } }), 401);
  });
});
