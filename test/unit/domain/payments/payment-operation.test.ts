import fc from 'fast-check';
import { applyFact, type PaymentState } from '../../../../src/domain/payments/payment-lifecycle';
import {
  operationAmountCents,
  operationFact,
  operationProblem,
  type OperationConditions,
  type OperationRequest,
} from '../../../../src/domain/payments/payment-operation';
import { approved, authorized, pending, processing } from './payment-states';

const NOW = new Date('2026-06-10T12:00:00Z');
const open = (change: Partial<OperationConditions> = {}): OperationConditions => ({
  captureOrCancel: null,
  refundingCents: 0,
  disputedCents: 0,
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
  ] as const)('%s is allowed in the states that permit it', (operation, state) => {
    expect(operationProblem(state, { operation }, open())).toBeNull();
  });

  it.each([
    ['capture', [processing(), pending(), approved(), expired, canceled, refunded]],
    ['cancel', [processing(), approved(), expired, canceled, refunded]],
    ['refund', [processing(), pending(), authorized(), expired, canceled, refunded]],
  ] as const)(
    '%s is rejected in all other states with a message that names the state',
    (operation, states) => {
      for (const state of states) {
        expect(operationProblem(state, { operation, amountCents: 1 }, open())).toEqual({
          kind: 'invalid_state',
          message: expect.stringContaining(`is ${state.status};`) as unknown,
        });
      }
    },
  );

  it.each([
    ['capture', 'capture'],
    ['cancel', 'capture'],
    ['capture', 'cancel'],
    ['cancel', 'cancel'],
  ] as const)('%s is rejected while a %s is unfinished', (operation, unfinished) => {
    expect(operationProblem(authorized(), { operation }, open({ captureOrCancel: unfinished }))).toEqual({
      kind: 'invalid_state',
      message: expect.stringContaining(`authorized, with a ${unfinished} under way`) as unknown,
    });
  });

  it('cancel is rejected once a pix is partly paid', () => {
    expect(operationProblem(pending({ paidAmountCents: 1 }), { operation: 'cancel' }, open())).toEqual({
      kind: 'invalid_state',
      message: expect.stringContaining('pending, with a part of it paid') as unknown,
    });
  });

  it.each([0, -1, 1.5, 10_001])('a capture of %d is rejected as an amount', (amountCents) => {
    const problem = operationProblem(authorized(), { operation: 'capture', amountCents }, open());
    expect(problem).toEqual({
      kind: 'amount',
      message: 'must be 1 to 10000 cents, the amount that can be captured',
    });
  });
});

describe('a refund', () => {
  const state = approved({ refundedAmountCents: 3_000 });

  it.each([
    [5_000, null],
    [5_001, 'amount'],
    [0, 'amount'],
  ])('a refund of %i with 5000 left to refund has the problem: %s', (amountCents, kind) => {
    const problem = operationProblem(
      state,
      { operation: 'refund', amountCents },
      open({ refundingCents: 2_000 }),
    );
    expect(problem?.kind ?? null).toBe(kind);
  });

  it('a refund of any amount is rejected by state while everything left is being refunded', () => {
    for (const amountCents of [undefined, 1, 10_000]) {
      expect(
        operationProblem(state, { operation: 'refund', amountCents }, open({ refundingCents: 7_000 })),
      ).toEqual({
        kind: 'invalid_state',
        message: 'The payment is approved, with a refund under way; nothing is left to refund.',
      });
    }
  });

  it.each([
    ['pending', pending()],
    ['expired', expired],
    ['canceled', canceled],
  ])('a paid part of a %s pix can be refunded, within 90 days of its payment', (_, before) => {
    const partly = { ...before, paidAmountCents: 4_000, refundedAmountCents: 1_000 };
    const problemOf = (amountCents: number | undefined, change: Partial<OperationConditions> = {}) =>
      operationProblem(partly, { operation: 'refund', amountCents }, open(change))?.kind ?? null;
    expect(problemOf(undefined)).toBeNull();
    expect(problemOf(3_000)).toBeNull();
    expect(problemOf(3_001)).toBe('amount');
    expect(problemOf(2_000, { refundingCents: 1_001 })).toBe('amount');
    expect(problemOf(undefined, { refundingCents: 3_000 })).toBe('invalid_state');
    expect(problemOf(undefined, { paidAt: daysAgo(91) })).toBe('invalid_state');
    expect(
      operationAmountCents(partly, { operation: 'refund' }, { refundingCents: 0, disputedCents: 0 }),
    ).toBe(3_000);
  });

  it('a pix can be refunded within 90 days of its payment, other methods for longer', () => {
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
  ] as const)('the amount is the requested one, else the maximum', (request, state, amountCents) => {
    expect(operationAmountCents(state, request, { refundingCents: 2_000, disputedCents: 0 })).toBe(
      amountCents,
    );
  });
});

