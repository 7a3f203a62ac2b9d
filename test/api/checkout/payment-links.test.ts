import { randomUUID } from 'node:crypto';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import { auditOf, newCompany, startCatalogApi, type CatalogApi } from '../support/catalog-api';
import { registerUser } from '../users/user-api';
import { slugsOf, BUYER, newLink, errorOf } from './checkout-buyer';

/* Payment links: creation, changes and deletion by their company, and their public view. */

let api: CatalogApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startCatalogApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '30' });
  client = await newCompany(api);
});
afterAll(() => api.stop());

async function newPlan(change: object = {}) {
  const body = { name: 'Gold', amount: 9_990, currency: 'USD', interval: 'yearly', ...change };
  return expectStatus(await client('createPlan', { body }), 201).body.data;
}

async function faultsOf(body: object): Promise<string[]> {
  const answer = await client('createPaymentLink', { body: { name: 'Workshop', ...body } });
  return Object.keys(expectStatus(answer, 422).body.errors ?? {});
}

it('a link has all fields of its request, and a URL from the company’s name and its own name', async () => {
  const body = {
    ...{ name: 'Oficina de Cerâmica – ação!', description: 'Sábado', type: 'one_time', amount: 18_000 },
    ...{ payment_methods: ['pix', 'card'], gateway_first_try: 'gateway_2', max_uses: 30 },
    ...{ expires_at: '2999-01-01T00:00:00.000Z', success_url: 'https://shop.example.com/thanks' },
    ...{ cancel_url: 'https://shop.example.com', metadata: { campaign: 'winter' } },
  };
  const { data: link } = expectStatus(await client('createPaymentLink', { body }), 201).body;
  expect(link).toMatchObject({
    ...body,
    ...{ slug: 'oficina-de-ceramica-acao', currency: 'BRL', plan_id: null, uses_count: 0, is_active: true },
  });
  expect(link.token).toMatch(/^plink_[0-9a-f]{32}$/);
  expect(link.checkout_url).toMatch(/\/checkout\/loja-do-centro(-[0-9a-f]+)?\/oficina-de-ceramica-acao$/);
  const params = { token: link.token };
  expect(expectStatus(await client('getPaymentLink', { params }), 200).body.data).toEqual(link);
});

it('a one-time link in BRL offers card and pix, and every other link offers cards only', async () => {
  const { id } = await newPlan();
  const created = [
    await newLink(client),
    await newLink(client, { currency: 'USD' }),
    await newLink(client, { type: 'subscription', amount: null, plan_id: id }),
  ];
  expect(created.map(({ currency, payment_methods: methods }) => [currency, methods])).toEqual([
    ['BRL', ['card', 'pix']],
    ['USD', ['card']],
    ['USD', ['card']],
  ]);
});

it('an invalid link is rejected with the names of all wrong fields', async () => {
  const { id } = await newPlan();
  expect(await faultsOf({ type: 'one_time' })).toEqual(['amount']);
  expect(await faultsOf({ type: 'one_time', amount: 1_990, plan_id: id })).toEqual(['plan_id']);
  expect(await faultsOf({ type: 'subscription' })).toEqual(['plan_id']);
  expect(await faultsOf({ type: 'subscription', plan_id: randomUUID() })).toEqual(['plan_id']);
  expect(await faultsOf({ type: 'subscription', plan_id: id, amount: 1_990 })).toEqual(['amount']);
  expect(await faultsOf({ type: 'subscription', plan_id: id, currency: 'BRL' })).toEqual(['currency']);
  expect(await faultsOf({ type: 'subscription', plan_id: id, payment_methods: ['pix'] })).toEqual([
    'payment_methods',
  ]);
  const once = { type: 'one_time', amount: 1_990 };
  expect(await faultsOf({ ...once, currency: 'USD', payment_methods: ['pix'] })).toEqual(['payment_methods']);
  expect(await faultsOf({ ...once, expires_at: '2020-01-01T00:00:00Z' })).toEqual(['expires_at']);
  expect(await faultsOf({ ...once, success_url: 'javascript:alert(1)' })).toEqual(['success_url']);
  expect(await faultsOf({ ...once, cancel_url: 'https://:' })).toEqual(['cancel_url']);
  expect(await faultsOf({ ...once, slug: 'No Slug' })).toEqual(['slug']);
  expect(await faultsOf({ ...once, interest: 'buyer' })).toEqual(['interest_rates']);
  expect(await faultsOf({ ...once, currency: 'USD', max_installments: 2 })).toEqual(['max_installments']);
  const sold = { type: 'subscription', plan_id: id };
  expect(await faultsOf({ ...sold, max_installments: 2 })).toEqual(['max_installments']);
});

