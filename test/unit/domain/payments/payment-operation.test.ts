import fc from 'fast-check';
import { applyFact, type PaymentState } from '../../../../src/domain/payments/payment-lifecycle';
import {
  operationAmountCents,
  operationProblem,
  type OpenOperations,
  type OperationRequest,
} from '../../../../src/domain/payments/payment-operation';
import { approved, authorized, pending, processing } from './payment-states';

const NOW = new Date('2026-06-10T12:00:00Z');
const open = (change: Partial<OpenOperations> = {}): OpenOperations => ({
  captureOrCancel: null,
  refundingCents: 0,
  paidAt: NOW,
  now: NOW,
  ...change,
});
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

const expired = pending({ status: 'failed', code: 'expired' });
const canceled = pending({ status: 'canceled' });
const refunded = approved({ status: 'refunded', refundedAmountCents: 10_000 });

describe('an operation', () => {
  it.each([
    ['capture', authorized()],
    ['cancel', authorized()],
    ['cancel', pending()],
    ['refund', approved()],
  ] as const)('%s is allowed where it can be done', (operation, state) => {
    expect(operationProblem(state, { operation }, open())).toBeNull();
  });

  it.each([
    ['capture', [processing(), pending(), approved(), expired, canceled, refunded]],
    ['cancel', [processing(), approved(), expired, canceled, refunded]],
    ['refund', [processing(), pending(), authorized(), expired, canceled, refunded]],
  ] as const)('%s is refused everywhere else, and told the state', (operation, states) => {
    for (const state of states) {
      expect(operationProblem(state, { operation, amountCents: 1 }, open())).toEqual({
        kind: 'invalid_state',
        message: expect.stringContaining(`is ${state.status};`) as unknown,
      });
    }
  });

  it.each([
    ['capture', 'capture'],
    ['cancel', 'capture'],
    ['capture', 'cancel'],
    ['cancel', 'cancel'],
  ] as const)('%s is refused while a %s is under way', (operation, underWay) => {
    expect(operationProblem(authorized(), { operation }, open({ captureOrCancel: underWay }))).toEqual({
      kind: 'invalid_state',
      message: expect.stringContaining(`authorized, with a ${underWay} under way`) as unknown,
    });
  });

  it('cancel is refused once a part of a pix was paid, and says so', () => {
    expect(operationProblem(pending({ paidAmountCents: 1 }), { operation: 'cancel' }, open())).toEqual({
      kind: 'invalid_state',
      message: expect.stringContaining('pending, with a part of it paid') as unknown,
    });
  });

  it.each([0, -1, 1.5, 10_001])('capture of %d is not an amount', (amountCents) => {
    const problem = operationProblem(authorized(), { operation: 'capture', amountCents }, open());
    expect(problem).toEqual({ kind: 'amount', message: 'must be 1 to 10000, what can be captured' });
  });
});

describe('a refund', () => {
  const state = approved({ refundedAmountCents: 3_000 });

  it.each([
    [5_000, null],
    [5_001, 'amount'],
    [0, 'amount'],
  ])('of %i when 5000 is neither refunded nor being refunded: %s', (amountCents, kind) => {
    const problem = operationProblem(
      state,
      { operation: 'refund', amountCents },
      open({ refundingCents: 2_000 }),
    );
    expect(problem?.kind ?? null).toBe(kind);
  });

  it('is refused by the state, whatever its amount, while all that is left is being refunded', () => {
    for (const amountCents of [undefined, 1, 10_000]) {
      expect(
        operationProblem(state, { operation: 'refund', amountCents }, open({ refundingCents: 7_000 })),
      ).toEqual({
        kind: 'invalid_state',
        message: 'The payment is approved, with a refund under way; nothing is left to refund.',
      });
    }
  });

  it('of a pix is allowed for 90 days after its payment, of others for longer', () => {
    const at = (paidAt: Date | null, change: Partial<PaymentState> = {}) =>
      operationProblem(approved(change), { operation: 'refund' }, open({ paidAt }));
    expect(at(daysAgo(90))).toBeNull();
    expect(at(new Date(daysAgo(90).getTime() - 1))).toEqual({
      kind: 'invalid_state',
      message: 'The payment is approved; a pix can be refunded within 90 days of its payment.',
    });
    expect(at(daysAgo(400), { paymentMethod: 'card' })).toBeNull();
    expect(at(daysAgo(400), { paymentMethod: 'billet' })).toBeNull();
  });
});

describe('the amount of an operation', () => {
  it.each([
    [{ operation: 'capture' }, authorized(), 10_000],
    [{ operation: 'capture', amountCents: 1 }, authorized(), 1],
    [{ operation: 'cancel' }, pending(), 10_000],
    [{ operation: 'refund' }, approved({ refundedAmountCents: 1_000 }), 7_000],
    [{ operation: 'refund', amountCents: 5 }, approved(), 5],
  ] as const)('is what was asked, else all there is', (request, state, amountCents) => {
    expect(operationAmountCents(state, request, { refundingCents: 2_000 })).toBe(amountCents);
  });
});

/** One step of a card's life after its authorization: something is asked for, or the oldest open operation ends. */
type Step =
  | { readonly kind: 'ask'; readonly request: OperationRequest }
  | { readonly kind: 'end'; readonly done: boolean };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({
      operation: fc.constantFrom('capture' as const, 'cancel' as const, 'refund' as const),
      amountCents: fc.option(fc.integer({ min: -1, max: 10_001 }), { nil: undefined }),
    })
    .map((request) => ({ kind: 'ask' as const, request })),
  fc.boolean().map((done) => ({ kind: 'end' as const, done })),
);

interface Open {
  readonly operation: OperationRequest['operation'];
  readonly amountCents: number;
}

describe('operations that were allowed', () => {
  it('can all be done, in whatever order they are asked for and end', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        let state = authorized();
        let underWay: Open[] = [];
        for (const step of steps) {
          if (step.kind === 'ask') underWay = [...underWay, ...admitted(state, step.request, underWay)];
          else [state, underWay] = ended(state, underWay, step.done);
          expect(state.refundedAmountCents + refunding(underWay)).toBeLessThanOrEqual(
            state.capturedAmountCents,
          );
          expect(underWay.filter(({ operation }) => operation !== 'refund').length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

function refunding(underWay: readonly Open[]): number {
  return underWay.reduce((sum, each) => sum + (each.operation === 'refund' ? each.amountCents : 0), 0);
}

function admitted(state: PaymentState, request: OperationRequest, underWay: readonly Open[]): Open[] {
  const charge = underWay.map(({ operation }) => operation).find((operation) => operation !== 'refund');
  const situation = open({ captureOrCancel: charge ?? null, refundingCents: refunding(underWay) });
  if (operationProblem(state, request, situation) !== null) return [];
  const amountCents = operationAmountCents(state, request, situation);
  return [{ operation: request.operation, amountCents }];
}

function ended(state: PaymentState, underWay: Open[], done: boolean): [PaymentState, Open[]] {
  const [first, ...rest] = underWay;
  if (first === undefined || !done) return [state, rest];
  const { operation, amountCents } = first;
  const result =
    operation === 'cancel'
      ? applyFact(state, { kind: 'canceled' })
      : applyFact(state, { kind: operation === 'capture' ? 'captured' : 'refunded', amountCents });
  if (!result.applied) throw new Error(`what was allowed could not be done: ${result.reason}`);
  return [result.state, rest];
}
