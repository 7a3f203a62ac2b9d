import { randomUUID } from 'node:crypto';
import type { components } from '../../../src/http/generated/openapi';
import { auditOf, newCompany, startCatalogApi, type CatalogApi } from '../support/catalog-api';
import { expectStatus, type ApiClient } from '../support/api-client';
import { openOffice } from '../support/manual-resolution';

type Plan = components['schemas']['Plan'];

let api: CatalogApi;
let shop: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  api = await startCatalogApi();
  other = await newCompany(api);
});
afterAll(() => api.stop());
beforeEach(async () => {
  shop = await newCompany(api);
});

const GOLD = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'monthly' };
const WHOLE = {
  name: 'Gold',
  description: 'Every class, every day',
  amount: 100,
  currency: 'USD',
  interval: 'weekly',
  interval_count: 365,
  trial_period_days: 730,
  billing_day: 31,
  min_card_months: 120,
  is_active: false,
};

const create = async (client: ApiClient, change: object = {}): Promise<Plan> =>
  expectStatus(await client('createPlan', { body: { ...GOLD, ...change } }), 201).body.data;
const show = async (client: ApiClient, { id }: Plan): Promise<Plan> =>
  expectStatus(await client('getPlan', { params: { uuid: id } }), 200).body.data;
const change = async (client: ApiClient, { id }: Plan, body: object): Promise<Plan> =>
  expectStatus(await client('updatePlan', { params: { uuid: id }, body }), 200).body.data;

describe('POST /subscriptions/plans', () => {
  it('answers 201 with the plan; what the request leaves out has its default', async () => {
    const plan = await create(shop);
    expect(plan).toEqual({
      ...GOLD,
      id: expect.any(String),
      description: null,
      interval_count: 1,
      trial_period_days: 0,
      billing_day: null,
      min_card_months: 0,
      is_active: true,
      created_at: expect.any(String),
      updated_at: plan.created_at,
    });
    expect(await show(shop, plan)).toEqual(plan);
  });

  it('keeps everything it is given, up to its bounds', async () => {
    expect(await create(shop, WHOLE)).toMatchObject(WHOLE);
    const nothing = { description: null, billing_day: null };
    expect(await create(shop, nothing)).toMatchObject({ ...GOLD, ...nothing });
  });

  it.each([
    ['name', undefined],
    ['name', ' '],
    ['name', 'x'.repeat(256)],
    ['description', 'x'.repeat(1_001)],
    ['amount', 99],
    ['amount', 100.5],
    ['amount', '9990'],
    ['currency', 'R$'],
    ['currency', undefined],
    ['interval', 'hourly'],
    ['interval_count', 0],
    ['interval_count', 121],
    ['trial_period_days', 731],
    ['trial_period_days', null],
    ['billing_day', 0],
    ['billing_day', 32],
    ['min_card_months', 121],
    ['is_active', 'yes'],
  ])('answers 422 on %s for %j', async (field, value) => {
    const answer = await shop('createPlan', { body: { ...GOLD, [field]: value } });
    expect(Object.keys(expectStatus(answer, 422).body.errors ?? {})).toEqual([field]);
  });
});

