import fc from 'fast-check';
import {
  allocateCapture,
  allocateRefund,
  haveRecipientsReceived,
} from '../../../../src/domain/payments/operation-splits';
import { splitAmount, type Split, type SplitAllocation } from '../../../../src/domain/payments/split';

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

/** Cents by recipient, or the errors. */
const summarize = (allocated: ReturnType<typeof allocateCapture>) =>
  allocated.valid
    ? Object.fromEntries(allocated.value.map(({ recipientId, amountCents }) => [recipientId, amountCents]))
    : allocated.errors;
const total = (allocations: readonly SplitAllocation[]): number =>
  allocations.reduce((sum, { amountCents }) => sum + amountCents, 0);

const NEEDS_SPLITS = (verb: string) => ({
  splits: [`flat splits need the whole amount to be ${verb}, or splits for this part of it`],
});

describe('the recipients of a split payment', () => {
  it.each([
    ['card', null, true],
    ['pix', null, false],
    ['pix', 999, false],
    ['pix', 1_000, true],
    ['billet', 1_001, true],
  ] as const)(
    'by %s of 1000 cents, of which %s are paid, have received their shares: %s',
    (method, paid, expected) => {
      const payment = { paymentMethod: method, amountCents: 1_000, paidAmountCents: paid };
      expect(haveRecipientsReceived(payment)).toBe(expected);
    },
  );
});

describe('a capture', () => {
  const capture = (splits: Split[], capturedCents: number, requestedSplits: Split[] | null = null) =>
    summarize(allocateCapture({ amountCents: 1_000, splits, capturedCents, requestedSplits }));
  const percentages = [split('a', 70), split('b', 30)];
  const amounts = [flat('a', 700), flat('b', 300)];

  it("a capture is divided by the payment's own percentages", () => {
    expect(capture(percentages, 1_000)).toEqual({ a: 700, b: 300 });
    expect(capture(percentages, 333)).toEqual({ a: 233, b: 100 });
  });

  it('flat splits of the payment only apply to a full capture', () => {
    expect(capture(amounts, 1_000)).toEqual({ a: 700, b: 300 });
    expect(capture(amounts, 999)).toEqual(NEEDS_SPLITS('captured'));
  });

  it('splits of the capture replace those of the payment and must total the capture', () => {
    expect(capture(amounts, 500, [flat('a', 400), flat('b', 100)])).toEqual({ a: 400, b: 100 });
    expect(capture(amounts, 500, percentages)).toEqual({ a: 350, b: 150 });
    expect(capture(amounts, 500, [flat('a', 400)])).toEqual({
      splits: ['must total the amount, 500 cents, not 400'],
    });
  });

  it('a capture without splits goes to the company', () => {
    expect(capture([], 500)).toEqual({});
    expect(capture([], 500, [])).toEqual({});
  });

  it('an empty list of splits means those of the payment', () => {
    expect(capture(percentages, 500, [])).toEqual({ a: 350, b: 150 });
  });

  it('recipients that would receive nothing are left out', () => {
    expect(capture([split('a', 1), split('b', 99)], 1)).toEqual({ b: 1 });
  });
});

