import fc from 'fast-check';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../../src/domain/payments/payment';
import {
  applyFact,
  canTransition,
  receivedCents,
  undecidedCents,
  type PaymentFact,
  type PaymentState,
} from '../../../../src/domain/payments/payment-lifecycle';
import { approved, authorized, pending, processing } from './payment-states';

/** The documented status changes (docs/decisions/payments.md). A change of amounts alone is not listed. */
const DOCUMENTED_TRANSITIONS = [
  'processing approved',
  'processing failed',
  'processing pending',
  'processing authorized',
  'pending approved',
  'pending failed',
  'pending canceled',
  'failed approved',
  'canceled approved',
  'authorized approved',
  'authorized canceled',
  'approved refunded',
];

describe('the transition table', () => {
  it('the transition table allows exactly the documented status changes', () => {
    const transitions = PAYMENT_STATUSES.flatMap((from) =>
      PAYMENT_STATUSES.filter((to) => canTransition(from, to)).map((to) => `${from} ${to}`),
    );
    expect(transitions.sort()).toEqual([...DOCUMENTED_TRANSITIONS].sort());
  });
});

const paid = (paidAmountCents: number): PaymentFact => ({ kind: 'paid', paidAmountCents });
const refunded = (amountCents: number): PaymentFact => ({ kind: 'refunded', amountCents });
const captured = (amountCents: number): PaymentFact => ({ kind: 'captured', amountCents });
const expired = pending({ status: 'failed', code: 'expired' });
const canceled = pending({ status: 'canceled' });

describe('a charge', () => {
  it('an approved charge captures the whole amount', () => {
    expect(
      applyFact(processing({ paymentMethod: 'card' }), { kind: 'charged', status: 'approved' }),
    ).toMatchObject({
      applied: true,
      state: { status: 'approved', capturedAmountCents: 10_000, paidAmountCents: null },
      message: 'approved',
      event: 'transaction.approved',
    });
  });

  it.each(['authorized', 'pending'] as const)('a charge that is %s captures nothing', (status) => {
    expect(applyFact(processing(), { kind: 'charged', status })).toMatchObject({
      state: { status, capturedAmountCents: 0 },
      message: status,
      event: `transaction.${status}`,
    });
  });

  it('a failed charge sets the code and message of the payment', () => {
    expect(
      applyFact(processing(), { kind: 'failed', code: 'declined', message: 'insufficient funds' }),
    ).toMatchObject({
      state: { status: 'failed', code: 'declined' },
      message: 'insufficient funds',
      event: 'transaction.failed',
    });
  });

  it('a second result of a charge changes nothing', () => {
    const failure: PaymentFact = { kind: 'failed', code: 'gateway_error', message: 'no gateway' };
    for (const state of [pending(), authorized(), approved(), expired, canceled]) {
      expect(applyFact(state, { kind: 'charged', status: 'approved' })).toMatchObject({ applied: false });
      expect(applyFact(state, failure)).toMatchObject({ applied: false });
    }
  });
});

