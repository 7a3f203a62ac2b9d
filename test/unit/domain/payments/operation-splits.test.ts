import fc from 'fast-check';
import { allocateCapture, allocateRefund } from '../../../../src/domain/payments/operation-splits';
import { splitAmount, type Split, type SplitPart } from '../../../../src/domain/payments/split';

const split = (recipientId: string, amount: number, change: Partial<Split> = {}): Split => ({
  recipientId,
  type: 'percentage',
  amount,
  liable: false,
  chargeProcessingFee: false,
  chargeRemainderFee: false,
  ...change,
});
const flat = (recipientId: string, amount: number): Split => split(recipientId, amount, { type: 'flat' });

type AppContext = ReturnType<typeof allocateCapture>;
/** Who gets what, or what is wrong. */
const shown = (parts: AppContext) =>
  parts.valid
    ? Object.fromEntries(parts.value.map((part) => [part.recipientId, part.amountCents]))
    : parts.errors;
const total = (parts: readonly SplitPart[]): number =>
  parts.reduce((sum, { amountCents }) => sum + amountCents, 0);

const NEEDS_SPLITS = (done: string) => ({
  splits: [`flat splits need the whole amount to be ${done}, or splits for this part of it`],
});

describe('a capture', () => {
  const capture = (splits: Split[], capturedCents: number, asked: Split[] | null = null) =>
    shown(allocateCapture({ amountCents: 1_000, splits, capturedCents, asked }));
  const percentages = [split('a', 70), split('b', 30)];
  const amounts = [flat('a', 700), flat('b', 300)];

  it("spreads a part by the payment's own percentages", () => {
    expect(capture(percentages, 1_000)).toEqual({ a: 700, b: 300 });
    expect(capture(percentages, 333)).toEqual({ a: 233, b: 100 });
  });

  it('takes flat splits for the whole amount only', () => {
    expect(capture(amounts, 1_000)).toEqual({ a: 700, b: 300 });
    expect(capture(amounts, 999)).toEqual(NEEDS_SPLITS('captured'));
  });

  it('takes splits of its own instead, which must make the whole of it', () => {
    expect(capture(amounts, 500, [flat('a', 400), flat('b', 100)])).toEqual({ a: 400, b: 100 });
    expect(capture(amounts, 500, percentages)).toEqual({ a: 350, b: 150 });
    expect(capture(amounts, 500, [flat('a', 400)])).toEqual({
      splits: ['must total the amount, 500, not 400'],
    });
  });

  it('without splits is all for the company', () => {
    expect(capture([], 500)).toEqual({});
    expect(capture([], 500, [])).toEqual({});
  });

  it('names nobody who would get nothing', () => {
    expect(capture([split('a', 1), split('b', 99)], 1)).toEqual({ b: 1 });
  });
});

describe('a refund', () => {
  const captured = splitAmount([split('a', 70), split('b', 30)], 1_000);
  const refund = (
    amountCents: number,
    {
      refunded = [],
      asked = null,
      of = captured,
    }: { refunded?: SplitPart[]; asked?: Split[] | null; of?: SplitPart[] } = {},
  ) => shown(allocateRefund({ captured: of, refunded, amountCents, asked }));

  it('takes from everybody in proportion to what is still held', () => {
    expect(refund(100)).toEqual({ a: 70, b: 30 });
    const refunded = splitAmount([flat('a', 600)], 600);
    expect(refund(200, { refunded })).toEqual({ a: 50, b: 150 });
    expect(refund(400, { refunded })).toEqual({ a: 100, b: 300 });
  });

  it('takes what rounding leaves from the recipient flagged for it, as far as it holds so much', () => {
    const flagged = { chargeRemainderFee: true };
    const of = splitAmount([split('a', 50), split('b', 50, flagged)], 100);
    expect(refund(33, { of })).toEqual({ a: 16, b: 17 });
    const many = [split('a', 33), split('b', 33), split('c', 33), split('d', 1, flagged)];
    expect(refund(98, { of: splitAmount(many, 100) })).toEqual({ a: 33, b: 32, c: 32, d: 1 });
  });

  it('of flat splits needs all that is left, or splits of its own', () => {
    const of = splitAmount([flat('a', 700), flat('b', 300)], 1_000);
    const refunded = splitAmount([flat('a', 600)], 600);
    expect(refund(399, { of, refunded })).toEqual(NEEDS_SPLITS('refunded'));
    expect(refund(400, { of, refunded })).toEqual({ a: 100, b: 300 });
    expect(refund(200, { of, refunded, asked: [flat('b', 200)] })).toEqual({ b: 200 });
  });

  it('asks nobody for more than it holds, and strangers for nothing', () => {
    const refunded = splitAmount([flat('a', 600)], 600);
    expect(refund(150, { refunded, asked: [flat('a', 101), flat('b', 49)] })).toEqual({
      'splits.0.amount': ['is more than the recipient still holds, 100'],
    });
    expect(refund(2, { asked: [flat('b', 1), flat('stranger', 1)] })).toEqual({
      'splits.1.amount': ['is more than the recipient still holds, 0'],
    });
    expect(refund(200, { refunded, asked: [flat('a', 60), flat('b', 80), flat('a', 60)] })).toHaveProperty([
      'splits.2.amount',
    ]);
  });

  it('without splits is all from the company', () => {
    expect(refund(100, { of: [] })).toEqual({});
  });
});

