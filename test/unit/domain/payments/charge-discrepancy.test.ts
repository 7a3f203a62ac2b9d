import fc from 'fast-check';
import { compareCharge, type RecordedCharge } from '../../../../src/domain/payments/charge-discrepancy';
import { awaitsReview, refundedCentsOf } from '../../../../src/domain/payments/charge-operations';
import { applyFact, type PaymentState } from '../../../../src/domain/payments/payment-lifecycle';
import type { ReportedChargeState } from '../../../../src/domain/payments/reported-charge-state';
import { approved, authorized, pending } from './payment-states';

const sale = (change: Partial<PaymentState> = {}) => approved({ paymentMethod: 'card', ...change });
const pix = (change: Partial<PaymentState> = {}) => approved({ paidAmountCents: 10_000, ...change });

const compare = (
  payment: PaymentState,
  reported: Partial<ReportedChargeState>,
  recorded: Partial<RecordedCharge> = {},
) =>
  compareCharge(
    { payment, refundedCents: payment.refundedAmountCents, captureWindowOver: false, ...recorded },
    { status: 'approved', capturedCents: 0, refundedCents: 0, paidCents: 0, ...reported },
  );

const SAME = { kind: 'same' };
const CONTRADICTION = { kind: 'contradiction' };
const found = (...operations: object[]) => ({ kind: 'found', operations });
const refund = (amountCents: number) => ({
  operation: 'refund',
  amountCents,
  fact: { kind: 'refunded', amountCents },
  needsReview: true,
});

describe('a card charge at the gateway', () => {
  it.each([
    ['authorized', authorized(), { status: 'authorized' }],
    ['captured', sale(), { capturedCents: 10_000 }],
    ['captured in part', sale({ capturedAmountCents: 4_000 }), { capturedCents: 4_000 }],
    [
      'refunded in part',
      sale({ refundedAmountCents: 4_000 }),
      { capturedCents: 10_000, refundedCents: 4_000 },
    ],
    ['voided', authorized({ status: 'canceled' }), { status: 'canceled' }],
  ] as const)('that is %s as recorded means nothing', (_, payment, reported) => {
    expect(compare(payment, reported)).toEqual(SAME);
  });

  it('that was refunded there is refunded by what is not recorded yet', () => {
    const reported = { capturedCents: 10_000, refundedCents: 7_000 };
    expect(compare(sale(), reported)).toEqual(found(refund(7_000)));
    expect(compare(sale({ refundedAmountCents: 3_000 }), reported)).toEqual(found(refund(4_000)));
    const whole = { status: 'refunded', capturedCents: 10_000, refundedCents: 10_000 } as const;
    expect(compare(sale({ refundedAmountCents: 3_000 }), whole)).toEqual(found(refund(7_000)));
  });

  it('that was captured and then reversed as a whole counts as refunded', () => {
    expect(compare(sale(), { status: 'canceled' })).toEqual(found(refund(10_000)));
    const partly = sale({ capturedAmountCents: 4_000, refundedAmountCents: 1_000 });
    expect(compare(partly, { status: 'canceled', capturedCents: 4_000 })).toEqual(found(refund(3_000)));
  });

  it('that was captured there, in part and with a refund, is captured and refunded', () => {
    const capture = (amountCents: number) => ({
      operation: 'capture',
      amountCents,
      fact: { kind: 'captured', amountCents },
      needsReview: true,
    });
    expect(compare(authorized(), { capturedCents: 10_000 })).toEqual(found(capture(10_000)));
    const both = { capturedCents: 6_000, refundedCents: 1_000 };
    expect(compare(authorized(), both)).toEqual(found(capture(6_000), refund(1_000)));
  });

  it('that was voided there is canceled, and needs no review once its capture window is over', () => {
    const cancel = (needsReview: boolean) =>
      found({ operation: 'cancel', amountCents: 10_000, fact: { kind: 'canceled' }, needsReview });
    expect(compare(authorized(), { status: 'canceled' })).toEqual(cancel(true));
    expect(compare(authorized(), { status: 'canceled' }, { captureWindowOver: true })).toEqual(cancel(false));
    expect(compare(authorized(), { status: 'expired' })).toEqual(cancel(false));
  });

  it.each([
    ['captured for more than was authorized', authorized(), { capturedCents: 10_001 }],
    ['refunded for more than was captured', authorized(), { capturedCents: 100, refundedCents: 101 }],
    ['captured for another amount', sale(), { capturedCents: 9_999 }],
    ['refunded for less', sale({ refundedAmountCents: 100 }), { capturedCents: 10_000, refundedCents: 99 }],
    ['only authorized', sale(), { status: 'authorized', capturedCents: 10_000 }],
    ['declined', sale(), { status: 'declined' }],
    ['pending', authorized(), { status: 'pending' }],
    ['captured although it was voided', authorized({ status: 'canceled' }), { capturedCents: 10_000 }],
    ['authorized although it was voided', authorized({ status: 'canceled' }), { status: 'authorized' }],
  ] as const)('that is %s contradicts the records', (_, payment, reported) => {
    expect(compare(payment, reported)).toEqual(CONTRADICTION);
  });
});