describe('a refund', () => {
  const captured = splitAmount([split('a', 70), split('b', 30)], 1_000);
  const refund = (
    amountCents: number,
    {
      refunded = [],
      requestedSplits = null,
      of = captured,
    }: { refunded?: SplitAllocation[]; requestedSplits?: Split[] | null; of?: SplitAllocation[] } = {},
  ) => summarize(allocateRefund({ captured: of, refunded, amountCents, requestedSplits }));

  it('a refund is divided in proportion to what each recipient still holds', () => {
    expect(refund(100)).toEqual({ a: 70, b: 30 });
    const refunded = splitAmount([flat('a', 600)], 600);
    expect(refund(200, { refunded })).toEqual({ a: 50, b: 150 });
    expect(refund(400, { refunded })).toEqual({ a: 100, b: 300 });
  });

  it('the rounding remainder is taken from the recipient with charge_remainder_fee, up to its holding', () => {
    const flagged = { chargeRemainderFee: true };
    const of = splitAmount([split('a', 50), split('b', 50, flagged)], 100);
    expect(refund(33, { of })).toEqual({ a: 16, b: 17 });
    const many = [split('a', 33), split('b', 33), split('c', 33), split('d', 1, flagged)];
    expect(refund(98, { of: splitAmount(many, 100) })).toEqual({ a: 33, b: 32, c: 32, d: 1 });
  });

  it('flat splits can be refunded in full, or with splits of the refund', () => {
    const of = splitAmount([flat('a', 700), flat('b', 300)], 1_000);
    const refunded = splitAmount([flat('a', 600)], 600);
    expect(refund(399, { of, refunded })).toEqual(NEEDS_SPLITS('refunded'));
    expect(refund(400, { of, refunded })).toEqual({ a: 100, b: 300 });
    expect(refund(200, { of, refunded, requestedSplits: [flat('b', 200)] })).toEqual({ b: 200 });
  });

  it('a requested split that exceeds a holding, or names an unknown recipient, is rejected', () => {
    const refunded = splitAmount([flat('a', 600)], 600);
    expect(refund(150, { refunded, requestedSplits: [flat('a', 101), flat('b', 49)] })).toEqual({
      'splits.0.amount': ['is more than the recipient still holds, 100 cents'],
    });
    expect(refund(2, { requestedSplits: [flat('b', 1), flat('unknown', 1)] })).toEqual({
      'splits.1.amount': ['is more than the recipient still holds, 0 cents'],
    });
    expect(
      refund(200, { refunded, requestedSplits: [flat('a', 60), flat('b', 80), flat('a', 60)] }),
    ).toHaveProperty(['splits.2.amount']);
  });

  it('requested splits may take everything that a recipient holds, and must total the refund', () => {
    expect(refund(300, { requestedSplits: [flat('b', 300)] })).toEqual({ b: 300 });
    expect(refund(300, { requestedSplits: [flat('b', 299)] })).toEqual({
      splits: ['must total the amount, 300 cents, not 299'],
    });
    expect(refund(100, { requestedSplits: [] })).toEqual({ a: 70, b: 30 });
  });

  it('earlier refunds of a recipient with several shares are deducted from them once', () => {
    const of = splitAmount([split('a', 50), split('b', 30), split('a', 20)], 1_000);
    const refunded = splitAmount([flat('a', 600)], 600);
    const left = allocateRefund({ captured: of, refunded, amountCents: 400, requestedSplits: null });
    expect(
      left.valid && left.value.map(({ recipientId, amountCents }) => [recipientId, amountCents]),
    ).toEqual([
      ['b', 300],
      ['a', 100],
    ]);
  });

  it('a refund without splits is taken from the company', () => {
    expect(refund(100, { of: [] })).toEqual({});
  });
});

const anySplits = fc
  .array(fc.record({ weight: fc.integer({ min: 1, max: 20 }), flagged: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((shares) => {
    const weights = shares.reduce((sum, { weight }) => sum + weight, 0);
    const percents = splitAmount(
      shares.map(({ weight }, index) => flat(`r${index}`, weight)),
      weights,
    ).map(({ amountCents }) => Math.max(1, Math.floor((amountCents * 100) / weights)));
    const [head = 0, ...tail] = percents;
    const rest = 100 - head - tail.reduce((sum, percent) => sum + percent, 0);
    const flagged = shares.findIndex((share) => share.flagged);
    return [head + rest, ...tail].map((percent, index) =>
      split(`r${index}`, percent, { chargeRemainderFee: index === flagged }),
    );
  })
  .filter((splits) => splits.every(({ amount }) => amount > 0));

describe('any refunds of any captured amount', () => {
  it('every refund sums to its amount and never exceeds a holding, and all refunds return exactly what each recipient received', () => {
    fc.assert(
      fc.property(
        anySplits,
        fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 999_999_999_999 })),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
        (splits, amountCents, cuts) => {
          const captured = splitAmount(splits, amountCents);
          const refunded: SplitAllocation[] = [];
          for (const cents of partition(amountCents, cuts)) {
            const parts = allocateRefund({ captured, refunded, amountCents: cents, requestedSplits: null });
            if (!parts.valid) throw new Error('percentages can always be refunded partially');
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

  it('without charge_remainder_fee each recipient refunds its exact share to within one cent', () => {
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
          const parts = allocateRefund({ captured, refunded: [], amountCents: cents, requestedSplits: null });
          for (const held of captured) {
            const share = (held.amountCents * cents) / amountCents;
            expect(Math.abs(of(held, parts.valid ? parts.value : []) - share)).toBeLessThan(1);
          }
        },
      ),
    );
  });
});

function of({ recipientId }: SplitAllocation, parts: readonly SplitAllocation[]): number {
  return total(parts.filter((part) => part.recipientId === recipientId));
}

/** Cuts an amount into pieces of at least a cent. */
function partition(amountCents: number, cuts: readonly number[]): number[] {
  const at = [...new Set(cuts.map((cut) => Math.floor(cut * amountCents)))]
    .filter((cents) => cents > 0 && cents < amountCents)
    .sort((a, b) => a - b);
  return [...at, amountCents].map((cents, index) => cents - (at[index - 1] ?? 0));
}