const anySplits = fc
  .array(fc.record({ weight: fc.integer({ min: 1, max: 20 }), flagged: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((shares) => {
    const whole = shares.reduce((sum, { weight }) => sum + weight, 0);
    const percents = splitAmount(
      shares.map(({ weight }, index) => flat(`r${index}`, weight)),
      whole,
    ).map(({ amountCents }) => Math.max(1, Math.floor((amountCents * 100) / whole)));
    const [head = 0, ...tail] = percents;
    const rest = 100 - head - tail.reduce((sum, percent) => sum + percent, 0);
    const flagged = shares.findIndex((share) => share.flagged);
    return [head + rest, ...tail].map((percent, index) =>
      split(`r${index}`, percent, { chargeRemainderFee: index === flagged }),
    );
  })
  .filter((splits) => splits.every(({ amount }) => amount > 0));

describe('any refunds of any captured amount', () => {
  it('sum to what was asked, never take more than is held, and in the end exactly what everybody got', () => {
    fc.assert(
      fc.property(
        anySplits,
        fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 999_999_999_999 })),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
        (splits, amountCents, cuts) => {
          const captured = splitAmount(splits, amountCents);
          const refunded: SplitPart[] = [];
          for (const cents of partition(amountCents, cuts)) {
            const parts = allocateRefund({ captured, refunded, amountCents: cents, asked: null });
            if (!parts.valid) throw new Error('percentages can always be refunded in part');
            expect(total(parts.value)).toBe(cents);
            refunded.push(...parts.value);
            for (const part of captured) expect(of(part, refunded)).toBeLessThanOrEqual(part.amountCents);
          }
          for (const part of captured) expect(of(part, refunded)).toBe(part.amountCents);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('are fair: without a flagged recipient nobody gives a cent more or less than its share', () => {
    fc.assert(
      fc.property(
        anySplits,
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.nat(),
        (splits, amountCents, part) => {
          const captured = splitAmount(
            splits.map((each) => ({ ...each, chargeRemainderFee: false })),
            amountCents,
          );
          const cents = 1 + (part % amountCents);
          const parts = allocateRefund({ captured, refunded: [], amountCents: cents, asked: null });
          for (const held of captured) {
            const share = (held.amountCents * cents) / amountCents;
            expect(Math.abs(of(held, parts.valid ? parts.value : []) - share)).toBeLessThan(1);
          }
        },
      ),
    );
  });
});

function of({ recipientId }: SplitPart, parts: readonly SplitPart[]): number {
  return total(parts.filter((part) => part.recipientId === recipientId));
}

/** Cuts an amount into pieces of at least a cent. */
function partition(amountCents: number, cuts: readonly number[]): number[] {
  const at = [...new Set(cuts.map((cut) => Math.floor(cut * amountCents)))]
    .filter((cents) => cents > 0 && cents < amountCents)
    .sort((a, b) => a - b);
  return [...at, amountCents].map((cents, index) => cents - (at[index - 1] ?? 0));
}