describe('a pix or boleto at the gateway', () => {
  const expired = pending({ status: 'failed', code: 'expired' });

  it.each([
    ['pending', pending(), { status: 'pending' }],
    ['expired there before it expires here', pending(), { status: 'expired' }],
    ['pending there after it expired here', expired, { status: 'pending' }],
    ['paid', pix(), { capturedCents: 10_000, paidCents: 10_000 }],
    ['paid, at a gateway that tells no amount', pix(), {}],
    ['paid too much', pix({ paidAmountCents: 13_000 }), { capturedCents: 13_000, paidCents: 13_000 }],
    ['paid in part', pending({ paidAmountCents: 3_000 }), { status: 'pending', paidCents: 3_000 }],
    [
      'paid in part and late',
      { ...expired, paidAmountCents: 3_000 },
      { status: 'expired', paidCents: 3_000 },
    ],
  ] as const)('that is %s means nothing', (_, payment, reported) => {
    expect(compare(payment, reported)).toEqual(SAME);
  });

  it('that was canceled there is canceled', () => {
    const cancel = {
      operation: 'cancel',
      amountCents: 10_000,
      fact: { kind: 'canceled' },
      needsReview: true,
    };
    expect(compare(pending(), { status: 'canceled' })).toEqual(found(cancel));
    const partly = pending({ paidAmountCents: 3_000 });
    const reported = { status: 'canceled', paidCents: 3_000, refundedCents: 3_000 } as const;
    expect(compare(partly, reported)).toEqual(found(cancel, refund(3_000)));
  });

  it.each([
    ['pending', pending({ paidAmountCents: 3_000 })],
    ['expired', { ...expired, paidAmountCents: 3_000 }],
  ])('of which a part was paid and refunded there while it is %s is refunded', (_, payment) => {
    const reported = { status: 'refunded', paidCents: 3_000, refundedCents: 3_000 } as const;
    expect(compare(payment, reported)).toEqual(found(refund(3_000)));
  });

  it('that was paid too much: a refund there returns the excess first, which is not part of the payment', () => {
    const payment = pix({ paidAmountCents: 13_000 });
    const report = (refundedCents: number) => ({ capturedCents: 13_000, paidCents: 13_000, refundedCents });
    const excess = { operation: 'refund', amountCents: 3_000, fact: null, needsReview: false };
    expect(compare(payment, report(3_000))).toEqual(found(excess));
    const both = { ...refund(4_000), fact: { kind: 'refunded', amountCents: 1_000 } };
    expect(compare(payment, report(4_000))).toEqual(found(both));
    // Once the excess is returned, a refund is of the payment.
    expect(compare(payment, report(4_000), { refundedCents: 3_000 })).toEqual(found(refund(1_000)));
  });

  it.each([
    ['paid less than recorded', pix(), { paidCents: 9_999 }],
    ['declined while it is pending', pending(), { status: 'declined' }],
    ['pending after it was canceled', pending({ status: 'canceled' }), { status: 'pending' }],
    ['refunded for more than was paid', pix(), { paidCents: 10_000, refundedCents: 10_001 }],
  ] as const)('that is %s contradicts the records', (_, payment, reported) => {
    expect(compare(payment, reported)).toEqual(CONTRADICTION);
  });
});

const cents = fc.constantFrom(0, 1, 3_000, 9_999, 10_000, 10_001, 13_000);
const anyReport: fc.Arbitrary<ReportedChargeState> = fc.record({
  status: fc.constantFrom('approved', 'authorized', 'pending', 'canceled', 'refunded', 'expired', 'declined'),
  capturedCents: cents,
  refundedCents: cents,
  paidCents: cents,
});
const anyPayment = fc.constantFrom(
  authorized(),
  authorized({ status: 'canceled' }),
  sale(),
  sale({ refundedAmountCents: 3_000 }),
  sale({ status: 'refunded', refundedAmountCents: 10_000 }),
  pending(),
  pending({ paidAmountCents: 3_000 }),
  pending({ status: 'failed', code: 'expired', paidAmountCents: 3_000 }),
  pending({ status: 'canceled' }),
  pix(),
  pix({ paidAmountCents: 13_000 }),
);

