import { randomUUID } from 'node:crypto';
import type { components } from '../../../src/http/generated/openapi';
import { auditOf, newCompany, startCatalogApi, type CatalogApi } from '../support/catalog-api';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerCompanyWithUser } from '../support/manual-resolution';

type Coupon = components['schemas']['Coupon'];

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

const QUARTER = {
  code: 'WELCOME25',
  name: 'Welcome',
  discount_type: 'percentage',
  discount_value: 25,
  valid_from: '2026-03-01',
};
const ALL_FIELDS = {
  ...QUARTER,
  description: 'For those who come in March',
  max_redemptions: 100,
  max_cycles: 3,
  valid_until: '2026-03-31',
};

const create = async (client: ApiClient, change: object = {}): Promise<Coupon> =>
  expectStatus(await client('createCoupon', { body: { ...QUARTER, ...change } }), 201).body.data;
const show = async (client: ApiClient, { id }: Coupon): Promise<Coupon> =>
  expectStatus(await client('getCoupon', { params: { uuid: id } }), 200).body.data;
const change = async (client: ApiClient, { id }: Coupon, body: object): Promise<Coupon> =>
  expectStatus(await client('updateCoupon', { params: { uuid: id }, body }), 200).body.data;
const refusedFields = async (client: ApiClient, { id }: Coupon, body: object): Promise<string[]> => {
  const answer = await client('updateCoupon', { params: { uuid: id }, body });
  return Object.keys(expectStatus(answer, 422).body.errors ?? {});
};

describe('POST /subscriptions/coupons', () => {
  it('answers 201 with the coupon, and omitted fields are null', async () => {
    const coupon = await create(merchant);
    expect(coupon).toEqual({
      ...QUARTER,
      id: expect.any(String),
      description: null,
      max_redemptions: null,
      redemptions_count: 0,
      max_cycles: null,
      valid_from: '2026-03-01T03:00:00.000Z',
      valid_until: null,
      is_active: true,
      created_at: expect.any(String),
    });
    expect(await show(merchant, coupon)).toEqual(coupon);
    const nulls = { description: null, max_redemptions: null, max_cycles: null, valid_until: null };
    expect(await create(merchant, { ...nulls, code: 'b' })).toMatchObject(nulls);
  });

  it('stores all fields and shows the validity days as instants in the company’s time zone', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api, []);
    const coupon = await create(byKey, ALL_FIELDS);
    const days = { valid_from: '2026-03-01T03:00:00.000Z', valid_until: '2026-04-01T02:59:59.999Z' };
    expect(coupon).toMatchObject({ ...ALL_FIELDS, ...days });
    const timezone = 'Asia/Tokyo';
    expectStatus(await byToken('updateCompanyConfig', { body: { timezone } }), 200);
    const inTokyo = { valid_from: '2026-02-28T15:00:00.000Z', valid_until: '2026-03-31T14:59:59.999Z' };
    expect(await show(byKey, coupon)).toEqual({ ...coupon, ...inTokyo });
  });

  it.each([
    ['a percentage of 100', { discount_value: 100 }],
    ['a single cent', { discount_type: 'fixed', discount_value: 1 }],
    ['any number of cents', { discount_type: 'fixed', discount_value: 999_999_999_999 }],
    ['a code of 50', { code: 'x'.repeat(50) }],
    ['the first and last valid dates', { valid_from: '2000-01-01', valid_until: '2999-12-31' }],
  ])('accepts %s', async (_what, fields) => {
    const {
      valid_from: _from,
      valid_until: _until,
      ...stored
    } = { valid_from: '', valid_until: '', ...fields };
    expect(await create(merchant, fields)).toMatchObject(stored);
  });

  it.each([
    ['code', { code: undefined }],
    ['code', { code: '' }],
    ['code', { code: 'x'.repeat(51) }],
    ['code', { code: 'WELCOME-25' }],
    ['code', { code: 'VERÃO' }],
    ['name', { name: undefined }],
    ['name', { name: 'x'.repeat(256) }],
    ['description', { description: 'x'.repeat(1_001) }],
    ['discount_type', { discount_type: 'free' }],
    ['discount_value', { discount_value: 0 }],
    ['discount_value', { discount_value: 101 }],
    ['discount_value', { discount_value: 2.5 }],
    ['discount_value', { discount_type: 'fixed', discount_value: 0 }],
    ['max_redemptions', { max_redemptions: 0 }],
    ['max_cycles', { max_cycles: 0 }],
    ['valid_from', { valid_from: undefined }],
    ['valid_from', { valid_from: '2026-02-29' }],
    ['valid_from', { valid_from: '2026-03-01T00:00:00Z' }],
    ['valid_from', { valid_from: '0000-01-01' }],
    ['valid_until', { valid_until: '9999-12-31' }],
    ['valid_until', { valid_until: '2026-03-01' }],
    ['valid_until', { valid_until: '2026-02-28' }],
  ])('answers 422 on %s for %j', async (field, fields) => {
    const answer = await merchant('createCoupon', { body: { ...QUARTER, ...fields } });
    expect(Object.keys(expectStatus(answer, 422).body.errors ?? {})).toEqual([field]);
  });

  it('refuses a code that another coupon of the company, active or not, has with the same case', async () => {
    const coupon = await create(merchant);
    await create(merchant, { code: 'welcome25' });
    await create(other);
    const again = async () => {
      const { body } = expectStatus(await merchant('createCoupon', { body: ALL_FIELDS }), 422);
      expect(body.errors).toEqual({ code: ['has already been taken'] });
    };
    await again();
    expectStatus(await merchant('deleteCoupon', { params: { uuid: coupon.id } }), 204);
    await again();
  });

  it('creates one coupon for concurrent requests with the same code', async () => {
    const requests = Array.from({ length: 5 }, () => merchant('createCoupon', { body: QUARTER }));
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 422, 422, 422, 422]);
  });
});