describe('a payment of a pix or boleto', () => {
  it('a full payment approves it', () => {
    expect(applyFact(pending(), paid(10_000))).toMatchObject({
      state: { status: 'approved', capturedAmountCents: 10_000, paidAmountCents: 10_000 },
      message: 'approved',
      event: 'transaction.approved',
    });
  });

  it('an overpayment approves it for its amount and records the paid amount', () => {
    expect(applyFact(pending(), paid(12_000))).toMatchObject({
      state: { status: 'approved', capturedAmountCents: 10_000, paidAmountCents: 12_000 },
      event: 'transaction.approved',
    });
  });

  it('an underpayment keeps it pending as underpaid, and the rest approves it', () => {
    const under = applyFact(pending(), paid(4_000));
    expect(under).toMatchObject({
      state: { status: 'pending', capturedAmountCents: 0, paidAmountCents: 4_000 },
      message: 'underpaid',
      event: 'transaction.pending',
    });
    expect(under.applied && applyFact(under.state, paid(10_000))).toMatchObject({
      state: { status: 'approved', paidAmountCents: 10_000 },
      message: 'approved',
    });
  });

  it('a payment before the answer to the charge has the same effect as after it', () => {
    expect(applyFact(processing(), paid(10_000))).toMatchObject({ state: { status: 'approved' } });
    expect(applyFact(processing(), paid(1))).toMatchObject({
      state: { status: 'pending', paidAmountCents: 1 },
      message: 'underpaid',
      event: 'transaction.pending',
    });
  });

  it.each([
    ['expired', expired],
    ['canceled', canceled],
  ])('a full payment after it was %s approves it', (_, state) => {
    expect(applyFact(state, paid(10_000))).toMatchObject({
      state: { status: 'approved', code: null, capturedAmountCents: 10_000 },
      event: 'transaction.approved',
    });
  });

  it.each([
    ['expired', expired],
    ['canceled', canceled],
  ])(
    'a partial payment after it was %s keeps the status, records the paid amount and has an event',
    (_, state) => {
      expect(applyFact(state, paid(9_999))).toMatchObject({
        state: { ...state, paidAmountCents: 9_999 },
        message: 'underpaid',
        event: `transaction.${state.status}`,
      });
    },
  );

  it('a larger paid amount is recorded without an event, and the same or a smaller one changes nothing', () => {
    const state = approved({ paidAmountCents: 10_000, refundedAmountCents: 1 });
    expect(applyFact(state, paid(20_000))).toEqual({
      applied: true,
      state: { ...state, paidAmountCents: 20_000 },
      message: 'partially refunded',
      event: null,
    });
    expect(applyFact(state, paid(10_000))).toMatchObject({ applied: false });
    expect(applyFact(state, paid(9_000))).toMatchObject({ applied: false });
  });

  it('only an expired or canceled pix or boleto can be paid late', () => {
    const neverCharged = pending({ status: 'failed', code: 'not_attempted' });
    const card = { paymentMethod: 'card' } as const;
    for (const state of [neverCharged, { ...expired, ...card }, { ...canceled, ...card }]) {
      expect(applyFact(state, paid(10_000))).toMatchObject({ applied: false });
    }
  });
});

describe('a partial payment that an operator accepts', () => {
  const accepted: PaymentFact = { kind: 'accepted' };

  it('it is approved for the paid amount, and later captures the rest when it is paid', () => {
    const partial = applyFact(pending({ paidAmountCents: 4_000 }), accepted);
    expect(partial).toMatchObject({
      state: { status: 'approved', capturedAmountCents: 4_000, paidAmountCents: 4_000 },
      message: 'approved',
      event: 'transaction.approved',
    });
    expect(partial.applied && applyFact(partial.state, paid(12_000))).toMatchObject({
      state: { status: 'approved', capturedAmountCents: 10_000, paidAmountCents: 12_000 },
      event: null,
    });
  });

  it.each([
    ['expired', expired],
    ['canceled', canceled],
  ])('it is approved for the paid amount also if it was paid after the payment was %s', (_, state) => {
    expect(applyFact({ ...state, paidAmountCents: 4_000 }, accepted)).toMatchObject({
      state: { status: 'approved', code: null, capturedAmountCents: 4_000, paidAmountCents: 4_000 },
      event: 'transaction.approved',
    });
  });

  it.each([
    ['pending', pending()],
    ['expired', expired],
    ['canceled', canceled],
  ])('a %s payment of which no paid amount is held cannot be accepted', (_, state) => {
    const returned = { ...state, paidAmountCents: 4_000, refundedAmountCents: 4_000 };
    expect(applyFact(state, accepted)).toMatchObject({ applied: false });
    expect(applyFact(returned, accepted)).toMatchObject({ applied: false });
  });
});

