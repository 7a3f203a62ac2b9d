import {
  compareWithRecorded,
  furthestReport,
  isBehind,
  reportsMoney,
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
const REPORTED: ReportedChargeState = {
  status: 'approved',
  capturedCents: 900,
  refundedCents: 0,
  paidCents: 0,
};

type Attempt = Parameters<typeof compareWithRecorded>[1]['attempts'][number];
const CHARGE: Attempt = {
  id: 'charge',
  operation: 'authorize',
  purpose: 'charge',
  status: 'authorized',
  amountCents: 1_000,
  agreedAt: null,
};
const CAPTURE: Attempt = {
  id: 'capture',
  operation: 'capture',
  purpose: 'merchant_request',
  status: 'sent',
  amountCents: 900,
  agreedAt: null,
};

describe('a reported state that is recorded', () => {
  it('it equals the recorded state to the cent, and nothing is unfinished', () => {
    const attempts: Attempt[] = [CHARGE, { ...CAPTURE, status: 'approved' }];
    expect(compareWithRecorded(REPORTED, { payment: CAPTURED, attempts }, 'charge')).toBe('recorded');
    for (const change of [
      { capturedCents: 899 },
      { refundedCents: 1 },
      { paidCents: 1 },
      { status: 'refunded' },
      { status: 'canceled' },
    ] as const) {
      expect(compareWithRecorded({ ...REPORTED, ...change }, { payment: CAPTURED, attempts }, 'charge')).toBe(
        'new',
      );
    }
  });

  it('a report about another charge than the active one is new', () => {
    const abandoned: Attempt = { ...CHARGE, id: 'other', status: 'abandoned' };
    expect(compareWithRecorded(REPORTED, { payment: CAPTURED, attempts: [abandoned, CHARGE] }, 'other')).toBe(
      'new',
    );
    expect(compareWithRecorded(REPORTED, { payment: CAPTURED, attempts: [abandoned] }, 'other')).toBe('new');
  });

  it('is new if it is about another charge with our reference, however equal', () => {
    const attempts = [{ ...CHARGE, gatewayTransactionId: 'psp-1' }];
    const compared = (reportedId: string | null) =>
      compareWithRecorded(REPORTED, { payment: CAPTURED, attempts }, 'charge', reportedId);
    expect([compared('psp-2'), compared('psp-1'), compared(null)]).toEqual(['new', 'recorded', 'recorded']);
  });

  it('a report that agrees with the records is new while one that contradicted them is open', () => {
    const contradiction: Attempt = {
      ...CHARGE,
      id: 'inquiry',
      operation: 'inquiry',
      purpose: 'found_at_gateway',
    };
    const compare = (inquiry: Attempt) =>
      compareWithRecorded(REPORTED, { payment: CAPTURED, attempts: [CHARGE, inquiry] }, 'charge');
    expect(compare(contradiction)).toBe('new');
    expect(compare({ ...contradiction, agreedAt: new Date() })).toBe('recorded');
  });

  it.each(['requested', 'sent', 'unknown'] as const)('a report while a refund is %s is new', (status) => {
    const refund: Attempt = { ...CAPTURE, id: 'refund', operation: 'refund', amountCents: 1, status };
    expect(compareWithRecorded(REPORTED, { payment: CAPTURED, attempts: [CHARGE, refund] }, 'charge')).toBe(
      'new',
    );
  });
});

describe('a reported state that is expected', () => {
  it('it equals the state after the operation in flight succeeds', () => {
    const context = { payment: AUTHORIZED, attempts: [CHARGE, CAPTURE] };
    expect(compareWithRecorded(REPORTED, context, 'charge')).toBe('expected');
    expect(compareWithRecorded({ ...REPORTED, capturedCents: 1_000 }, context, 'charge')).toBe('new');
  });

  const CASES: Array<[string, Attempt[]]> = [
    ['the operation has not been sent', [{ ...CAPTURE, status: 'requested' }]],
    ['its answer was lost', [{ ...CAPTURE, status: 'unknown' }]],
    ['the operation reverses another charge', [{ ...CAPTURE, operation: 'refund', purpose: 'reversal' }]],
    ['another operation is unfinished', [CAPTURE, { ...CAPTURE, id: 'other' }]],
  ];
  it.each(CASES)('it is new when %s', (_, open) => {
    const context = { payment: AUTHORIZED, attempts: [CHARGE, ...open] };
    expect(compareWithRecorded(REPORTED, context, 'charge')).toBe('new');
  });

  it.each([
    ['cancel', AUTHORIZED, { status: 'canceled', capturedCents: 0 }],
    ['refund', CAPTURED, { status: 'refunded', refundedCents: 900 }],
  ] as const)('it equals the state after the %s in flight succeeds', (operation, payment, change) => {
    const attempts: Attempt[] = [CHARGE, { ...CAPTURE, operation }];
    expect(compareWithRecorded({ ...REPORTED, ...change }, { payment, attempts }, 'charge')).toBe('expected');
  });

  it.each([
    ['an inquiry', { operation: 'inquiry' }],
    ['another charge', { operation: 'charge', purpose: 'charge' }],
    ['the return of another charge', { operation: 'refund', purpose: 'reversal' }],
  ] as const)('it is new when what is in flight is %s', (_, change) => {
    const attempts: Attempt[] = [CHARGE, { ...CAPTURE, ...change }];
    const refunded = { ...REPORTED, status: 'refunded', refundedCents: 900 } as const;
    expect(compareWithRecorded(refunded, { payment: CAPTURED, attempts }, 'charge')).toBe('new');
  });
});

describe('a report of money', () => {
  it.each<[boolean, string, Partial<ReportedChargeState>]>([
    [true, 'a captured charge', {}],
    [true, 'an authorization', { status: 'authorized', capturedCents: 0 }],
    [true, 'a part of a pix that was paid', { status: 'canceled', capturedCents: 0, paidCents: 1 }],
    [false, 'a charge that was refunded as a whole', { status: 'refunded', refundedCents: 900 }],
    [false, 'a canceled charge', { status: 'canceled', capturedCents: 0 }],
  ])('is %s for %s', (expected, _, change) => {
    expect(reportsMoney({ ...REPORTED, ...change })).toBe(expected);
  });
});

describe('reports that arrive in any order', () => {
  const report = (refundedCents: number, status: ReportedChargeState['status'] = 'approved') => ({
    ...REPORTED,
    status,
    refundedCents,
  });

  it('count by the one that shows most, and at last by the last one', () => {
    expect(furthestReport([])).toBeNull();
    expect(furthestReport([report(100), report(200), report(150)])).toEqual(report(200));
    expect(furthestReport([report(200), report(100, 'canceled')])).toEqual(report(100, 'canceled'));
  });

  it.each(['declined', 'expired', 'canceled'] as const)(
    'count by the one with money, whether the charge was %s before it was paid or after the report',
    (status) => {
      const none = { capturedCents: 0, refundedCents: 0, paidCents: 0 };
      const ended = { status, ...none };
      const paidInPart = { ...none, status: 'pending', paidCents: 1 } as const;
      for (const paid of [REPORTED, paidInPart]) {
        expect(furthestReport([paid, ended])).toEqual(paid);
        expect(furthestReport([ended, paid])).toEqual(paid);
      }
      const authorized = { ...none, status: 'authorized' } as const;
      expect(furthestReport([authorized, ended])).toEqual(ended);
      expect(furthestReport([ended, authorized])).toEqual(ended);
    },
  );

  it('are behind if they show no more money, unless they end the charge', () => {
    expect(isBehind(report(100), report(100))).toBe(true);
    expect(isBehind(report(101), report(100))).toBe(false);
    expect(isBehind({ ...REPORTED, capturedCents: 901 }, REPORTED)).toBe(false);
    expect(isBehind({ ...REPORTED, paidCents: 1 }, REPORTED)).toBe(false);
    for (const status of ['canceled', 'declined', 'expired', 'refunded'] as const)
      expect(isBehind(report(0, status), report(100))).toBe(false);
  });
});