describe('any report about any payment', () => {
  it('what is found can be recorded, and then the same report means nothing', () => {
    fc.assert(
      fc.property(anyPayment, anyReport, (payment, reported) => {
        const recorded = { payment, refundedCents: payment.refundedAmountCents, captureWindowOver: false };
        const comparison = compareCharge(recorded, reported);
        if (comparison.kind !== 'found') return;
        let { refundedCents } = recorded;
        const after = comparison.operations.reduce((state, { operation, amountCents, fact }) => {
          if (operation === 'refund') refundedCents += amountCents;
          if (fact === null) return state;
          const applied = applyFact(state, fact);
          if (!applied.applied) throw new Error(applied.reason);
          return applied.state;
        }, payment);
        expect(compareCharge({ ...recorded, payment: after, refundedCents }, reported)).toEqual(SAME);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the refunds of a charge', () => {
  const row = (change: object) => ({
    ...({ operation: 'refund', purpose: 'merchant_request', status: 'refunded', amountCents: 100 } as const),
    ...{ targetAttemptId: 'charge', ...change },
  });

  it('are those that succeeded, wherever they were requested, but not the reversal of another charge', () => {
    const rows = [
      row({}),
      row({ purpose: 'found_at_gateway', amountCents: 20 }),
      row({ purpose: 'reversal' }),
      row({ status: 'abandoned' }),
      row({ operation: 'cancel', status: 'canceled' }),
      row({ targetAttemptId: 'other' }),
    ];
    expect(refundedCentsOf(rows, 'charge')).toBe(120);
  });

  it('wait for a review only if they were found at the gateway and nobody has looked', () => {
    const escalatedAt = new Date();
    expect(awaitsReview({ purpose: 'found_at_gateway', escalatedAt })).toBe(true);
    expect(awaitsReview({ purpose: 'found_at_gateway', escalatedAt: null })).toBe(false);
    expect(awaitsReview({ purpose: 'merchant_request', escalatedAt })).toBe(false);
  });
});

describe('what gateways report differently', () => {
  it('a charge that failed here, with nothing at the gateway, means nothing', () => {
    const failed = sale({ status: 'failed', code: 'declined', capturedAmountCents: 0 });
    expect(compare(failed, { status: 'declined' })).toEqual(SAME);
    const expiredPix = pending({ status: 'failed', code: 'expired' });
    expect(compare(expiredPix, { status: 'declined' })).toEqual(SAME);
  });

  it('an authorization of which a part is captured and the rest still authorized contradicts the records', () => {
    expect(compare(authorized(), { status: 'authorized', capturedCents: 100 })).toEqual(CONTRADICTION);
  });

  it('a capture that was refunded to its last cent, or reversed as a whole, is a capture and a refund', () => {
    const capture = {
      ...refund(4_000),
      operation: 'capture',
      fact: { kind: 'captured', amountCents: 4_000 },
    };
    const both = found(capture, refund(4_000));
    expect(compare(authorized(), { capturedCents: 4_000, refundedCents: 4_000 })).toEqual(both);
    expect(compare(authorized(), { capturedCents: 4_000, refundedCents: 4_001 })).toEqual(CONTRADICTION);
    expect(compare(authorized(), { status: 'canceled', capturedCents: 4_000 })).toEqual(both);
  });

  it('a refund without amounts is of everything that was captured', () => {
    expect(compare(sale(), { status: 'refunded' })).toEqual(found(refund(10_000)));
    expect(compare(pix(), { status: 'refunded', refundedCents: 10_000 })).toEqual(found(refund(10_000)));
  });

  it('only a paid pix may be reported without its amount', () => {
    expect(compare(pix(), { status: 'approved' })).toEqual(SAME);
    const partly = pending({ paidAmountCents: 4_000 });
    expect(compare(partly, { status: 'pending' })).toEqual(CONTRADICTION);
    expect(compare(partly, { status: 'pending', paidCents: 4_000 })).toEqual(SAME);
  });

  it('a refund beside recorded ones returns the excess first', () => {
    const payment = pix({ paidAmountCents: 13_000, refundedAmountCents: 1_000 });
    const reported = { capturedCents: 13_000, paidCents: 13_000, refundedCents: 3_000 };
    const excess = { operation: 'refund', amountCents: 2_000, fact: null, needsReview: false };
    expect(compare(payment, reported)).toEqual(found(excess));
  });
});
