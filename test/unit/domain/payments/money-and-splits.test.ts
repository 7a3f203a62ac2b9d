import fc from 'fast-check';
import { formatMoney } from '../../../../src/domain/shared/money';
import { splitAmount, splitProblem, type Split } from '../../../../src/domain/payments/split';

const split = (recipientId: string, amount: number, change: Partial<Split> = {}): Split => ({
  recipientId,
  type: 'percentage',
  amount,
  liable: false,
  chargeProcessingFee: false,
  chargeRemainderFee: false,
  ...change,
});
const cents = (splits: Split[], amount: number) =>
  splitAmount(splits, amount).map((allocation) => allocation.amountCents);

describe('splits', () => {
  it('the rounding remainder goes to the largest remainders, then by request order', () => {
    expect(cents([split('a', 33), split('b', 33), split('c', 34)], 100)).toEqual([33, 33, 34]);
    expect(cents([split('a', 50), split('b', 50)], 101)).toEqual([51, 50]);
    expect(cents([split('a', 33), split('b', 67)], 101)).toEqual([33, 68]);
  });

  it('the rounding remainder goes to the recipient with charge_remainder_fee', () => {
    expect(cents([split('a', 50), split('b', 50, { chargeRemainderFee: true })], 101)).toEqual([50, 51]);
  });

  it('allocations always sum to the amount, and each is within one cent of its exact share', () => {
    const parts = fc
      .array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 8 })
      .map((weights) => percentages(weights));
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 999_999_999_999 }), (percents, amount) => {
        const shares = cents(
          percents.map((percent, index) => split(`r${index}`, percent)),
          amount,
        );
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount);
        shares.forEach((share, index) => {
          expect(Math.abs(share - ((percents[index] ?? 0) * amount) / 100)).toBeLessThan(1);
        });
      }),
    );
  });

  it('flat splits keep their exact amounts, however large', () => {
    const large = [143_050_905, 91_537_489, 162_800_922];
    const flat = large.map((amount, index) => split(`r${index}`, amount, { type: 'flat' }));
    expect(cents(flat, 397_389_316)).toEqual(large);
    expect(cents([split('a', 30, { type: 'flat' }), split('b', 70, { type: 'flat' })], 100)).toEqual([
      30, 70,
    ]);
  });

  it.each([
    [[split('a', 50), split('b', 49)], 'percentages must total 100, not 99'],
    [[split('a', 99, { type: 'flat' })], 'must total the amount, 100 cents, not 99'],
    [[split('a', 50), split('b', 50, { type: 'flat' })], 'must all be of one type'],
    [[split('a', 100)], null],
  ])('splits that do not total the amount are rejected with the problem', (splits, problem) => {
    expect(splitProblem(splits, 100)).toBe(problem);
  });
});

/** Turns weights into whole percentages that total 100. */
function percentages(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const floors = weights.map((weight) => Math.max(1, Math.floor((weight * 100) / total)));
  const rest = 100 - floors.reduce((sum, floor) => sum + floor, 0);
  const [head = 0, ...tail] = floors;
  return [head + rest, ...tail].filter((percent) => percent > 0);
}

describe('formatMoney', () => {
  it('amounts have the Brazilian format with an ordinary space', () => {
    expect(formatMoney(12_990, 'BRL')).toBe('R$ 129,90');
    expect(formatMoney(100_000_000, 'BRL')).toBe('R$ 1.000.000,00');
  });
});