describe('a refund of a partial payment that nobody accepted', () => {
  it.each([
    ['pending', pending()],
    ['expired', expired],
    ['canceled', canceled],
  ])('it keeps the status of a %s payment, in which nothing is held afterwards', (message, state) => {
    const part = applyFact({ ...state, paidAmountCents: 4_000 }, refunded(1_000));
    expect(part).toMatchObject({
      state: { ...state, paidAmountCents: 4_000, refundedAmountCents: 1_000 },
      message: 'underpaid',
      event: 'transaction.refunded',
    });
    expect(part.applied && applyFact(part.state, refunded(3_000))).toMatchObject({
      state: { ...state, paidAmountCents: 4_000, refundedAmountCents: 4_000 },
      message,
      event: 'transaction.refunded',
    });
    expect(part.applied && applyFact(part.state, refunded(3_001))).toMatchObject({ applied: false });
  });

  it('a pix whose paid part was refunded expires, and counts in full if the rest is paid', () => {
    const returned = pending({ paidAmountCents: 4_000, refundedAmountCents: 4_000 });
    expect(applyFact(returned, { kind: 'expired' })).toMatchObject({ state: { status: 'failed' } });
    expect(applyFact(returned, paid(10_000))).toMatchObject({
      state: { status: 'approved', capturedAmountCents: 10_000, refundedAmountCents: 4_000 },
    });
  });
});

describe('expiry', () => {
  it('expiry fails an unpaid payment', () => {
    expect(applyFact(pending(), { kind: 'expired' })).toMatchObject({
      state: { status: 'failed', code: 'expired' },
      message: 'expired',
      event: 'transaction.failed',
    });
  });

  it('expiry does not fail a partly paid payment, which an operator decides', () => {
    expect(applyFact(pending({ paidAmountCents: 1 }), { kind: 'expired' })).toMatchObject({ applied: false });
  });
});

describe('a capture', () => {
  it.each([10_000, 1])('a capture of %i approves the payment for that amount', (amountCents) => {
    expect(applyFact(authorized(), captured(amountCents))).toMatchObject({
      state: { status: 'approved', capturedAmountCents: amountCents },
      event: 'transaction.approved',
    });
  });

  it.each([0, -1, 10_001, 0.5])('a capture of %d is rejected', (amountCents) => {
    expect(applyFact(authorized(), captured(amountCents))).toMatchObject({ applied: false });
  });
});

describe('a refund', () => {
  it('a partial refund increases the refunded amount, the rest makes the payment refunded, and each has an event', () => {
    const partial = applyFact(approved(), refunded(4_000));
    expect(partial).toMatchObject({
      state: { status: 'approved', refundedAmountCents: 4_000 },
      message: 'partially refunded',
      event: 'transaction.refunded',
    });
    expect(partial.applied && applyFact(partial.state, refunded(6_000))).toMatchObject({
      state: { status: 'refunded', refundedAmountCents: 10_000 },
      message: 'refunded',
      event: 'transaction.refunded',
    });
  });

  it('a refund of the whole captured amount makes the payment refunded', () => {
    expect(applyFact(approved({ capturedAmountCents: 300 }), refunded(300))).toMatchObject({
      state: { status: 'refunded' },
    });
  });

  it('a refund of more than is left is rejected', () => {
    const state = approved({ refundedAmountCents: 4_000 });
    expect(applyFact(state, refunded(6_001))).toMatchObject({ applied: false });
  });
});

const cents = fc.oneof(fc.integer({ min: -10, max: 30_000 }), fc.constantFrom(0, 1, 9_999, 10_000, 10_001));
const anyFact: fc.Arbitrary<PaymentFact> = fc.oneof(
  fc
    .constantFrom('approved' as const, 'authorized' as const, 'pending' as const)
    .map((status) => ({ kind: 'charged' as const, status })),
  fc.constant({ kind: 'failed', code: 'declined', message: 'declined' } as const),
  cents.map(paid),
  fc.constant({ kind: 'accepted' } as const),
  fc.constant({ kind: 'expired' } as const),
  fc.constant({ kind: 'canceled' } as const),
  cents.map(captured),
  cents.map(refunded),
);
const anyHistory = fc.record({
  paymentMethod: fc.constantFrom('card' as const, 'pix' as const, 'billet' as const),
  facts: fc.array(anyFact, { maxLength: 30 }),
});

/** The order of the statuses in the life cycle. */
const RANK: Readonly<Record<PaymentStatus, number>> = {
  processing: 0,
  pending: 1,
  authorized: 1,
  failed: 2,
  canceled: 2,
  approved: 3,
  refunded: 4,
};

