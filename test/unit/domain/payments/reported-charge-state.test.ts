import {
  compareWithRecorded,
  type ReportedChargeState,
} from '../../../../src/domain/payments/reported-charge-state';
import type { PaymentState } from '../../../../src/domain/payments/payment-lifecycle';

const AUTHORIZED: PaymentState = {
  status: 'authorized',
  code: null,
  paymentMethod: 'card',
  amountCents: 1_000,
  capturedAmountCents: 0,
  refundedAmountCents: 0,
  paidAmountCents: null,
};
const CAPTURED: PaymentState = { ...AUTHORIZED, status: 'approved', capturedAmountCents: 900 };
const TOLD: ReportedChargeState = { status: 'approved', capturedCents: 900, refundedCents: 0, paidCents: 0 };

type Tried = Parameters<typeof compareWithRecorded>[1]['attempts'][number];
const CHARGE: Tried = {
  id: 'charge',
  operation: 'authorize',
  purpose: 'charge',
  status: 'authorized',
  amountCents: 1_000,
};
const CAPTURE: Tried = {
  id: 'capture',
  operation: 'capture',
  purpose: 'command',
  status: 'sent',
  amountCents: 900,
};

describe('what a gateway tells of a charge is known', () => {
  it('when the books show the same, to the cent, and nothing is open', () => {
    const attempts: Tried[] = [CHARGE, { ...CAPTURE, status: 'approved' }];
    expect(compareWithRecorded(TOLD, { payment: CAPTURED, attempts }, 'charge')).toBe('known');
    for (const change of [
      { capturedCents: 899 },
      { refundedCents: 1 },
      { paidCents: 1 },
      { status: 'refunded' },
      { status: 'canceled' },
    ] as const) {
      expect(compareWithRecorded({ ...TOLD, ...change }, { payment: CAPTURED, attempts }, 'charge')).toBe(
        'news',
      );
    }
  });

  it('never of a charge that is not the one that counts', () => {
    const abandoned: Tried = { ...CHARGE, id: 'other', status: 'abandoned' };
    expect(compareWithRecorded(TOLD, { payment: CAPTURED, attempts: [abandoned, CHARGE] }, 'other')).toBe(
      'news',
    );
    expect(compareWithRecorded(TOLD, { payment: CAPTURED, attempts: [abandoned] }, 'other')).toBe('news');
  });

  it.each(['requested', 'sent', 'unknown'] as const)('never while a refund is %s', (status) => {
    const refund: Tried = { ...CAPTURE, id: 'refund', operation: 'refund', amountCents: 1, status };
    expect(compareWithRecorded(TOLD, { payment: CAPTURED, attempts: [CHARGE, refund] }, 'charge')).toBe(
      'news',
    );
  });
});

describe('what a gateway tells of a charge is awaited', () => {
  it('when the operation that is there now brings it about', () => {
    const situation = { payment: AUTHORIZED, attempts: [CHARGE, CAPTURE] };
    expect(compareWithRecorded(TOLD, situation, 'charge')).toBe('awaited');
    expect(compareWithRecorded({ ...TOLD, capturedCents: 1_000 }, situation, 'charge')).toBe('news');
  });

  const CASES: Array<[string, Tried[]]> = [
    ['the operation has not been sent', [{ ...CAPTURE, status: 'requested' }]],
    ['its answer was lost', [{ ...CAPTURE, status: 'unknown' }]],
    ['it gives back another charge', [{ ...CAPTURE, operation: 'refund', purpose: 'reversal' }]],
    ['it is not the only one', [CAPTURE, { ...CAPTURE, id: 'other' }]],
  ];
  it.each(CASES)('never when %s', (_, open) => {
    const situation = { payment: AUTHORIZED, attempts: [CHARGE, ...open] };
    expect(compareWithRecorded(TOLD, situation, 'charge')).toBe('news');
  });
});
