import * as fc from 'fast-check';
import { INTERVALS } from '../../../../src/domain/subscriptions/billing-calendar';
import { paidWithCredit } from '../../../../src/domain/subscriptions/cycle-price';
import {
  prorationCost,
  isUpgrade,
  restartCost,
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

const costs = (totalCents: number) => ({ totalCents, leftOverCents: 0 });
const leavesOver = (leftOverCents: number) => ({ totalCents: 0, leftOverCents });

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
    expect(prorationCost(1_000, 3_000, { numerator: 15, denominator: 30 })).toEqual(costs(1_000));
    expect(prorationCost(1_000, 1_001, { numerator: 1, denominator: 2 })).toEqual(costs(1));
  });

  it('a downgrade costs nothing and leaves over the price difference for the rest of the period', () => {
    expect(prorationCost(3_000, 1_000, { numerator: 15, denominator: 30 })).toEqual(leavesOver(1_000));
  });

  it('a change that starts a new period costs its price less the unused value of the old period', () => {
    expect(restartCost(3_000, 30_000, { numerator: 10, denominator: 30 })).toEqual(costs(29_000));
    expect(restartCost(30_000, 3_000, { numerator: 300, denominator: 300 })).toEqual(leavesOver(27_000));
  });

  it('a change costs at most the new price or leaves over at most the old one, never both', () => {
    fc.assert(
      fc.property(cents, cents, shares, (before, after, left) => {
        for (const cost of [prorationCost(before, after, left), restartCost(before, after, left)]) {
          expect(cost.totalCents === 0 || cost.leftOverCents === 0).toBe(true);
          expect(cost.totalCents).toBeGreaterThanOrEqual(0);
          expect(cost.totalCents).toBeLessThanOrEqual(after);
          expect(cost.leftOverCents).toBeGreaterThanOrEqual(0);
          expect(cost.leftOverCents).toBeLessThanOrEqual(before);
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

describe('a total that is paid with credit', () => {
  it.each([
    [99, 500, 0, 0],
    [100, 0, 0, 100],
    [500, 0, 0, 500],
    [500, 200, 200, 300],
    [500, 450, 400, 100],
    [500, 500, 500, 0],
    [500, 900, 500, 0],
    [150, 100, 50, 100],
  ])(
    'of %d cents with a balance of %d uses %d and charges %d',
    (total, balance, creditCents, chargeCents) => {
      expect(paidWithCredit(total, { creditBalanceCents: balance })).toEqual({ creditCents, chargeCents });
    },
  );

  it('leaves a charge of 0 or at least 100 cents, and waives only totals below 100', () => {
    fc.assert(
      fc.property(cents, cents, (total, balance) => {
        const { creditCents, chargeCents } = paidWithCredit(total, { creditBalanceCents: balance });
        expect(chargeCents === 0 || chargeCents >= 100).toBe(true);
        expect(creditCents).toBeLessThanOrEqual(balance);
        expect(creditCents + chargeCents).toBe(total < 100 ? 0 : total);
      }),
    );
  });
});