it('every link has a URL of its own: a taken name gets a suffix, and a taken slug is rejected', async () => {
  const first = await newLink(client, { name: 'Bazar' });
  const second = await newLink(client, { name: 'Bazar' });
  expect(first.slug).toBe('bazar');
  expect(second.slug).toMatch(/^bazar-[0-9a-f]{8}$/);
  expect(await faultsOf({ type: 'one_time', amount: 1_990, slug: 'bazar' })).toEqual(['slug']);
  const params = { token: second.token };
  const changed = await client('updatePaymentLink', { params, body: { slug: 'bazar' } });
  expect(Object.keys(expectStatus(changed, 422).body.errors ?? {})).toEqual(['slug']);
  expectStatus(await client('deletePaymentLink', { params: { token: first.token } }), 204);
  expect((await newLink(client, { slug: 'bazar' })).slug).toBe('bazar');
});

it('two companies with the same name have different URLs', async () => {
  const [one, two] = [await newCompany(api), await newCompany(api)];
  const links = [await newLink(one, { slug: 'same' }), await newLink(two, { slug: 'same' })];
  const [first, second] = links.map(slugsOf);
  expect(first?.companySlug).not.toBe(second?.companySlug);
  expect(first?.linkSlug).toBe(second?.linkSlug);
});

it('a change updates the changeable fields and rejects changes of the others', async () => {
  const link = await newLink(client, { metadata: { a: '1' } });
  const params = { token: link.token };
  const body = {
    ...{ name: 'Other', amount: 2_500, payment_methods: ['card'], max_uses: 7, metadata: null },
    ...{ type: 'one_time', currency: 'BRL', is_active: false },
  };
  const { data: changed } = expectStatus(await client('updatePaymentLink', { params, body }), 200).body;
  expect(changed).toMatchObject({ ...body, slug: link.slug, token: link.token });
  for (const other of [{ type: 'subscription' }, { currency: 'USD' }, { plan_id: randomUUID() }]) {
    const refused = expectStatus(await client('updatePaymentLink', { params, body: other }), 422).body;
    expect(Object.keys(refused.errors ?? {})).toEqual(Object.keys(other));
  }
});

it('the list contains all links that are not deleted, newest first', async () => {
  const own = await newCompany(api);
  const [one, two, three] = [await newLink(own), await newLink(own), await newLink(own)];
  expectStatus(await own('deletePaymentLink', { params: { token: two.token } }), 204);
  const off = { params: { token: one.token }, body: { is_active: false } };
  expectStatus(await own('updatePaymentLink', off), 200);
  const listed = async (query: Record<string, string>) => {
    const { body } = expectStatus(await own('listPaymentLinks', { query }), 200);
    return [body.meta.total, ...body.data.map(({ token }) => token)];
  };
  expect(await listed({})).toEqual([2, three.token, one.token]);
  expect(await listed({ is_active: 'true' })).toEqual([1, three.token]);
  expect(await listed({ per_page: '1', page: '2' })).toEqual([2, one.token]);
});

it('the public view of a link contains only what its page needs', async () => {
  const { user, client: byToken } = await signedIn();
  const brand = { name: 'Atelier', color: '#8a4b2f' };
  expectStatus(await byToken('updateCompanyConfig', { body: { brand } }), 200);
  const link = await newLink(user, { metadata: { margin: '40%' }, gateway_first_try: 'gateway_1' });
  const shown = await api.anonymous('getPublicPaymentLink', { params: slugsOf(link) });
  expect(expectStatus(shown, 200).body).toEqual({
    data: {
      company: { name: 'Atelier', logo_url: null, color: '#8a4b2f' },
      mode: 'test',
      ...{ name: link.name, description: null, type: 'one_time', amount: link.amount, currency: 'BRL' },
      ...{ plan: null, payment_methods: ['card', 'pix'], accepts_coupons: false, document_required: true },
    },
  });
  const { id } = await newPlan({ trial_period_days: 7 });
  const sold = await newLink(client, { type: 'subscription', amount: null, plan_id: id });
  const subscription = await api.anonymous('getPublicPaymentLink', { params: slugsOf(sold) });
  expect(expectStatus(subscription, 200).body.data).toMatchObject({
    ...{ company: { name: 'Loja do Centro' }, amount: 9_990, currency: 'USD', accepts_coupons: true },
    plan: { name: 'Gold', interval: 'yearly', interval_count: 1, trial_period_days: 7 },
  });
});

