import * as fc from 'fast-check';
import {
  couponErrors,
  couponProblem,
  discountCents,
  immutableFieldErrors,
  isUsable,
  validityPeriod,
  type CouponDetails,
} from '../../../../src/domain/subscriptions/coupon';

const ZONE = 'America/Sao_Paulo';
const TERMS = {
  isActive: true,
  validFrom: '2026-03-01',
  validUntil: '2026-03-31',
  maxRedemptions: 10,
  redemptionsCount: 9,
};

describe('redeeming a coupon', () => {
  it.each([
    ['2026-03-01T03:00:00Z', null],
    ['2026-03-01T02:59:59Z', 'coupon_not_started'],
    ['2026-04-01T02:59:59Z', null],
    ['2026-04-01T03:00:00Z', 'coupon_expired'],
  ])('at %s in São Paulo the problem is %s', (at, problem) => {
    expect(couponProblem(TERMS, new Date(at), ZONE)).toBe(problem);
  });

  it('an inactive or exhausted coupon is refused, and a coupon without an end date never expires', () => {
    const at = new Date('2026-03-10T12:00:00Z');
    expect(couponProblem({ ...TERMS, isActive: false }, at, ZONE)).toBe('coupon_inactive');
    expect(couponProblem({ ...TERMS, redemptionsCount: 10 }, at, ZONE)).toBe('coupon_exhausted');
    const endless = { ...TERMS, validUntil: null, maxRedemptions: null, redemptionsCount: 1_000_000 };
    expect(couponProblem(endless, new Date('2099-01-01T00:00:00Z'), ZONE)).toBeNull();
  });

  it('a coupon discounts at most max_cycles paid cycles', () => {
    const discount = { discountType: 'fixed', discountValue: 100, maxCycles: 2 } as const;
    expect([0, 1, 2].map((used) => isUsable(discount, used))).toEqual([true, true, false]);
    expect(isUsable({ ...discount, maxCycles: null }, 1_000)).toBe(true);
  });
});

describe('the validity period of a coupon', () => {
  const days = { validFrom: '2026-03-29', validUntil: '2026-10-25' };

  it.each([
    [ZONE, '2026-03-29T03:00:00.000Z', '2026-10-26T02:59:59.999Z'],
    ['Pacific/Kiritimati', '2026-03-28T10:00:00.000Z', '2026-10-25T09:59:59.999Z'],
    // Daylight saving starts on the first day and ends on the last.
    ['Europe/Lisbon', '2026-03-29T00:00:00.000Z', '2026-10-25T23:59:59.999Z'],
  ])('covers full days in %s', (zone, from, until) => {
    expect(validityPeriod(days, zone)).toEqual({ from: new Date(from), until: new Date(until) });
    expect(validityPeriod({ ...days, validUntil: null }, zone).until).toBeNull();
  });

  it('is exactly the time in which the coupon can be redeemed, to the millisecond', () => {
    const zone = 'Europe/Lisbon';
    const { from, until } = validityPeriod(days, zone);
    const problemAt = (ms: number) => couponProblem({ ...TERMS, ...days }, new Date(ms), zone);
    expect([+from - 1, +from, Number(until), Number(until) + 1].map(problemAt)).toEqual([
      'coupon_not_started',
      null,
      null,
      'coupon_expired',
    ]);
  });
});

describe('the fields of a coupon', () => {
  const details: CouponDetails = {
    ...{ code: 'WELCOME25', name: 'Welcome', description: null, isActive: true },
    ...{ discountType: 'percentage', discountValue: 100, maxRedemptions: null, maxCycles: null },
    ...{ validFrom: '2026-03-01', validUntil: '2026-03-02' },
  };
  const fieldsWithErrors = (change: Partial<CouponDetails>) =>
    Object.keys(couponErrors({ ...details, ...change }) ?? {});

  it('a percentage is at most 100 and valid_until is after valid_from', () => {
    expect(fieldsWithErrors({})).toEqual([]);
    expect(fieldsWithErrors({ discountValue: 101 })).toEqual(['discount_value']);
    expect(fieldsWithErrors({ discountType: 'fixed', discountValue: 101 })).toEqual([]);
    expect(fieldsWithErrors({ validUntil: '2026-03-01' })).toEqual(['valid_until']);
    expect(fieldsWithErrors({ validUntil: '2026-02-28' })).toEqual(['valid_until']);
    expect(fieldsWithErrors({ validUntil: null })).toEqual([]);
  });

  it('code and discount are immutable', () => {
    const other = { ...details, code: 'welcome25', discountType: 'fixed', discountValue: 99 } as const;
    const never = ['never changes: make another coupon'];
    expect(immutableFieldErrors(details, other)).toEqual({
      code: never,
      discount_type: never,
      discount_value: never,
    });
    expect(immutableFieldErrors(details, { ...details, name: 'Hello', maxCycles: 1 })).toBeNull();
  });
});

describe('a discount', () => {
  it.each([
    ['percentage', 10, 995, 100],
    ['percentage', 50, 101, 51],
    ['percentage', 100, 12_345, 12_345],
    ['fixed', 500, 1_000, 500],
    ['fixed', 5_000, 1_000, 1_000],
  ] as const)('of %s %d on %d cents is %d', (discountType, discountValue, amount, expected) => {
    expect(discountCents({ discountType, discountValue, maxCycles: null }, amount)).toBe(expected);
  });

  it('a discount is never more than the amount', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('percentage' as const, 'fixed' as const),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: 1_000_000_000 }),
        (discountType, discountValue, amount) => {
          const off = discountCents({ discountType, discountValue, maxCycles: null }, amount);
          expect(off).toBeGreaterThanOrEqual(0);
          expect(off).toBeLessThanOrEqual(amount);
        },
      ),
    );
  });
});