describe('GET /subscriptions/coupons', () => {
  it('lists the company’s coupons newest first, in pages, filtered by code and by active or not', async () => {
    const coupons: Coupon[] = [];
    for (const code of ['A', 'B', 'C']) coupons.unshift(await create(merchant, { code }));
    const [newest, middle] = coupons;
    if (newest === undefined || middle === undefined) throw new Error('three coupons were created');
    await create(other, { code: 'A' });
    await change(merchant, middle, { is_active: false });
    const list = async (query: Record<string, string | number>) =>
      expectStatus(await merchant('listCoupons', { query }), 200).body;
    const codesOf = async (query: Record<string, string | number>) =>
      (await list(query)).data.map(({ code }) => code);
    expect(await codesOf({})).toEqual(['C', 'B', 'A']);
    expect(await codesOf({ per_page: 2, page: 2 })).toEqual(['A']);
    expect((await list({ per_page: 2 })).meta).toEqual({
      current_page: 1,
      per_page: 2,
      total: 3,
      last_page: 2,
    });
    expect(await codesOf({ is_active: 'true' })).toEqual(['C', 'A']);
    expect(await codesOf({ is_active: 'false' })).toEqual(['B']);
    expect((await list({ code: 'C' })).data).toEqual([newest]);
    expect(await codesOf({ code: 'c' })).toEqual([]);
    expect(await codesOf({ code: 'B', is_active: 'true' })).toEqual([]);
  });

  it.each([{ is_active: '1' }, { code: 'x'.repeat(51) }, { page: 0 }, { name: 'Welcome' }])(
    'answers 422 for %j',
    async (query) => {
      const { body } = expectStatus(await merchant('listCoupons', { query }), 422);
      expect(Object.keys(body.errors ?? {})).toEqual(Object.keys(query));
    },
  );
});

