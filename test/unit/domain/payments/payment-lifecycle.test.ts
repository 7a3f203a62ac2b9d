import fc from 'fast-check';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../../src/domain/payments/payment';
import {
  applyFact,
  canTransition,
  type PaymentFact,
  type PaymentState,
} from '../../../../src/domain/payments/payment-lifecycle';
import { approved, authorized, pending, processing } from './payment-states';

/** Decisions, section 5, as it is written there; a change of amounts alone is no move. */
const WRITTEN_MOVES = [
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
  it('is the one that is written down, and nothing else', () => {
    const moves = PAYMENT_STATUSES.flatMap((from) =>
      PAYMENT_STATUSES.filter((to) => canTransition(from, to)).map((to) => `${from} ${to}`),
    );
    expect(moves.sort()).toEqual([...WRITTEN_MOVES].sort());
  });
});

const paid = (paidAmountCents: number): PaymentFact => ({ kind: 'paid', paidAmountCents });
const refunded = (amountCents: number): PaymentFact => ({ kind: 'refunded', amountCents });
const captured = (amountCents: number): PaymentFact => ({ kind: 'captured', amountCents });
const expired = pending({ status: 'failed', code: 'expired' });
const canceled = pending({ status: 'canceled' });

describe('a charge', () => {
  it('that is approved has taken the whole amount', () => {
    expect(
      applyFact(processing({ paymentMethod: 'card' }), { kind: 'charged', status: 'approved' }),
    ).toMatchObject({
      applied: true,
      state: { status: 'approved', capturedAmountCents: 10_000, paidAmountCents: null },
      message: 'approved',
      event: 'transaction.approved',
    });
  });

  it.each(['authorized', 'pending'] as const)('that is %s has taken nothing yet', (status) => {
    expect(applyFact(processing(), { kind: 'charged', status })).toMatchObject({
      state: { status, capturedAmountCents: 0 },
      message: status,
      event: `transaction.${status}`,
    });
  });

  it('that failed says why', () => {
    expect(
      applyFact(processing(), { kind: 'failed', code: 'declined', message: 'insufficient funds' }),
    ).toMatchObject({
      state: { status: 'failed', code: 'declined' },
      message: 'insufficient funds',
      event: 'transaction.failed',
    });
  });

  it('has one result: another one later moves nothing', () => {
    const failure: PaymentFact = { kind: 'failed', code: 'gateway_error', message: 'no gateway' };
    for (const state of [pending(), authorized(), approved(), expired, canceled]) {
      expect(applyFact(state, { kind: 'charged', status: 'approved' })).toMatchObject({ applied: false });
      expect(applyFact(state, failure)).toMatchObject({ applied: false });
    }
  });
});

