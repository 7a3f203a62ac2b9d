import { randomUUID } from 'node:crypto';
import type { components } from '../../../src/http/generated/openapi';
import { auditOf, newCompany, startCatalogApi, type CatalogApi } from '../support/catalog-api';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerCompanyWithUser } from '../support/manual-resolution';

type Plan = components['schemas']['Plan'];

let api: CatalogApi;
let merchant: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  api = await startCatalogApi();
  other = await newCompany(api);
});
afterAll(() => api.stop());
beforeEach(async () => {
  merchant = await newCompany(api);
});

const GOLD = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'monthly' };
const ALL_FIELDS = {
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
  it('answers 201 with the plan, and omitted fields have their defaults', async () => {
    const plan = await create(merchant);
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
    expect(await show(merchant, plan)).toEqual(plan);
  });

  it('stores all fields up to their limits', async () => {
    expect(await create(merchant, ALL_FIELDS)).toMatchObject(ALL_FIELDS);
    const nothing = { description: null, billing_day: null };
    expect(await create(merchant, nothing)).toMatchObject({ ...GOLD, ...nothing });
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
    const answer = await merchant('createPlan', { body: { ...GOLD, [field]: value } });
    expect(Object.keys(expectStatus(answer, 422).body.errors ?? {})).toEqual([field]);
  });
});

describe('GET /subscriptions/plans', () => {
  it('lists the company’s plans newest first, in pages, filtered by active or not', async () => {
    const ids: string[] = [];
    for (const is_active of [true, false, true]) ids.unshift((await create(merchant, { is_active })).id);
    await create(other);
    const list = async (query: Record<string, string | number>) =>
      expectStatus(await merchant('listPlans', { query }), 200).body;
    const [first, second] = [await list({ per_page: 2 }), await list({ per_page: 2, page: 2 })];
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect(first.meta).toEqual({ current_page: 1, per_page: 2, total: 3, last_page: 2 });
    expect((await list({ is_active: 'true' })).data.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect((await list({ is_active: 'false' })).meta.total).toBe(1);
  });

  it.each([{ is_active: 'perhaps' }, { per_page: 101 }, { interval: 'monthly' }])(
    'answers 422 for %j',
    async (query) => {
      const { body } = expectStatus(await merchant('listPlans', { query }), 422);
      expect(Object.keys(body.errors ?? {})).toEqual(Object.keys(query));
    },
  );
});

describe('PATCH /subscriptions/plans/{uuid}', () => {
  it('changes only the fields in the request', async () => {
    const before = await create(merchant, { description: 'Every class', billing_day: 10 });
    const texts = { name: 'Gold plus', description: null, billing_day: null, trial_period_days: 14 };
    const after = await change(merchant, before, texts);
    expect(after).toEqual({ ...before, ...texts, updated_at: after.updated_at });
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    const terms = { amount: 100, currency: 'USD', interval: 'yearly', interval_count: 10 };
    expect(await change(merchant, after, terms)).toMatchObject({ ...texts, ...terms });
    expect(await show(merchant, before)).toMatchObject({ ...texts, ...terms });
  });

  it('accepts its own response as a request and changes nothing', async () => {
    const plan = await create(merchant, ALL_FIELDS);
    expect(await change(merchant, plan, plan)).toEqual(plan);
    expect(await change(merchant, plan, {})).toEqual(plan);
  });

  it('keeps all of several concurrent changes', async () => {
    const plan = await create(merchant);
    await Promise.all([
      change(merchant, plan, { name: 'Silver' }),
      change(merchant, plan, { amount: 5_000 }),
      change(merchant, plan, { min_card_months: 3 }),
    ]);
    const expected = { name: 'Silver', amount: 5_000, min_card_months: 3 };
    expect(await show(merchant, plan)).toMatchObject(expected);
  });

  it.each([
    ['name', { name: null }],
    ['amount', { amount: 99 }],
    ['interval', { interval: null }],
    // The plan has 24 months; 24 years are too many.
    ['interval_count', { interval: 'yearly' }],
  ])('answers 422 on %s for %j', async (field, body) => {
    const plan = await create(merchant, { interval_count: 24 });
    const answer = await merchant('updatePlan', { params: { uuid: plan.id }, body });
    expect(Object.keys(expectStatus(answer, 422).body.errors ?? {})).toEqual([field]);
    expect(await show(merchant, plan)).toEqual(plan);
  });
});

describe('DELETE /subscriptions/plans/{uuid}', () => {
  it('deactivates the plan, is idempotent, and a PATCH reactivates the plan', async () => {
    const plan = await create(merchant);
    const remove = () => merchant('deletePlan', { params: { uuid: plan.id } });
    expectStatus(await remove(), 204);
    const deactivated = await show(merchant, plan);
    expect(deactivated).toEqual({ ...plan, is_active: false, updated_at: deactivated.updated_at });
    expectStatus(await remove(), 204);
    expect(await show(merchant, plan)).toEqual(deactivated);
    expect(await change(merchant, plan, { is_active: true })).toMatchObject({ is_active: true });
  });
});

describe('a plan of another company', () => {
  it('is answered 404, like one that does not exist, and does not change', async () => {
    const plan = await create(other);
    for (const uuid of [plan.id, randomUUID(), 'plan']) {
      const params = { uuid };
      expectStatus(await merchant('getPlan', { params }), 404);
      expectStatus(await merchant('updatePlan', { params, body: { name: 'Mine' } }), 404);
      expectStatus(await merchant('deletePlan', { params }), 404);
    }
    expect(await show(other, plan)).toEqual(plan);
  });
});

describe('a plan that a user changes', () => {
  it('is the same as with the API key, and each change is recorded in the audit log', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api, []);
    const { data: plan } = expectStatus(await byToken('createUserPlan', { body: ALL_FIELDS }), 201).body;
    const params = { uuid: plan.id };
    const body = { amount: 200, is_active: true, name: plan.name };
    const { data: changed } = expectStatus(await byToken('updateUserPlan', { params, body }), 200).body;
    expectStatus(await byToken('updateUserPlan', { params, body }), 200);
    expect(await show(byKey, plan)).toEqual(changed);
    expectStatus(await byToken('deleteUserPlan', { params }), 204);
    expectStatus(await byToken('deleteUserPlan', { params }), 204);
    expect(await auditOf(byToken, plan.id)).toEqual([
      ['plan.create', ALL_FIELDS],
      ['plan.update', { amount: { from: 100, to: 200 }, is_active: { from: false, to: true } }],
      ['plan.delete', { is_active: { from: true, to: false } }],
    ]);
    const { data: found } = expectStatus(await byToken('getUserPlan', { params }), 200).body;
    expect(expectStatus(await byToken('listUserPlans'), 200).body.data).toEqual([found]);
  });

  it('is not recorded in the audit log when it is changed with the API key', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api, []);
    const plan = await create(byKey);
    await change(byKey, plan, { name: 'Silver' });
    expectStatus(await byKey('deletePlan', { params: { uuid: plan.id } }), 204);
    expect(await auditOf(byToken, plan.id)).toEqual([]);
  });
});