/** One step after an authorization: an operation is requested, or the oldest unfinished one ends. */
type OperationTestStep =
  | { readonly kind: 'request'; readonly request: OperationRequest }
  | { readonly kind: 'end'; readonly succeeded: boolean };
const anyStep: fc.Arbitrary<OperationTestStep> = fc.oneof(
  fc
    .record({
      operation: fc.constantFrom('capture' as const, 'cancel' as const, 'refund' as const),
      amountCents: fc.option(fc.integer({ min: -1, max: 10_001 }), { nil: undefined }),
    })
    .map((request) => ({ kind: 'request' as const, request })),
  fc.boolean().map((succeeded) => ({ kind: 'end' as const, succeeded })),
);

interface UnfinishedOperation {
  readonly operation: OperationRequest['operation'];
  readonly amountCents: number;
}

describe('allowed operations', () => {
  it('allowed operations can all succeed, in any order of requests and results', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        let state = authorized();
        let unfinished: UnfinishedOperation[] = [];
        for (const step of steps) {
          if (step.kind === 'request')
            unfinished = [...unfinished, ...requested(state, step.request, unfinished)];
          else [state, unfinished] = ended(state, unfinished, step.succeeded);
          expect(state.refundedAmountCents + refunding(unfinished)).toBeLessThanOrEqual(
            state.capturedAmountCents,
          );
          expect(unfinished.filter(({ operation }) => operation !== 'refund').length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

function refunding(unfinished: readonly UnfinishedOperation[]): number {
  return unfinished.reduce((sum, each) => sum + (each.operation === 'refund' ? each.amountCents : 0), 0);
}

function requested(
  state: PaymentState,
  request: OperationRequest,
  unfinished: readonly UnfinishedOperation[],
): UnfinishedOperation[] {
  const charge = unfinished.map(({ operation }) => operation).find((operation) => operation !== 'refund');
  const context = open({ captureOrCancel: charge ?? null, refundingCents: refunding(unfinished) });
  if (operationProblem(state, request, context) !== null) return [];
  const amountCents = operationAmountCents(state, request, context);
  return [{ operation: request.operation, amountCents }];
}

function ended(
  state: PaymentState,
  unfinished: UnfinishedOperation[],
  succeeded: boolean,
): [PaymentState, UnfinishedOperation[]] {
  const [first, ...rest] = unfinished;
  if (first === undefined || !succeeded) return [state, rest];
  const { operation, amountCents } = first;
  const result =
    operation === 'cancel'
      ? applyFact(state, { kind: 'canceled' })
      : applyFact(state, { kind: operation === 'capture' ? 'captured' : 'refunded', amountCents });
  if (!result.applied) throw new Error(`an allowed operation failed: ${result.reason}`);
  return [result.state, rest];
}

describe('what an operation does', () => {
  it.each([
    ['capture', { kind: 'captured', amountCents: 700 }],
    ['cancel', { kind: 'canceled' }],
    ['refund', { kind: 'refunded', amountCents: 700 }],
  ] as const)('a successful %s is the fact %j', (operation, fact) => {
    expect(operationFact(operation, 700)).toEqual(fact);
  });

  it('a cancel is of the whole payment, whatever amount is asked for', () => {
    const request = { operation: 'cancel', amountCents: 1 } as const;
    expect(operationAmountCents(authorized(), request, open())).toBe(10_000);
    expect(operationProblem(authorized(), request, open())).toBeNull();
  });

  it('a refund is refused with the reason: nothing can be refunded, or nothing is left', () => {
    const messageOf = (state: PaymentState) =>
      operationProblem(state, { operation: 'refund' }, open())?.message;
    for (const state of [authorized(), pending(), expired, refunded])
      expect(messageOf(state)).toContain('only an approved payment, or a paid part');
    expect(messageOf(approved({ refundedAmountCents: 10_000 }))).toContain('nothing is left to refund');
  });

  it('a pix whose payment has no known time can be refunded', () => {
    expect(operationProblem(approved(), { operation: 'refund' }, open({ paidAt: null }))).toBeNull();
  });
});
