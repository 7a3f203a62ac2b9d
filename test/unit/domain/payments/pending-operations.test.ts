import { isExplainedBy, type ChargeComparison } from '../../../../src/domain/payments/charge-discrepancy';
import { canOperationBecome } from '../../../../src/domain/payments/operations/operation-lifecycle';
import { nextResultInquiryAt } from '../../../../src/domain/payments/operations/pending-operation-schedule';
import type { PaymentOperation } from '../../../../src/domain/payments/payment-operation';

/* Captures, cancels and refunds that their gateway has accepted, with the result to come later. */

const MINUTE_MS = 60_000;
const DAYS_30_MINUTES = 30 * 24 * 60;
const SINCE = new Date('2026-03-02T12:00:00Z');
const after = (minutes: number): Date => new Date(SINCE.getTime() + minutes * MINUTE_MS);

/** All instants of the schedule, in minutes. */
function inquiries(): number[] {
  const minutes: number[] = [];
  let at = nextResultInquiryAt({ awaitedSince: SINCE, lastAskedAt: null });
  while (at !== null && minutes.length < 1_000) {
    minutes.push((at.getTime() - SINCE.getTime()) / MINUTE_MS);
    at = nextResultInquiryAt({ awaitedSince: SINCE, lastAskedAt: at });
  }
  return minutes;
}

describe('the schedule of inquiries about a result', () => {
  it('begins after a minute, doubles the pause up to six hours, and ends after 30 days', () => {
    const minutes = inquiries();
    expect(minutes.slice(0, 11)).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 511, 871, 1_231]);
    expect(minutes.at(-1)).toBe(DAYS_30_MINUTES);
    expect(minutes.length).toBeLessThan(140);
  });

  it('goes on after the last instant at which the gateway was asked, whoever asked', () => {
    const nextAfter = (minutes: number) =>
      nextResultInquiryAt({ awaitedSince: SINCE, lastAskedAt: after(minutes) });
    expect(nextAfter(-60)).toEqual(after(1));
    expect(nextAfter(2.5)).toEqual(after(3));
    expect(nextAfter(3)).toEqual(after(7));
    expect(nextAfter(DAYS_30_MINUTES - 0.001)).toEqual(after(DAYS_30_MINUTES));
    expect(nextAfter(DAYS_30_MINUTES)).toBeNull();
  });
});

describe('the transitions of an operation', () => {
  it.each([
    ['sent', 'accepted', true],
    ['unknown', 'accepted', true],
    ['accepted', 'refunded', true],
    ['accepted', 'declined', true],
    ['accepted', 'accepted', false],
    ['accepted', 'sent', false],
    ['accepted', 'error', false],
    ['abandoned', 'accepted', true],
    ['abandoned', 'requested', false],
    ['declined', 'refunded', true],
    ['declined', 'unknown', false],
    ['refunded', 'accepted', false],
    ['requested', 'accepted', false],
  ] as const)('from %s to %s: %s', (from, to, expected) => {
    expect(canOperationBecome(from, to)).toBe(expected);
  });
});

describe('a report about the charge of an accepted operation', () => {
  const found = (operation: PaymentOperation, amountCents: number): ChargeComparison => ({
    kind: 'found',
    operations: [{ operation, amountCents, fact: null, needsReview: true }],
  });
  const accepted = (operation: PaymentOperation, amountCents: number) => ({ operation, amountCents });

  it.each<[string, ChargeComparison, boolean]>([
    ['the records', { kind: 'same' }, true],
    ['a contradiction', { kind: 'contradiction' }, false],
    ['the refunds', found('refund', 500), true],
    ['one of the refunds', found('refund', 200), true],
    ['more than the refunds', found('refund', 501), false],
    ['another operation', found('cancel', 500), false],
  ])('that shows %s is explained: %s', (_what, comparison, expected) => {
    expect(isExplainedBy(comparison, [accepted('refund', 300), accepted('refund', 200)])).toBe(expected);
  });
});
