import { judgeReport, stateWithout } from '../../../../src/domain/payments/operations/reported-operation';
import type { AttemptStatus } from '../../../../src/domain/payments/payment';
import type { ReportedChargeState } from '../../../../src/domain/payments/reported-charge-state';

const NONE = { capturedCents: 0, refundedCents: 0, paidCents: 0 };
const MADE: ReportedChargeState = { ...NONE, status: 'refunded', refundedCents: 100 };
const REFUSED: ReportedChargeState = { ...NONE, status: 'declined' };

describe('a report about an operation', () => {
  it.each<[AttemptStatus, ReportedChargeState, string]>([
    ['requested', MADE, 'unfinished'],
    ['sent', REFUSED, 'unfinished'],
    ['unknown', MADE, 'unfinished'],
    ['accepted', REFUSED, 'unfinished'],
    ['refunded', MADE, 'agrees'],
    ['refunded', REFUSED, 'undone'],
    ['approved', REFUSED, 'undone'],
    ['declined', REFUSED, 'agrees'],
    ['error', MADE, 'made_after_all'],
    ['abandoned', MADE, 'made_after_all'],
  ])('that is %s means what its result leaves open', (status, reported, meaning) => {
    expect(judgeReport({ status, isRefusedByReport: false }, reported)).toBe(meaning);
  });

  it('that it was made is the older one if a report has told that it failed', () => {
    expect(judgeReport({ status: 'declined', isRefusedByReport: true }, MADE)).toBe('agrees');
  });
});

describe('the state without an operation', () => {
  const payment = { capturedAmountCents: 1_000 };
  const recorded = { refundedCents: 300, paidCents: 0 };

  it.each([
    ['refund', 100, { status: 'approved', capturedCents: 1_000, refundedCents: 200, paidCents: 0 }],
    ['capture', 1_000, { status: 'authorized', capturedCents: 0, refundedCents: 300, paidCents: 0 }],
    ['cancel', 1_000, { status: 'authorized', capturedCents: 0, refundedCents: 300, paidCents: 0 }],
  ] as const)('is that before the %s', (operation, amountCents, state) => {
    expect(stateWithout({ operation, amountCents }, payment, recorded)).toEqual(state);
  });
});