describe('a pix or billet that is paid', () => {
  it('in full is approved', () => {
    expect(applyFact(pending(), paid(10_000))).toMatchObject({
      state: { status: 'approved', capturedAmountCents: 10_000, paidAmountCents: 10_000 },
      message: 'approved',
      event: 'transaction.approved',
    });
  });

  it('over is approved for its amount, and shows what was paid', () => {
    expect(applyFact(pending(), paid(12_000))).toMatchObject({
      state: { status: 'approved', capturedAmountCents: 10_000, paidAmountCents: 12_000 },
      event: 'transaction.approved',
    });
  });

  it('under stays pending, says so, and is approved once the rest has come', () => {
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

  it('before its charge was answered is approved or pending as if it had been', () => {
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
  ])('after it was %s is approved after all', (_, state) => {
    expect(applyFact(state, paid(10_000))).toMatchObject({
      state: { status: 'approved', code: null, capturedAmountCents: 10_000 },
      event: 'transaction.approved',
    });
  });

  it.each([
    ['expired', expired],
    ['canceled', canceled],
  ])('in part after it was %s stays so, and shows what was paid', (_, state) => {
    expect(applyFact(state, paid(9_999))).toMatchObject({
      state: { ...state, paidAmountCents: 9_999 },
      message: 'underpaid',
      event: null,
    });
  });

  it('again shows the larger sum and tells no event; the same or less moves nothing', () => {
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

  it('comes back only if expiry or a cancel ended it: nothing else does, and no card', () => {
    const neverCharged = pending({ status: 'failed', code: 'not_attempted' });
    const card = { paymentMethod: 'card' } as const;
    for (const state of [neverCharged, { ...expired, ...card }, { ...canceled, ...card }]) {
      expect(applyFact(state, paid(10_000))).toMatchObject({ applied: false });
    }
  });
});

describe('a part payment that a person takes for enough', () => {
  const accepted: PaymentFact = { kind: 'accepted' };

  it('is approved for the money that came, and for the rest once that comes', () => {
    const part = applyFact(pending({ paidAmountCents: 4_000 }), accepted);
    expect(part).toMatchObject({
      state: { status: 'approved', capturedAmountCents: 4_000, paidAmountCents: 4_000 },
      message: 'approved',
      event: 'transaction.approved',
    });
    expect(part.applied && applyFact(part.state, paid(12_000))).toMatchObject({
      state: { status: 'approved', capturedAmountCents: 10_000, paidAmountCents: 12_000 },
      event: null,
    });
  });

  it('is one of which something was paid', () => {
    expect(applyFact(pending(), accepted)).toMatchObject({ applied: false });
  });
});

describe('expiry', () => {
  it('fails what nobody paid', () => {
    expect(applyFact(pending(), { kind: 'expired' })).toMatchObject({
      state: { status: 'failed', code: 'expired' },
      message: 'expired',
      event: 'transaction.failed',
    });
  });

  it('leaves what was paid in part to a person', () => {
    expect(applyFact(pending({ paidAmountCents: 1 }), { kind: 'expired' })).toMatchObject({ applied: false });
  });
});

describe('a capture', () => {
  it.each([10_000, 1])('of %i is approved for that', (amountCents) => {
    expect(applyFact(authorized(), captured(amountCents))).toMatchObject({
      state: { status: 'approved', capturedAmountCents: amountCents },
      event: 'transaction.approved',
    });
  });

  it.each([0, -1, 10_001, 0.5])('of %d cannot be', (amountCents) => {
    expect(applyFact(authorized(), captured(amountCents))).toMatchObject({ applied: false });
  });
});

describe('a refund', () => {
  it('of part grows what was refunded, and of the rest ends the payment; each is told', () => {
    const part = applyFact(approved(), refunded(4_000));
    expect(part).toMatchObject({
      state: { status: 'approved', refundedAmountCents: 4_000 },
      message: 'partially refunded',
      event: 'transaction.refunded',
    });
    expect(part.applied && applyFact(part.state, refunded(6_000))).toMatchObject({
      state: { status: 'refunded', refundedAmountCents: 10_000 },
      message: 'refunded',
      event: 'transaction.refunded',
    });
  });

  it('of the whole of a part that was captured ends the payment', () => {
    expect(applyFact(approved({ capturedAmountCents: 300 }), refunded(300))).toMatchObject({
      state: { status: 'refunded' },
    });
  });

  it('of more than is left cannot be', () => {
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
const anyLife = fc.record({
  paymentMethod: fc.constantFrom('card' as const, 'pix' as const, 'billet' as const),
  facts: fc.array(anyFact, { maxLength: 30 }),
});

/** How far a status is from the beginning. */
const RANK: Readonly<Record<PaymentStatus, number>> = {
  processing: 0,
  pending: 1,
  authorized: 1,
  failed: 2,
  canceled: 2,
  approved: 3,
  refunded: 4,
};

/** Lives through all facts and hands every step to a check. */
function live(
  { paymentMethod, facts }: { paymentMethod: PaymentState['paymentMethod']; facts: readonly PaymentFact[] },
  check: (before: PaymentState, result: ReturnType<typeof applyFact>, fact: PaymentFact) => void,
): PaymentState {
  return facts.reduce<PaymentState>((before, fact) => {
    const result = applyFact(before, fact);
    check(before, result, fact);
    return result.applied ? result.state : before;
  }, processing({ paymentMethod }));
}

/** Enough lives for every kind of step to be among them, and still less than a second. */
const RUNS = { numRuns: 1_000 };

describe('whatever is heard, in whatever order', () => {
  it('no move is illegal and no status goes back', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        live(life, (before, result) => {
          if (!result.applied || result.state.status === before.status) return;
          const { status } = result.state;
          expect(WRITTEN_MOVES).toContain(`${before.status} ${status}`);
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

  it('no more is captured than the amount or refunded than captured, and no amount shrinks', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        live(life, (before, result) => {
          if (!result.applied) return;
          const { state } = result;
          expect(state.capturedAmountCents).toBeLessThanOrEqual(state.amountCents);
          expect(state.refundedAmountCents).toBeLessThanOrEqual(state.capturedAmountCents);
          expect(state.capturedAmountCents).toBeGreaterThanOrEqual(before.capturedAmountCents);
          expect(state.refundedAmountCents).toBeGreaterThanOrEqual(before.refundedAmountCents);
          expect(state.paidAmountCents ?? 0).toBeGreaterThanOrEqual(before.paidAmountCents ?? 0);
          expect(state.amountCents).toBe(before.amountCents);
        });
      }),
      RUNS,
    );
  });

  it('the status and the amounts tell one story', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const { status, code, ...state } = live(life, () => undefined);
        const taken = status === 'approved' || status === 'refunded';
        expect(state.capturedAmountCents > 0).toBe(taken);
        expect(status === 'refunded').toBe(taken && state.refundedAmountCents === state.capturedAmountCents);
        expect(code !== null).toBe(status === 'failed');
        if (!taken) expect(state.paidAmountCents ?? 0).toBeLessThan(state.amountCents);
      }),
      RUNS,
    );
  });

  it('every new status and every refund is told once, by its own name', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        live(life, (before, result, fact) => {
          if (!result.applied) return;
          const { status } = result.state;
          if (fact.kind === 'refunded') expect(result.event).toBe('transaction.refunded');
          else if (status !== before.status) expect(result.event).toBe(`transaction.${status}`);
          else if (status === 'pending') expect(result.event).toBe('transaction.pending');
          else expect(result.event).toBeNull();
        });
      }),
      RUNS,
    );
  });

  it('what gateways report again and again is heard once', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        live(life, (_, result, fact) => {
          if (!result.applied || fact.kind === 'refunded') return;
          expect(applyFact(result.state, fact)).toMatchObject({ applied: false });
        });
      }),
      RUNS,
    );
  });
});