/** Applies all facts and passes every step to a check. */
function replay(
  { paymentMethod, facts }: { paymentMethod: PaymentState['paymentMethod']; facts: readonly PaymentFact[] },
  check: (before: PaymentState, result: ReturnType<typeof applyFact>, fact: PaymentFact) => void,
): PaymentState {
  return facts.reduce<PaymentState>((before, fact) => {
    const result = applyFact(before, fact);
    check(before, result, fact);
    return result.applied ? result.state : before;
  }, processing({ paymentMethod }));
}

/** Enough runs to include every kind of step, in less than a second. */
const RUNS = { numRuns: 1_000 };

describe('any facts in any order', () => {
  it('only documented status changes happen, and no status goes back', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        replay(history, (before, result) => {
          if (!result.applied || result.state.status === before.status) return;
          const { status } = result.state;
          expect(DOCUMENTED_TRANSITIONS).toContain(`${before.status} ${status}`);
          expect(RANK[status]).toBeGreaterThan(RANK[before.status]);
          if (before.status === 'failed' || before.status === 'canceled') {
            expect(before.paymentMethod).not.toBe('card');
            expect(before.code).toBe(before.status === 'failed' ? 'expired' : null);
          }
        });
      }),
      RUNS,
    );
  });

  it('refunded never exceeds what was received, captured never exceeds the amount, and no amount decreases', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        replay(history, (before, result) => {
          if (!result.applied) return;
          const { state } = result;
          expect(state.capturedAmountCents).toBeLessThanOrEqual(state.amountCents);
          expect(state.refundedAmountCents).toBeLessThanOrEqual(receivedCents(state));
          expect(state.capturedAmountCents).toBeGreaterThanOrEqual(before.capturedAmountCents);
          expect(state.refundedAmountCents).toBeGreaterThanOrEqual(before.refundedAmountCents);
          expect(state.paidAmountCents ?? 0).toBeGreaterThanOrEqual(before.paidAmountCents ?? 0);
          expect(state.amountCents).toBe(before.amountCents);
        });
      }),
      RUNS,
    );
  });

  it('the status and the amounts are consistent', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { status, code, ...state } = replay(history, () => undefined);
        const isCaptured = status === 'approved' || status === 'refunded';
        expect(state.capturedAmountCents > 0).toBe(isCaptured);
        if (status === 'refunded') expect(state.refundedAmountCents).toBe(state.capturedAmountCents);
        if (status === 'approved') expect(state.refundedAmountCents).toBeLessThan(state.capturedAmountCents);
        expect(code !== null).toBe(status === 'failed');
        if (!isCaptured) expect(state.paidAmountCents ?? 0).toBeLessThan(state.amountCents);
      }),
      RUNS,
    );
  });

  it('every new status, every partial payment and every refund has exactly one event, with its own name', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        replay(history, (before, result, fact) => {
          if (!result.applied) return;
          const { status } = result.state;
          if (fact.kind === 'refunded') expect(result.event).toBe('transaction.refunded');
          else if (status !== before.status) expect(result.event).toBe(`transaction.${status}`);
          else if (undecidedCents(result.state) > 0) expect(result.event).toBe(`transaction.${status}`);
          else expect(result.event).toBeNull();
        });
      }),
      RUNS,
    );
  });

  it('a fact that gateways report repeatedly is applied once', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        replay(history, (_, result, fact) => {
          if (!result.applied || fact.kind === 'refunded') return;
          expect(applyFact(result.state, fact)).toMatchObject({ applied: false });
        });
      }),
      RUNS,
    );
  });
});

it('a pix that was accepted in part captures what is paid after that, up to its amount', () => {
  const accepted = approved({ capturedAmountCents: 4_000, paidAmountCents: 4_000 });
  const capturedAfter = (paidAmountCents: number) => {
    const applied = applyFact(accepted, { kind: 'paid', paidAmountCents });
    return applied.applied && applied.state.capturedAmountCents;
  };
  expect([7_000, 10_000, 13_000].map(capturedAfter)).toEqual([7_000, 10_000, 10_000]);
});