describe('GET /subscriptions/plans', () => {
  it('lists the company’s plans, newest first, by pages, and those that are active or not', async () => {
    const ids: string[] = [];
    for (const is_active of [true, false, true]) ids.unshift((await create(shop, { is_active })).id);
    await create(other);
    const list = async (query: Record<string, string | number>) =>
      expectStatus(await shop('listPlans', { query }), 200).body;
    const [first, second] = [await list({ per_page: 2 }), await list({ per_page: 2, page: 2 })];
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect(first.meta).toEqual({ current_page: 1, per_page: 2, total: 3, last_page: 2 });
    expect((await list({ is_active: 'true' })).data.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect((await list({ is_active: 'false' })).meta.total).toBe(1);
  });

  it.each([{ is_active: 'perhaps' }, { per_page: 101 }, { interval: 'monthly' }])(
    'answers 422 for %j',
    async (query) => {
      const { body } = expectStatus(await shop('listPlans', { query }), 422);
      expect(Object.keys(body.errors ?? {})).toEqual(Object.keys(query));
    },
  );
});

describe('PATCH /subscriptions/plans/{uuid}', () => {
  it('changes what the request names, and nothing else', async () => {
    const before = await create(shop, { description: 'Every class', billing_day: 10 });
    const words = { name: 'Gold plus', description: null, billing_day: null, trial_period_days: 14 };
    const after = await change(shop, before, words);
    expect(after).toEqual({ ...before, ...words, updated_at: after.updated_at });
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    const terms = { amount: 100, currency: 'USD', interval: 'yearly', interval_count: 10 };
    expect(await change(shop, after, terms)).toMatchObject({ ...words, ...terms });
    expect(await show(shop, before)).toMatchObject({ ...words, ...terms });
  });

  it('takes back what it shows, and changes nothing then', async () => {
    const plan = await create(shop, WHOLE);
    expect(await change(shop, plan, plan)).toEqual(plan);
    expect(await change(shop, plan, {})).toEqual(plan);
  });

  it('keeps both of two changes made at once', async () => {
    const plan = await create(shop);
    await Promise.all([
      change(shop, plan, { name: 'Silver' }),
      change(shop, plan, { amount: 5_000 }),
      change(shop, plan, { min_card_months: 3 }),
    ]);
    const expected = { name: 'Silver', amount: 5_000, min_card_months: 3 };
    expect(await show(shop, plan)).toMatchObject(expected);
  });

  it.each([
    ['name', { name: null }],
    ['amount', { amount: 99 }],
    ['interval', { interval: null }],
    // A plan of 24 months: as many years are too many.
    ['interval_count', { interval: 'yearly' }],
  ])('answers 422 on %s for %j', async (field, body) => {
    const plan = await create(shop, { interval_count: 24 });
    const answer = await shop('updatePlan', { params: { uuid: plan.id }, body });
    expect(Object.keys(expectStatus(answer, 422).body.errors ?? {})).toEqual([field]);
    expect(await show(shop, plan)).toEqual(plan);
  });
});

describe('DELETE /subscriptions/plans/{uuid}', () => {
  it('deactivates the plan, once or twice, and a PATCH takes it back', async () => {
    const plan = await create(shop);
    const remove = () => shop('deletePlan', { params: { uuid: plan.id } });
    expectStatus(await remove(), 204);
    const deactivated = await show(shop, plan);
    expect(deactivated).toEqual({ ...plan, is_active: false, updated_at: deactivated.updated_at });
    expectStatus(await remove(), 204);
    expect(await show(shop, plan)).toEqual(deactivated);
    expect(await change(shop, plan, { is_active: true })).toMatchObject({ is_active: true });
  });
});

describe('a plan of another company', () => {
  it('is 404 like one that never was, and stays as it is', async () => {
    const plan = await create(other);
    for (const uuid of [plan.id, randomUUID(), 'plan']) {
      const params = { uuid };
      expectStatus(await shop('getPlan', { params }), 404);
      expectStatus(await shop('updatePlan', { params, body: { name: 'Mine' } }), 404);
      expectStatus(await shop('deletePlan', { params }), 404);
    }
    expect(await show(other, plan)).toEqual(plan);
  });
});

describe('a plan that a user changes', () => {
  it('is the same as with the API key, and each change of it stands in the audit log', async () => {
    const { byKey, byToken } = await openOffice(api, []);
    const { data: plan } = expectStatus(await byToken('createUserPlan', { body: WHOLE }), 201).body;
    const params = { uuid: plan.id };
    const body = { amount: 200, is_active: true, name: plan.name };
    const { data: changed } = expectStatus(await byToken('updateUserPlan', { params, body }), 200).body;
    expectStatus(await byToken('updateUserPlan', { params, body }), 200);
    expect(await show(byKey, plan)).toEqual(changed);
    expectStatus(await byToken('deleteUserPlan', { params }), 204);
    expectStatus(await byToken('deleteUserPlan', { params }), 204);
    expect(await auditOf(byToken, plan.id)).toEqual([
      ['plan.create', WHOLE],
      ['plan.update', { amount: { from: 100, to: 200 }, is_active: { from: false, to: true } }],
      ['plan.delete', { is_active: { from: true, to: false } }],
    ]);
    const { data: found } = expectStatus(await byToken('getUserPlan', { params }), 200).body;
    expect(expectStatus(await byToken('listUserPlans'), 200).body.data).toEqual([found]);
  });

  it('is nobody’s in the log when the company’s program changes it', async () => {
    const { byKey, byToken } = await openOffice(api, []);
    const plan = await create(byKey);
    await change(byKey, plan, { name: 'Silver' });
    expectStatus(await byKey('deletePlan', { params: { uuid: plan.id } }), 204);
    expect(await auditOf(byToken, plan.id)).toEqual([]);
  });
});
