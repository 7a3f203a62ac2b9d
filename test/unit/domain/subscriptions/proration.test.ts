import * as fc from 'fast-check';
import { INTERVALS } from '../../../../src/domain/subscriptions/billing-calendar';
import {
  chargeableCents,
  prorationCents,
  isUpgrade,
  restartChargeCents,
  fractionOf,
} from '../../../../src/domain/subscriptions/proration';

const cents = fc.integer({ min: 0, max: 10_000_000_000 });
const shares = fc
  .tuple(fc.integer({ min: 0, max: 400 * 86_400_000 }), fc.integer({ min: 1, max: 400 * 86_400_000 }))
  .map(([a, b]) => ({ numerator: Math.min(a, b), denominator: Math.max(a, b) }));
const prices = fc.record({
  amountCents: fc.integer({ min: 100, max: 10_000_000 }),
  interval: fc.constantFrom(...INTERVALS),
  intervalCount: fc.integer({ min: 1, max: 12 }),
});

describe('a fraction of an amount', () => {
  it.each([
    [1_000, { numerator: 5, denominator: 28 }, 179],
    [1, { numerator: 1, denominator: 2 }, 1],
    [3, { numerator: 1, denominator: 2 }, 2],
    [999, { numerator: 1, denominator: 3 }, 333],
    [9_007_199_254_740, { numerator: 86_399_999, denominator: 86_400_000 }, 9_007_199_150_490],
  ])('of %d, %j is %d: exact to the cent, rounded half up', (amount, fraction, expected) => {
    expect(fractionOf(amount, fraction)).toBe(expected);
  });

  it('a fraction and its complement add up to the amount, or to one cent more if both round up', () => {
    fc.assert(
      fc.property(cents, shares, (amount, { numerator, denominator }) => {
        const complement = { numerator: denominator - numerator, denominator };
        const both = fractionOf(amount, { numerator, denominator }) + fractionOf(amount, complement);
        expect(both - amount === 0 || both - amount === 1).toBe(true);
      }),
    );
  });
});

describe('an immediate plan change', () => {
  it('an upgrade costs the price difference for the rest of the period', () => {
    expect(prorationCents(1_000, 3_000, { numerator: 15, denominator: 30 })).toBe(1_000);
    expect(prorationCents(1_000, 1_001, { numerator: 1, denominator: 2 })).toBe(1);
  });

  it('a downgrade costs nothing and refunds nothing', () => {
    expect(prorationCents(3_000, 1_000, { numerator: 15, denominator: 30 })).toBe(0);
  });

  it('a change that starts a new period costs its price less the credit for the old period', () => {
    expect(restartChargeCents(3_000, 30_000, { numerator: 10, denominator: 30 })).toBe(29_000);
    expect(restartChargeCents(30_000, 3_000, { numerator: 300, denominator: 365 })).toBe(0);
  });

  it('the charge is never negative and never more than the new price', () => {
    fc.assert(
      fc.property(cents, cents, shares, (before, after, left) => {
        for (const charge of [prorationCents(before, after, left), restartChargeCents(before, after, left)]) {
          expect(charge).toBeGreaterThanOrEqual(0);
          expect(charge).toBeLessThanOrEqual(after);
        }
      }),
    );
  });
});

describe('an upgrade', () => {
  it.each([
    [
      { amountCents: 1_000, interval: 'monthly', intervalCount: 1 },
      { amountCents: 12_000, interval: 'yearly', intervalCount: 1 },
      true,
    ],
    [
      { amountCents: 1_000, interval: 'monthly', intervalCount: 1 },
      { amountCents: 11_999, interval: 'yearly', intervalCount: 1 },
      false,
    ],
    [
      { amountCents: 3_000, interval: 'monthly', intervalCount: 3 },
      { amountCents: 1_000, interval: 'monthly', intervalCount: 1 },
      true,
    ],
    [
      { amountCents: 700, interval: 'weekly', intervalCount: 1 },
      { amountCents: 100, interval: 'daily', intervalCount: 1 },
      true,
    ],
    [
      { amountCents: 700, interval: 'weekly', intervalCount: 1 },
      { amountCents: 36_499, interval: 'yearly', intervalCount: 1 },
      false,
    ],
  ] as const)('from %j to %j is an upgrade by yearly price: %s', (from, to, expected) => {
    expect(isUpgrade(from, to)).toBe(expected);
  });

  it('of two plans at least one is an upgrade from the other', () => {
    fc.assert(
      fc.property(prices, prices, (a, b) => {
        expect(isUpgrade(a, b) || isUpgrade(b, a)).toBe(true);
        expect(isUpgrade(a, a)).toBe(true);
      }),
    );
  });
});

it.each([
  [0, 0],
  [1, 0],
  [99, 0],
  [100, 100],
])('a total of %d cents is charged as %d cents', (total, charged) => {
  expect(chargeableCents(total)).toBe(charged);
});
