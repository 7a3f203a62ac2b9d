import {
  awaitsOperator,
  holdsMoney,
  isCaptureOrCancel,
  isCharge,
  isNotMade,
  isOpen,
  isUnfinishedOperation,
  mayChangeCharge,
  operationOf,
  toChargeAttempt,
  wasSent,
} from '../../../activities/payments/attempt-predicates';
import { rejectAmountMismatch, type InquiryOutcome } from '../../../activities/payments/inquire-attempt';
import type { AttemptOperation, AttemptPurpose, AttemptStatus } from '../../../src/domain/payments/payment';
import { NOT_SENT_LOCALLY } from '../../../src/gateways/errors';
import type { Accepted } from '../../../src/gateways/gateway';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';

/* What an attempt is, by its row alone, and which amounts of a gateway's answer count. */

const OPERATIONS: readonly AttemptOperation[] = [
  'charge',
  'authorize',
  'capture',
  'cancel',
  'refund',
  'inquiry',
];
const STATUSES: readonly AttemptStatus[] = [
  ...(['requested', 'sent', 'unknown', 'pending', 'authorized', 'approved'] as const),
  ...(['declined', 'error', 'abandoned', 'canceled', 'refunded'] as const),
];
const attempt = (change: Partial<AttemptRecord>) =>
  ({
    ...{ operation: 'charge', purpose: 'charge', status: 'approved', gatewaySlug: 'gateway_1' },
    ...{ responseCode: null, adviceCode: null, errorFamily: null, escalatedAt: null, amountCents: 1_000 },
    ...change,
  }) as AttemptRecord;

const operationsWith = (holds: (row: AttemptRecord) => boolean, change: Partial<AttemptRecord> = {}) =>
  OPERATIONS.filter((operation) => holds(attempt({ operation, ...change })));
const statusesWith = (holds: (row: AttemptRecord) => boolean, change: Partial<AttemptRecord> = {}) =>
  STATUSES.filter((status) => holds(attempt({ status, ...change })));

describe('an attempt', () => {
  it('is a charge if it charges or authorizes', () => {
    expect(operationsWith(isCharge)).toEqual(['charge', 'authorize']);
  });

  it('holds money if it is a charge that was approved or authorized', () => {
    for (const operation of ['charge', 'authorize'] as const)
      expect(statusesWith(holdsMoney, { operation })).toEqual(['authorized', 'approved']);
    expect(operationsWith(holdsMoney)).toEqual(['charge', 'authorize']);
  });

  it('decides the charge of its payment if it captures or cancels, but not if it reverses another charge', () => {
    const purpose = 'merchant_request' as AttemptPurpose;
    expect(operationsWith(isCaptureOrCancel, { purpose })).toEqual(['capture', 'cancel']);
    expect(operationsWith(isCaptureOrCancel, { purpose: 'reversal' })).toEqual([]);
    expect(OPERATIONS.map((operation) => operationOf(attempt({ operation, purpose })))).toEqual([
      ...[null, null, 'capture', 'cancel', 'refund', null],
    ]);
    expect(operationsWith((row) => operationOf(row) !== null, { purpose: 'reversal' })).toEqual([]);
  });

  it('is open while it was sent and its result is not known, and only then an operator decides, once asked', () => {
    expect(statusesWith(isOpen)).toEqual(['sent', 'unknown']);
    expect(statusesWith(awaitsOperator)).toEqual([]);
    expect(statusesWith(awaitsOperator, { escalatedAt: new Date() })).toEqual(['sent', 'unknown']);
  });

  it('that is a capture, cancel or refund is unfinished until its result is known; a charge never is', () => {
    const unfinished = ['requested', 'sent', 'unknown'];
    for (const operation of ['capture', 'cancel', 'refund'] as const) {
      expect(statusesWith(isUnfinishedOperation, { operation })).toEqual(unfinished);
      expect(statusesWith(mayChangeCharge, { operation, purpose: 'merchant_request' })).toEqual(unfinished);
      expect(statusesWith(mayChangeCharge, { operation, purpose: 'reversal' })).toEqual([]);
    }
    expect(statusesWith(isUnfinishedOperation)).toEqual([]);
    expect(statusesWith(mayChangeCharge)).toEqual([]);
  });

  it('was not made if it is abandoned, declined or failed', () => {
    expect(statusesWith(isNotMade)).toEqual(['declined', 'error', 'abandoned']);
  });

  it.each([
    [{ errorFamily: 'not_sent', responseCode: NOT_SENT_LOCALLY }, false],
    [{ errorFamily: 'not_sent', responseCode: null }, true],
    [{ errorFamily: 'unsupported', responseCode: NOT_SENT_LOCALLY }, true],
    [{}, true],
  ] as const)('with %j was sent: %s', (change, sent) => {
    expect(wasSent(attempt(change))).toBe(sent);
    expect(toChargeAttempt(attempt({ ...change, status: 'abandoned' })).notSent).toBe(!sent);
    expect(toChargeAttempt(attempt({ ...change, status: 'error' })).notSent).toBe(false);
  });

  it('counts for the choice of the next gateway with its result and whether its credentials were rejected', () => {
    const row = attempt({ status: 'declined', responseCode: '51', adviceCode: '03' });
    const counted = { gateway: 'gateway_1', status: 'declined', responseCode: '51', adviceCode: '03' };
    expect(toChargeAttempt(row)).toEqual({ ...counted, notSent: false, badCredentials: false });
    expect(toChargeAttempt(attempt({ errorFamily: 'bad_credentials' })).badCredentials).toBe(true);
  });
});

describe('the amount that a gateway reports', () => {
  const found = (outcome: Partial<Accepted> | { kind: 'declined' }) =>
    ({
      kind: 'found',
      requestMs: 7,
      answer: { kind: 'outcome', outcome: { kind: 'approved', paidAmountCents: null, ...outcome } },
    }) as InquiryOutcome;
  const INCONCLUSIVE = { kind: 'inconclusive', requestMs: 7 };

  it('must be the requested one, because another one may be about another request', () => {
    const other = found({ amountCents: 999 });
    expect(rejectAmountMismatch(other, attempt({}))).toEqual(INCONCLUSIVE);
    expect(rejectAmountMismatch(other, attempt({ operation: 'refund' }))).toEqual(INCONCLUSIVE);
    const same = found({ amountCents: 1_000 });
    expect(rejectAmountMismatch(same, attempt({}))).toBe(same);
  });

  it('may be another one if it is what the customer paid of a pix or boleto, but not for a refund of it', () => {
    const paid = found({ amountCents: 999, paidAmountCents: 0 });
    expect(rejectAmountMismatch(paid, attempt({}))).toBe(paid);
    expect(rejectAmountMismatch(paid, attempt({ operation: 'refund' }))).toEqual(INCONCLUSIVE);
  });

  it('does not matter for a decline and for an answer that found nothing', () => {
    const declined = found({ kind: 'declined' });
    expect(rejectAmountMismatch(declined, attempt({}))).toBe(declined);
    const none = { kind: 'not_found', requestMs: 7 } as const;
    expect(rejectAmountMismatch(none, attempt({}))).toBe(none);
  });
});