it('a link without an offer has no page', async () => {
  const seen = async (end: (link: Awaited<ReturnType<typeof newLink>>) => Promise<unknown>) => {
    const link = await newLink(client);
    await end(link);
    const params = slugsOf(link);
    return [
      errorOf(await api.anonymous('getPublicPaymentLink', { params })),
      errorOf(await api.anonymous('createLinkSession', { params, body: BUYER })),
    ];
  };
  const twice = (status: number, code: string) => [
    [status, code],
    [status, code],
  ];
  const set = (columns: string) => (link: { readonly token: string }) =>
    api.context.db.queryComposed(`UPDATE payment_links SET ${columns} WHERE token = $1`, [link.token]);
  const remove = ({ token }: { token: string }) => client('deletePaymentLink', { params: { token } });
  expect(await seen(remove)).toEqual(twice(404, 'not_found'));
  expect(await seen(set('is_active = false'))).toEqual(twice(404, 'not_found'));
  expect(await seen(set(`expires_at = now() - interval '1 second'`))).toEqual(twice(410, 'link_expired'));
  expect(await seen(set('max_uses = 2, uses_count = 2'))).toEqual(twice(410, 'link_exhausted'));
  const params = { companySlug: 'nobody', linkSlug: 'nothing' };
  expect(errorOf(await api.anonymous('getPublicPaymentLink', { params }))).toEqual([404, 'not_found']);
});

it('a link to a plan that accepts no new subscribers has no page', async () => {
  const { id } = await newPlan();
  const link = await newLink(client, { type: 'subscription', amount: null, plan_id: id });
  expectStatus(await client('deletePlan', { params: { uuid: id } }), 204);
  const shown = await api.anonymous('getPublicPaymentLink', { params: slugsOf(link) });
  expect(errorOf(shown)).toEqual([404, 'not_found']);
});

it('a deleted link is not found and can be deleted only once', async () => {
  const params = { token: (await newLink(client)).token };
  expectStatus(await client('deletePaymentLink', { params }), 204);
  const answers = [
    await client('getPaymentLink', { params }),
    await client('updatePaymentLink', { params, body: {} }),
    await client('deletePaymentLink', { params }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

it('the audit log contains the changes of users, except requests that change nothing', async () => {
  const { client: byToken } = await signedIn();
  const body = { name: 'Workshop', type: 'one_time', amount: 1_990 };
  const { data: link } = expectStatus(await byToken('createUserPaymentLink', { body }), 201).body;
  const params = { token: link.token };
  expectStatus(await byToken('updateUserPaymentLink', { params, body: { amount: 1_990 } }), 200);
  expectStatus(await byToken('updateUserPaymentLink', { params, body: { amount: 2_500 } }), 200);
  expectStatus(await byToken('deleteUserPaymentLink', { params }), 204);
  const [created, changed, deleted, ...others] = await auditOf(byToken, link.token);
  expect(created).toEqual([
    'payment_link.create',
    expect.objectContaining({ name: 'Workshop', amount: 1_990 }),
  ]);
  expect(changed).toEqual(['payment_link.update', { amount: { from: 1_990, to: 2_500 } }]);
  expect(deleted?.[0]).toBe('payment_link.delete');
  expect(others).toEqual([]);
});

it('one address can open a limited number of sessions per minute', async () => {
  const own = await startCatalogApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '2' });
  const params = slugsOf(await newLink(await newCompany(own)));
  const statuses: number[] = [];
  for (let times = 0; times < 3; times += 1) {
    statuses.push((await own.anonymous('createLinkSession', { params, body: BUYER })).status);
  }
  const seen = await own.anonymous('getPublicPaymentLink', { params });
  await own.stop();
  expect(statuses).toEqual([201, 201, 429]);
  expect(seen.status).toBe(200);
});

async function signedIn() {
  const { client: byToken, registered } = await registerUser(api);
  const { client_id: clientId, api_key: apiKey } = registered.company;
  const user = apiClient(api.baseUrl, { 'X-Client-ID': clientId, 'X-API-Key': apiKey });
  return { user, client: byToken };
}
