import {
  activeCharge,
  isContradiction,
  openOperations,
  refundedCentsOf,
} from '../../../../src/domain/payments/charge-operations';
import { FORBIDDEN_BY_STATE, operationRefusal } from '../../../../src/domain/payments/operation-refusal';
import type {
  AttemptOperation,
  AttemptPurpose,
  AttemptStatus,
} from '../../../../src/domain/payments/payment';

function attempt(
  operation: AttemptOperation,
  status: AttemptStatus,
  {
    purpose = 'merchant_request',
    amountCents = 100,
  }: { purpose?: AttemptPurpose; amountCents?: number } = {},
) {
  return { operation, status, purpose, amountCents };
}

describe('activeCharge', () => {
  it('activeCharge returns the charge that holds or awaits money, and never an abandoned charge or an operation', () => {
    const held = attempt('charge', 'pending', { purpose: 'charge' });
    const others = [
      attempt('charge', 'declined', { purpose: 'charge' }),
      attempt('charge', 'abandoned', { purpose: 'charge' }),
      attempt('inquiry', 'pending', { purpose: 'charge' }),
      attempt('capture', 'approved'),
    ];
    expect(activeCharge([...others, held])).toBe(held);
    expect(activeCharge(others)).toBeNull();
  });

  it.each([
    ['requested', false],
    ['sent', false],
    ['unknown', false],
    ['accepted', false],
    ['approved', true],
    ['authorized', true],
    ['pending', true],
    ['declined', false],
    ['canceled', false],
    ['refunded', false],
    ['error', false],
    ['abandoned', false],
  ] as const)('a charge or authorization that is %s is active: %s', (status, expected) => {
    for (const operation of ['charge', 'authorize'] as const)
      expect(activeCharge([attempt(operation, status)]) !== null).toBe(expected);
  });
});

describe('isContradiction', () => {
  it.each([
    ['inquiry', 'found_at_gateway', null, true],
    ['inquiry', 'found_at_gateway', new Date(0), false],
    ['refund', 'found_at_gateway', null, false],
    ['inquiry', 'charge', null, false],
  ] as const)(
    'an attempt %s, made as %s and agreed at %s, is one: %s',
    (operation, purpose, agreedAt, expected) => {
      expect(isContradiction({ operation, purpose, agreedAt })).toBe(expected);
    },
  );
});

describe('refundedCentsOf', () => {
  it('adds up the refunds of the charge, and neither other operations, other charges nor reversals', () => {
    const of = (targetAttemptId: string, rest: ReturnType<typeof attempt>) => ({ ...rest, targetAttemptId });
    const attempts = [
      of('charge', attempt('refund', 'refunded', { amountCents: 1 })),
      of('charge', attempt('refund', 'refunded', { amountCents: 20, purpose: 'found_at_gateway' })),
      of('charge', attempt('inquiry', 'refunded', { amountCents: 300 })),
      of('charge', attempt('refund', 'unknown', { amountCents: 4_000 })),
      of('charge', attempt('refund', 'refunded', { amountCents: 50_000, purpose: 'reversal' })),
      of('other', attempt('refund', 'refunded', { amountCents: 600_000 })),
    ];
    expect(refundedCentsOf(attempts, 'charge')).toBe(21);
  });
});

describe('openOperations', () => {
  it('captures and cancels are not counted as refunds', () => {
    const attempts = [attempt('capture', 'sent'), attempt('cancel', 'unknown'), attempt('refund', 'sent')];
    expect(openOperations(attempts)).toMatchObject({ refundingCents: 100 });
  });

  it('requested, sent, unknown and accepted refunds count as being refunded', () => {
    const attempts = [
      attempt('charge', 'approved', { purpose: 'charge' }),
      attempt('refund', 'requested', { amountCents: 1 }),
      attempt('refund', 'sent', { amountCents: 20 }),
      attempt('refund', 'unknown', { amountCents: 300 }),
      attempt('refund', 'accepted', { amountCents: 600_000 }),
      attempt('refund', 'refunded', { amountCents: 4_000 }),
      attempt('refund', 'declined', { amountCents: 50_000 }),
    ];
    expect(openOperations(attempts)).toEqual({ captureOrCancel: null, refundingCents: 600_321 });
  });

  it('an unfinished capture or cancel is reported, including the void of an expired authorization', () => {
    expect(openOperations([attempt('capture', 'sent')]).captureOrCancel).toBe('capture');
    expect(openOperations([attempt('cancel', 'accepted')]).captureOrCancel).toBe('cancel');
    expect(
      openOperations([attempt('cancel', 'requested', { purpose: 'authorization_expired' })]).captureOrCancel,
    ).toBe('cancel');
    expect(openOperations([attempt('cancel', 'declined')]).captureOrCancel).toBeNull();
  });

  it('reversals of late charges are not counted', () => {
    const reversals = [
      attempt('cancel', 'requested', { purpose: 'reversal' }),
      attempt('refund', 'unknown', { purpose: 'reversal' }),
    ];
    expect(openOperations(reversals)).toEqual({ captureOrCancel: null, refundingCents: 0 });
  });
});

describe('operationRefusal', () => {
  const refusalOf = (status: AttemptStatus, change: object = {}) =>
    operationRefusal({
      operation: 'refund',
      gatewaySlug: 'gateway_1',
      status,
      responseCode: null,
      responseMessage: 'insufficient balance',
      errorFamily: null,
      ...change,
    });

  it.each(['requested', 'sent', 'unknown', 'approved', 'canceled', 'refunded'] as const)(
    'there is no refusal while the status is %s',
    (status) => {
      expect(refusalOf(status)).toBeNull();
    },
  );

  it('a decline, an error and a proven absence are reported as gateway_refused', () => {
    expect(refusalOf('declined')).toEqual({
      code: 'gateway_refused',
      message: 'gateway_1 refused the refund: insufficient balance',
    });
    expect(refusalOf('error', { errorFamily: 'invalid_request' })).toEqual({
      code: 'gateway_refused',
      message: 'gateway_1 did not carry out the refund: insufficient balance',
    });
    expect(refusalOf('abandoned', { responseMessage: null })?.message).toBe(
      'gateway_1 did not carry out the refund.',
    );
  });

  it('only an operation that was never sent is reported as invalid_state, even if a gateway uses the same code', () => {
    const forbidden = { responseCode: FORBIDDEN_BY_STATE, responseMessage: 'the payment is refunded' };
    expect(refusalOf('error', forbidden)).toEqual({
      code: 'invalid_state',
      message: 'the payment is refunded',
    });
    expect(refusalOf('error', { ...forbidden, errorFamily: 'invalid_request' })?.code).toBe(
      'gateway_refused',
    );
    expect(refusalOf('declined', forbidden)?.code).toBe('gateway_refused');
    expect(refusalOf('error', { responseCode: 'other' })?.code).toBe('gateway_refused');
  });
});
