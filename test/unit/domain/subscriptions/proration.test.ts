import * as fc from 'fast-check';
import { INTERVALS } from '../../../../src/domain/subscriptions/billing-calendar';
import {
  chargeableCents,
  changeCharge,
  isUpgrade,
  restartCharge,
  shareOf,
} from '../../../../src/domain/subscriptions/proration';

const cents = fc.integer({ min: 0, max: 10_000_000_000 });
const shares = fc
  .tuple(fc.integer({ min: 0, max: 400 * 86_400_000 }), fc.integer({ min: 1, max: 400 * 86_400_000 }))
  .map(([a, b]) => ({ part: Math.min(a, b), whole: Math.max(a, b) }));
const prices = fc.record({
  amountCents: fc.integer({ min: 100, max: 10_000_000 }),
  interval: fc.constantFrom(...INTERVALS),
  intervalCount: fc.integer({ min: 1, max: 12 }),
});

describe('a share of an amount', () => {
  it.each([
    [1_000, { part: 5, whole: 28 }, 179],
    [1, { part: 1, whole: 2 }, 1],
    [3, { part: 1, whole: 2 }, 2],
    [999, { part: 1, whole: 3 }, 333],
    [9_007_199_254_740, { part: 86_399_999, whole: 86_400_000 }, 9_007_199_150_490],
  ])('of %d at %j is %d: exact to the cent, half up', (amount, share, expected) => {
    expect(shareOf(amount, share)).toBe(expected);
  });

  it('and the rest of it make the whole, give or take the cent that both round up', () => {
    fc.assert(
      fc.property(cents, shares, (amount, { part, whole }) => {
        const both = shareOf(amount, { part, whole }) + shareOf(amount, { part: whole - part, whole });
        expect(both - amount === 0 || both - amount === 1).toBe(true);
      }),
    );
  });
});

describe('an immediate plan change', () => {
  it('costs the difference for what is left of the period', () => {
    expect(changeCharge(1_000, 3_000, { part: 15, whole: 30 })).toBe(1_000);
    expect(changeCharge(1_000, 1_001, { part: 1, whole: 2 })).toBe(1);
  });

  it('to something cheaper costs nothing and gives nothing back', () => {
    expect(changeCharge(3_000, 1_000, { part: 15, whole: 30 })).toBe(0);
  });

  it('that begins a new period costs it, less what is left of the old one', () => {
    expect(restartCharge(3_000, 30_000, { part: 10, whole: 30 })).toBe(29_000);
    expect(restartCharge(30_000, 3_000, { part: 300, whole: 365 })).toBe(0);
  });

  it('never costs less than nothing or more than the new price', () => {
    fc.assert(
      fc.property(cents, cents, shares, (before, after, left) => {
        for (const charge of [changeCharge(before, after, left), restartCharge(before, after, left)]) {
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
  ] as const)('from %j to %j: %s, by what a year costs', (from, to, expected) => {
    expect(isUpgrade(from, to)).toBe(expected);
  });

  it('goes one way, or costs the same both ways', () => {
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
])('a total of %d cents is charged as %d', (total, charged) => {
  expect(chargeableCents(total)).toBe(charged);
});