describe('PATCH /subscriptions/coupons/{uuid}', () => {
  it('changes only the fields in the request', async () => {
    const before = await create(merchant, ALL_FIELDS);
    const more = { name: 'Hello', description: null, max_redemptions: 1, max_cycles: null, is_active: false };
    const days = { valid_from: '2026-04-01', valid_until: '2026-04-02' };
    const after = await change(merchant, before, { ...more, ...days });
    const instants = { valid_from: '2026-04-01T03:00:00.000Z', valid_until: '2026-04-03T02:59:59.999Z' };
    expect(after).toEqual({ ...before, ...more, ...instants });
    expect(await change(merchant, before, { valid_until: null })).toEqual({ ...after, valid_until: null });
    expect(await change(merchant, before, {})).toEqual({ ...after, valid_until: null });
    expect(await show(merchant, before)).toEqual({ ...after, valid_until: null });
  });

  it('refuses to change the code or the discount, and accepts their current values', async () => {
    const coupon = await create(merchant, ALL_FIELDS);
    expect(await change(merchant, coupon, ALL_FIELDS)).toEqual(coupon);
    const discount = { discount_type: 'fixed', discount_value: 26 };
    expect(await refusedFields(merchant, coupon, { code: 'OTHER' })).toEqual(['code']);
    expect(await refusedFields(merchant, coupon, discount)).toEqual(Object.keys(discount));
    expect(await show(merchant, coupon)).toEqual(coupon);
  });

  it.each([
    ['valid_until', { valid_until: '2026-03-01' }],
    ['valid_until', { valid_from: '2026-03-31' }],
    ['valid_from', { valid_from: null }],
    ['max_redemptions', { max_redemptions: 0 }],
    ['name', { name: '' }],
  ])('answers 422 on %s for %j', async (field, body) => {
    const coupon = await create(merchant, ALL_FIELDS);
    expect(await refusedFields(merchant, coupon, body)).toEqual([field]);
    expect(await show(merchant, coupon)).toEqual(coupon);
  });

  it('refuses to change max_cycles after a redemption, and accepts a lower max_redemptions', async () => {
    const { byKey, companyId } = await registerCompanyWithUser(api, []);
    const coupon = await create(byKey, ALL_FIELDS);
    const { db, coupons } = api.context;
    const at = new Date('2026-03-10T12:00:00Z');
    const redeem = () =>
      db.inTransaction((tx) => coupons.redeem(tx, companyId, coupon.code, at, 'America/Sao_Paulo'));
    await Promise.all([redeem(), redeem()]);
    const answer = await byKey('updateCoupon', { params: { uuid: coupon.id }, body: { max_cycles: 4 } });
    const { message, code } = expectStatus(answer, 409).body;
    expect({ message, code }).toEqual({
      message: 'The coupon has been redeemed: max_cycles can no longer change. Create another coupon.',
      code: 'invalid_state',
    });
    const fewer = { max_cycles: 3, max_redemptions: 1 };
    expect(await change(byKey, coupon, fewer)).toEqual({ ...coupon, ...fewer, redemptions_count: 2 });
    expect((await redeem()).problem).toBe('coupon_exhausted');
  });
});

describe('DELETE /subscriptions/coupons/{uuid}', () => {
  it('deactivates the coupon, is idempotent, and a PATCH reactivates the coupon', async () => {
    const coupon = await create(merchant);
    const remove = () => merchant('deleteCoupon', { params: { uuid: coupon.id } });
    expectStatus(await remove(), 204);
    expectStatus(await remove(), 204);
    expect(await show(merchant, coupon)).toEqual({ ...coupon, is_active: false });
    expect(await change(merchant, coupon, { is_active: true })).toEqual(coupon);
  });
});

describe('a coupon of another company', () => {
  it('is answered 404, like one that does not exist, and does not change', async () => {
    const coupon = await create(other, { code: randomUUID().replaceAll('-', '') });
    for (const uuid of [coupon.id, randomUUID(), 'coupon']) {
      const params = { uuid };
      expectStatus(await merchant('getCoupon', { params }), 404);
      expectStatus(await merchant('updateCoupon', { params, body: { name: 'Mine' } }), 404);
      expectStatus(await merchant('deleteCoupon', { params }), 404);
    }
    expect(await show(other, coupon)).toEqual(coupon);
  });
});

describe('a coupon that a user changes', () => {
  it('is the same as with the API key, and each change is recorded in the audit log', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api, []);
    const { data: coupon } = expectStatus(await byToken('createUserCoupon', { body: ALL_FIELDS }), 201).body;
    const params = { uuid: coupon.id };
    const body = { valid_until: '2026-04-30', max_redemptions: null, name: coupon.name };
    const { data: changed } = expectStatus(await byToken('updateUserCoupon', { params, body }), 200).body;
    expectStatus(await byToken('updateUserCoupon', { params, body }), 200);
    expect(await show(byKey, coupon)).toEqual(changed);
    expectStatus(await byToken('deleteUserCoupon', { params }), 204);
    expectStatus(await byToken('deleteUserCoupon', { params }), 204);
    expect(await auditOf(byToken, coupon.id)).toEqual([
      ['coupon.create', { ...ALL_FIELDS, is_active: true }],
      [
        'coupon.update',
        { max_redemptions: { from: 100, to: null }, valid_until: { from: '2026-03-31', to: '2026-04-30' } },
      ],
      ['coupon.delete', { is_active: { from: true, to: false } }],
    ]);
    const { data: found } = expectStatus(await byToken('getUserCoupon', { params }), 200).body;
    expect(expectStatus(await byToken('listUserCoupons'), 200).body.data).toEqual([found]);
  });

  it('is not recorded in the audit log when it is changed with the API key', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api, []);
    const coupon = await create(byKey);
    await change(byKey, coupon, { name: 'Hello' });
    expectStatus(await byKey('deleteCoupon', { params: { uuid: coupon.id } }), 204);
    expect(await auditOf(byToken, coupon.id)).toEqual([]);
  });
});
