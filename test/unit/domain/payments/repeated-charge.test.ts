import {
  decideLateApproval,
  isOutdatedAnswer,
  mayRepeatCharge,
  type LateApproval,
} from '../../../../src/domain/payments/repeated-charge';
import { CHARGE_WINDOW_MS } from '../../../../src/domain/payments/payment';

const DAY_MS = 86_400_000;

describe('a charge of unknown outcome', () => {
  const inTransitMs = 12_000;

  it.each([
    [0, DAY_MS, true],
    [CHARGE_WINDOW_MS - 1, DAY_MS, true],
    [CHARGE_WINDOW_MS, DAY_MS, false],
    [DAY_MS - 1, 2 * DAY_MS, false],
    [47_999, 60_000, true],
    [48_000, 60_000, false],
    [0, 0, false],
  ])(
    '%i ms after the payment was created, at a gateway that replays keys for %i ms, may be repeated: %s',
    (ageMs, replayWindowMs, expected) => {
      expect(mayRepeatCharge({ ageMs, replayWindowMs, inTransitMs })).toBe(expected);
    },
  );
});

describe('an answer to a request', () => {
  it.each([
    [1, 1, false, false],
    [1, 2, false, true],
    [1, 2, true, false],
    [2, 2, false, false],
  ])('sending %i of %i that succeeded (%s) is outdated: %s', (sent, current, succeeded, outdated) => {
    expect(isOutdatedAnswer(sent, current, succeeded)).toBe(outdated);
  });
});

describe('an approval of an attempt that has a result', () => {
  type Attempt = LateApproval['attempt'];
  const decide = (attempt: Partial<Attempt>, change: Partial<Omit<LateApproval, 'attempt'>> = {}) =>
    decideLateApproval({
      paymentStatus: 'processing',
      isSuperseded: false,
      gatewayTransactionId: 'ch_1',
      reversedIds: [],
      heldCents: 0,
      attempt: { status: 'error', gatewayTransactionId: null, wasReturned: false, ...attempt },
      ...change,
    });

  it.each(['abandoned', 'declined', 'error'] as const)(
    'of an attempt that is %s is adopted while the payment needs a charge, else reversed once',
    (status) => {
      expect(decide({ status })).toBe('adopt');
      expect(decide({ status }, { isSuperseded: true })).toBe('reverse');
      expect(decide({ status }, { paymentStatus: 'failed' })).toBe('reverse');
      expect(decide({ status }, { paymentStatus: 'approved', isSuperseded: true })).toBe('reverse');
      expect(decide({ status }, { isSuperseded: true, reversedIds: ['ch_1'] })).toBe('known');
    },
  );

  it.each(['approved', 'authorized', 'pending'] as const)(
    'of an attempt that is %s is known, unless it names another charge, which is reversed once',
    (status) => {
      const recorded = { status, gatewayTransactionId: 'ch_1' };
      expect(decide(recorded)).toBe('known');
      expect(decide({ status, gatewayTransactionId: null })).toBe('known');
      expect(decide(recorded, { gatewayTransactionId: 'ch_2' })).toBe('reverse');
      expect(decide(recorded, { gatewayTransactionId: 'ch_2', reversedIds: ['ch_2'] })).toBe('known');
    },
  );

  it.each(['canceled', 'refunded'] as const)(
    'of an attempt whose charge was %s is known, unless it names a second charge, which is reversed',
    (status) => {
      expect(decide({ status }, { reversedIds: ['ch_1'] })).toBe('known');
      expect(decide({ status, gatewayTransactionId: 'ch_1' })).toBe('known');
      expect(decide({ status }, { reversedIds: ['ch_1'], gatewayTransactionId: 'ch_2' })).toBe('reverse');
    },
  );

  it('of a charge that holds money although it was reversed or returned is reversed', () => {
    const again = { reversedIds: ['ch_1'], heldCents: 4_000 };
    for (const status of ['canceled', 'refunded', 'abandoned'] as const)
      expect(decide({ status }, again)).toBe('reverse');
    const returned = { wasReturned: true, gatewayTransactionId: 'ch_1' };
    expect(decide(returned, { heldCents: 4_000 })).toBe('reverse');
  });

  it('of a charge that the gateway has returned already is known', () => {
    const returned = { wasReturned: true, gatewayTransactionId: 'ch_1' };
    expect(decide(returned)).toBe('known');
    expect(decide(returned, { paymentStatus: 'failed', gatewayTransactionId: 'ch_2' })).toBe('reverse');
  });
});
