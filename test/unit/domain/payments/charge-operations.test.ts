import { activeCharge, openOperations } from '../../../../src/domain/payments/charge-operations';
import { FORBIDDEN_BY_STATE, operationRefusal } from '../../../../src/domain/payments/operation-refusal';
import type {
  AttemptOperation,
  AttemptPurpose,
  AttemptStatus,
} from '../../../../src/domain/payments/payment';

function attempt(
  operation: AttemptOperation,
  status: AttemptStatus,
  { purpose = 'command', amountCents = 100 }: { purpose?: AttemptPurpose; amountCents?: number } = {},
) {
  return { operation, status, purpose, amountCents };
}

describe('activeCharge', () => {
  it('is the charge that holds money or will, never one that was given up or an operation on it', () => {
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
});

describe('openOperations', () => {
  it('counts what is requested, sent or unknown, and reserves the refunds among it', () => {
    const attempts = [
      attempt('charge', 'approved', { purpose: 'charge' }),
      attempt('refund', 'requested', { amountCents: 1 }),
      attempt('refund', 'sent', { amountCents: 20 }),
      attempt('refund', 'unknown', { amountCents: 300 }),
      attempt('refund', 'refunded', { amountCents: 4_000 }),
      attempt('refund', 'declined', { amountCents: 50_000 }),
    ];
    expect(openOperations(attempts)).toEqual({ captureOrCancel: null, refundingCents: 321 });
  });

  it('names a capture or cancel under way, also one by the end of the capture window', () => {
    expect(openOperations([attempt('capture', 'sent')]).captureOrCancel).toBe('capture');
    expect(openOperations([attempt('cancel', 'requested', { purpose: 'lapse' })]).captureOrCancel).toBe(
      'cancel',
    );
    expect(openOperations([attempt('cancel', 'declined')]).captureOrCancel).toBeNull();
  });

  it('leaves out what gives back a charge that came too late', () => {
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
    'is none while it is %s',
    (status) => {
      expect(refusalOf(status)).toBeNull();
    },
  );

  it('tells what the gateway refused, and what it did not carry out', () => {
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

  it('is the state’s when it was never sent, and not when a gateway’s own code reads the same', () => {
    const forbidden = { responseCode: FORBIDDEN_BY_STATE, responseMessage: 'the payment is refunded' };
    expect(refusalOf('error', forbidden)).toEqual({
      code: 'invalid_state',
      message: 'the payment is refunded',
    });
    expect(refusalOf('error', { ...forbidden, errorFamily: 'invalid_request' })?.code).toBe(
      'gateway_refused',
    );
    expect(refusalOf('declined', forbidden)?.code).toBe('gateway_refused');
  });
});
