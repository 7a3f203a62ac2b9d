import { createAppContext, type AppContext } from '../../src/composition/app-context';
import type { Coupon, CouponDetails } from '../../src/domain/subscriptions/coupon';
import { newCouponId } from '../../src/domain/shared/ids';
import { insertCompany } from '../support/fixtures/companies';
import { createTestDatabase, testConfig } from '../support/stack/test-config';
import { waitFor } from '../support/stack/wait-for';
import { waitingForLocks } from '../support/stack/waiting-for-locks';

const ZONE = 'America/Sao_Paulo';
const NOW = new Date('2026-03-10T12:00:00Z');
const WELCOME: CouponDetails = {
  code: 'WELCOME',
  name: 'Welcome',
  description: null,
  discountType: 'percentage',
  discountValue: 25,
  maxRedemptions: null,
  maxCycles: 3,
  validFrom: '2026-03-01',
  validUntil: '2026-03-31',
  isActive: true,
};

let context: AppContext;
let companyId: number;
beforeAll(async () => {
  context = createAppContext(testConfig({}, await createTestDatabase()));
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});
beforeEach(async () => {
  companyId = await insertCompany(context);
});

async function newCoupon(change: Partial<CouponDetails> = {}): Promise<Coupon> {
  const coupon = { ...WELCOME, ...change, uuid: newCouponId(), companyId };
  const made = await context.db.inTransaction((tx) => context.coupons.insert(tx, coupon, NOW));
  if (made === null) throw new Error('the code is in use');
  return made;
}

const redeem = (code = WELCOME.code, at = NOW, company = companyId) =>
  context.db.inTransaction((tx) => context.coupons.redeem(tx, company, code, at, ZONE));
const check = (code = WELCOME.code, at = NOW) => context.coupons.check(companyId, code, at, ZONE);
const releaseRedemption = ({ id }: Coupon) =>
  context.db.inTransaction((tx) => context.coupons.releaseRedemption(tx, id));
const countOf = async ({ id }: Coupon): Promise<number> =>
  (await context.db.inTransaction((tx) => context.coupons.get(tx, id))).redemptionsCount;

describe('a coupon', () => {
  it('is redeemed exactly as often as it has redemptions left when a hundred requests compete', async () => {
    const coupon = await newCoupon({ maxRedemptions: 13 });
    for (let taken = 0; taken < 3; taken++) await redeem();
    const answers = await Promise.all(Array.from({ length: 100 }, () => redeem()));
    const problems = answers.map(({ problem }) => problem).filter((problem) => problem !== null);
    expect(problems).toEqual(Array(90).fill('coupon_exhausted'));
    const counts = answers.flatMap(({ coupon: redeemed }) => redeemed?.redemptionsCount ?? []);
    expect(counts.sort((a, b) => a - b)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(await countOf(coupon)).toBe(13);
  });

  it('is returned with the redemption counted and with its updated_at unchanged', async () => {
    const coupon = await newCoupon();
    expect(await redeem()).toEqual({ coupon: { ...coupon, redemptionsCount: 1 }, problem: null });
  });

  it.each([
    ['coupon_inactive', { isActive: false }],
    ['coupon_not_started', { validFrom: '2026-03-11' }],
    ['coupon_expired', { validUntil: '2026-03-09' }],
  ])('is not redeemed and returns the reason: %s', async (problem, change) => {
    const coupon = await newCoupon(change);
    expect(await redeem()).toEqual({ coupon: null, problem });
    expect(await check()).toEqual({ coupon: null, problem });
    expect(await countOf(coupon)).toBe(0);
  });

  it.each([
    ['2026-03-01T02:59:59.999Z', 'coupon_not_started'],
    ['2026-03-01T03:00:00.000Z', null],
    ['2026-04-01T02:59:59.999Z', null],
    ['2026-04-01T03:00:00.000Z', 'coupon_expired'],
  ])('is redeemed on its days in the company’s time zone; at %s: %s', async (at, expected) => {
    await newCoupon();
    const { problem } = await redeem(WELCOME.code, new Date(at));
    expect(problem).toBe(expected);
    expect((await check(WELCOME.code, new Date(at))).problem).toBe(expected);
  });

  it('is found by its exact code, within its company only', async () => {
    const coupon = await newCoupon();
    const others = await insertCompany(context);
    const answers = [await redeem('welcome'), await redeem('WELCOME '), await redeem('WELCOME', NOW, others)];
    expect(answers).toEqual(Array(3).fill({ coupon: null, problem: 'coupon_not_found' }));
    expect((await check('welcome')).problem).toBe('coupon_not_found');
    expect(await countOf(coupon)).toBe(0);
  });

  it('can be checked without being redeemed', async () => {
    const coupon = await newCoupon({ maxRedemptions: 1 });
    expect(await check()).toEqual({ coupon, problem: null });
    expect((await redeem()).problem).toBeNull();
    expect((await check()).problem).toBe('coupon_exhausted');
  });

  it('can be redeemed again after a release, and a second release has no effect', async () => {
    const coupon = await newCoupon({ maxRedemptions: 1 });
    await redeem();
    await releaseRedemption(coupon);
    await releaseRedemption(coupon);
    expect(await countOf(coupon)).toBe(0);
    expect((await redeem()).problem).toBeNull();
    expect((await redeem()).problem).toBe('coupon_exhausted');
  });

  it('gives its last redemption to the waiting transaction when the first one rolls back', async () => {
    const coupon = await newCoupon({ maxRedemptions: 1 });
    let waiting: ReturnType<typeof redeem> | undefined;
    const failed = context.db.inTransaction(async (tx) => {
      await context.coupons.redeem(tx, companyId, coupon.code, NOW, ZONE);
      waiting = redeem();
      await waitFor(async () => (await waitingForLocks(context.db)) === 1, {
        what: 'the second redemption to wait',
      });
      throw new Error('the subscription was not created');
    });
    await expect(failed).rejects.toThrow('the subscription was not created');
    expect((await waiting)?.problem).toBeNull();
    expect(await countOf(coupon)).toBe(1);
  });
});
