import fc from 'fast-check';
import type { JournalEntry, LedgerAccount } from '../../../../src/domain/ledger/journal';
import {
  missingEntries,
  totalsOf,
  transitionEntries,
  type LedgerAttempt,
  type LedgerPayment,
} from '../../../../src/domain/ledger/payment-entries';
import {
  applyFact,
  type PaymentFact,
  type PaymentState,
} from '../../../../src/domain/payments/payment-lifecycle';
import { splitAmount, type SplitAllocation } from '../../../../src/domain/payments/split';
import { processing } from '../payments/payment-states';

const AT = new Date('2026-03-02T14:05:00Z');
const SPLITS = [
  { recipientId: 'rp_a', type: 'percentage', amount: 70 },
  { recipientId: 'rp_b', type: 'percentage', amount: 30 },
] as const;

function allocate(amountCents: number): SplitAllocation[] {
  const costs = { liable: true, chargeProcessingFee: true, chargeRemainderFee: false };
  return splitAmount(
    SPLITS.map((split) => ({ ...split, ...costs })),
    amountCents,
  );
}

function attempt(change: Partial<LedgerAttempt> = {}): LedgerAttempt {
  return {
    operation: 'charge',
    purpose: 'charge',
    status: 'approved',
    amountCents: 10_000,
    gatewaySlug: 'gateway_1',
    secretId: null,
    gatewayTransactionId: 'ch_1',
    splits: null,
    updatedAt: AT,
    ...change,
  };
}

const refundOf = (amountCents: number, change: Partial<LedgerAttempt> = {}): LedgerAttempt =>
  attempt({ operation: 'refund', purpose: 'merchant_request', status: 'refunded', amountCents, ...change });

function ledgerPayment(state: PaymentState, change: Partial<LedgerPayment> = {}): LedgerPayment {
  const posted = { postedCapturedCents: 0, postedRefundedCents: 0, postedPaidCents: 0 };
  return { ...state, currency: 'BRL', installments: 1, paidAt: AT, updatedAt: AT, ...posted, ...change };
}

/** The payment of a state of which everything is in the ledger. */
function posted(state: PaymentState, change: Partial<LedgerPayment> = {}): LedgerPayment {
  const { capturedCents, refundedCents, paidCents } = totalsOf(state);
  const totals = { postedCapturedCents: capturedCents, postedRefundedCents: refundedCents };
  return ledgerPayment(state, { ...totals, postedPaidCents: paidCents, ...change });
}

/** The balance of each account, and of each recipient as `recipient_payable:<id>`. */
function balancesOf(entries: readonly JournalEntry[]): Record<string, number> {
  const balances: Record<string, number> = {};
  for (const { account, recipientId, amountCents } of entries.flatMap(({ postings }) => postings)) {
    const name = recipientId === null ? account : `${account}:${recipientId}`;
    balances[name] = (balances[name] ?? 0) + amountCents;
  }
  return Object.fromEntries(Object.entries(balances).filter(([, cents]) => cents !== 0));
}

const linesOf = ({ postings }: JournalEntry): Array<[LedgerAccount, number, string | null]> =>
  postings.map(({ account, amountCents, expectedOn }) => [account, amountCents, expectedOn]);

function one(entries: readonly JournalEntry[]): JournalEntry {
  expect(entries).toHaveLength(1);
  return entries[0] as JournalEntry;
}

const card = (change: Partial<PaymentState> = {}): PaymentState =>
  processing({ paymentMethod: 'card', ...change });
const captured = (change: Partial<PaymentState> = {}): PaymentState =>
  card({ status: 'approved', capturedAmountCents: 10_000, ...change });
const none = { refund: null, at: AT } as const;

describe('the entries of a transition', () => {
  it('an approved card is a receivable that the gateway settles after 30 days', () => {
    const entry = one(transitionEntries(posted(card()), [attempt()], { state: captured(), ...none }));
    expect(entry).toMatchObject({
      step: 'payment/10000/0/0',
      kind: 'received',
      currency: 'BRL',
      postedAt: AT,
    });
    expect(linesOf(entry)).toEqual([
      ['gateway_receivable', 10_000, '2026-04-01'],
      ['sales', -10_000, null],
    ]);
  });

  it('installments are receivables of 30 days each, and the first one takes the remainder', () => {
    const payment = posted(card(), { installments: 3 });
    const entry = one(transitionEntries(payment, [attempt()], { state: captured(), ...none }));
    expect(linesOf(entry).slice(0, 3)).toEqual([
      ['gateway_receivable', 3_334, '2026-04-01'],
      ['gateway_receivable', 3_333, '2026-05-01'],
      ['gateway_receivable', 3_333, '2026-05-31'],
    ]);
    expect(entry.postings.slice(0, 3).map(({ installment }) => installment)).toEqual([1, 2, 3]);
  });

  it('a pix is expected on the day of its payment in Brazil, and a boleto on the next day', () => {
    const late = new Date('2026-03-03T01:00:00Z');
    const paidOf = (paymentMethod: 'pix' | 'billet') => {
      const state = captured({ paymentMethod, paidAmountCents: 10_000 });
      const before = posted(processing({ paymentMethod, status: 'pending' }));
      return linesOf(one(transitionEntries(before, [attempt()], { state, refund: null, at: late })))[0];
    };
    expect(paidOf('pix')).toEqual(['gateway_receivable', 10_000, '2026-03-02']);
    expect(paidOf('billet')).toEqual(['gateway_receivable', 10_000, '2026-03-03']);
  });

  it('recipients get their shares of a capture and return those of a refund', () => {
    const charge = attempt({ splits: allocate(10_000) });
    const sale = transitionEntries(posted(card()), [charge], { state: captured(), ...none });
    expect(balancesOf(sale)).toEqual({
      gateway_receivable: 10_000,
      'recipient_payable:rp_a': -7_000,
      'recipient_payable:rp_b': -3_000,
    });
    const refund = refundOf(1_000, { splits: allocate(1_000) });
    const state = captured({ refundedAmountCents: 1_000 });
    const entry = one(transitionEntries(posted(captured()), [charge, refund], { state, refund, at: AT }));
    expect(entry.kind).toBe('refunded');
    expect(balancesOf([...sale, entry])).toEqual({
      gateway_receivable: 9_000,
      'recipient_payable:rp_a': -6_300,
      'recipient_payable:rp_b': -2_700,
    });
  });

  it('a capture of a part posts that part with the shares of the capture', () => {
    const authorization = attempt({ operation: 'authorize', status: 'authorized', splits: allocate(10_000) });
    const capture = attempt({ operation: 'capture', splits: allocate(4_000) });
    const state = card({ status: 'approved', capturedAmountCents: 4_000 });
    const before = posted(card({ status: 'authorized' }));
    const entries = transitionEntries(before, [authorization, capture], { state, ...none });
    expect(balancesOf(entries)).toEqual({
      gateway_receivable: 4_000,
      'recipient_payable:rp_a': -2_800,
      'recipient_payable:rp_b': -1_200,
    });
  });

  it('an authorization, its cancel and a decline post nothing', () => {
    for (const status of ['authorized', 'canceled', 'failed'] as const) {
      const entries = transitionEntries(posted(card()), [attempt()], { state: card({ status }), ...none });
      expect(entries).toEqual([]);
    }
  });

  it('a refund without known shares is the company’s', () => {
    const charge = attempt({ splits: allocate(10_000) });
    const state = captured({ refundedAmountCents: 1_000 });
    const entries = transitionEntries(posted(captured()), [charge], { state, ...none });
    expect(balancesOf(entries)).toEqual({ gateway_receivable: -1_000, refunds: 1_000 });
  });
});

const cents = fc.oneof(fc.integer({ min: 1, max: 12_000 }), fc.constantFrom(1, 9_999, 10_000, 10_001));
const anyFact: fc.Arbitrary<PaymentFact> = fc.oneof(
  fc
    .constantFrom('approved' as const, 'authorized' as const, 'pending' as const)
    .map((status) => ({ kind: 'charged' as const, status })),
  cents.map((paidAmountCents) => ({ kind: 'paid' as const, paidAmountCents })),
  fc.constant({ kind: 'accepted' } as const),
  fc.constant({ kind: 'expired' } as const),
  fc.constant({ kind: 'canceled' } as const),
  cents.map((amountCents) => ({ kind: 'captured' as const, amountCents })),
  cents.map((amountCents) => ({ kind: 'refunded' as const, amountCents })),
);
const anyHistory = fc.record({
  paymentMethod: fc.constantFrom('card' as const, 'pix' as const, 'billet' as const),
  installments: fc.integer({ min: 1, max: 12 }),
  isSplit: fc.boolean(),
  facts: fc.array(anyFact, { maxLength: 20 }),
});
type History = typeof anyHistory extends fc.Arbitrary<infer Value> ? Value : never;

interface Run {
  readonly state: PaymentState;
  readonly attempts: readonly LedgerAttempt[];
  readonly entries: readonly JournalEntry[];
}

/** Applies the facts one by one and posts each transition as the worker does. */
function play({ paymentMethod, installments, isSplit, facts }: History): Run {
  const charge = attempt(isSplit ? { splits: allocate(10_000) } : {});
  let run: Run = { state: processing({ paymentMethod }), attempts: [charge], entries: [] };
  for (const [index, fact] of facts.entries()) {
    const applied = applyFact(run.state, fact);
    if (!applied.applied) continue;
    const at = new Date(AT.getTime() + index * 60_000);
    const made = madeBy(fact, run, isSplit, at);
    const attempts = made === null ? run.attempts : [...run.attempts, made];
    const refund = made?.operation === 'refund' ? made : null;
    const before = posted(run.state, { installments });
    const entries = transitionEntries(before, attempts, { state: applied.state, refund, at });
    run = { state: applied.state, attempts, entries: [...run.entries, ...entries] };
  }
  return run;
}

/** The operation of a fact. Recipients return what they have: nothing of a part that nobody accepted. */
function madeBy(fact: PaymentFact, { state }: Run, isSplit: boolean, at: Date): LedgerAttempt | null {
  if (fact.kind === 'captured') {
    const splits = isSplit ? allocate(fact.amountCents) : null;
    return attempt({ operation: 'capture', amountCents: fact.amountCents, splits, updatedAt: at });
  }
  if (fact.kind !== 'refunded') return null;
  const isShared = isSplit && (state.paymentMethod === 'card' || (state.paidAmountCents ?? 0) >= 10_000);
  const splits = isShared ? allocate(fact.amountCents) : null;
  return refundOf(fact.amountCents, { splits, updatedAt: at });
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const RUNS = { numRuns: 1_000 };

describe('any facts in any order', () => {
  it('every entry sums to zero and has a step of its own', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { entries } = play(history);
        for (const { postings } of entries) {
          expect(sumOf(postings.map(({ amountCents }) => amountCents))).toBe(0);
          expect(postings.every(({ amountCents }) => Number.isSafeInteger(amountCents))).toBe(true);
        }
        expect(new Set(entries.map(({ step }) => step)).size).toBe(entries.length);
      }),
      RUNS,
    );
  });

  it('the balances equal what was received, captured and refunded', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { state, entries } = play(history);
        const balances = balancesOf(entries);
        const { capturedCents, refundedCents, paidCents } = totalsOf(state);
        const cash = Math.max(capturedCents, paidCents);
        expect(balances['gateway_receivable'] ?? 0).toBe(cash - refundedCents);
        const unapplied = capturedCents > 0 ? cash - capturedCents : cash - refundedCents;
        expect(balances['unapplied_receipts'] ?? 0).toBe(unapplied === 0 ? 0 : -unapplied);
        const earned = Object.entries(balances)
          .filter(([name]) => /^(sales|refunds|recipient_payable)/.test(name))
          .map(([, balance]) => balance);
        const kept = capturedCents > 0 ? capturedCents - refundedCents : 0;
        expect(sumOf(earned)).toBe(kept === 0 ? 0 : -kept);
      }),
      RUNS,
    );
  });

  it('the entries of a whole history, posted afterwards, have the same balances', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { state, attempts, entries } = play(history);
        const { installments } = history;
        const later = missingEntries(ledgerPayment(state, { installments }), attempts);
        for (const { postings } of later) expect(sumOf(postings.map((each) => each.amountCents))).toBe(0);
        expect(balancesOf(later)).toEqual(balancesOf(entries));
        expect(missingEntries(posted(state), attempts)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('a transition of a payment that is not in the ledger posts its history first', () => {
    fc.assert(
      fc.property(anyHistory, anyFact, (history, fact) => {
        const { state, attempts, entries } = play(history);
        const applied = applyFact(state, fact);
        fc.pre(applied.applied);
        const { installments } = history;
        const next = { state: applied.applied ? applied.state : state, refund: null, at: AT };
        const inTime = transitionEntries(posted(state, { installments }), attempts, next);
        const late = transitionEntries(ledgerPayment(state, { installments }), attempts, next);
        expect(balancesOf(late)).toEqual(balancesOf([...entries, ...inTime]));
      }),
      RUNS,
    );
  });
});

it('a history is dated by the payment and by each refund', () => {
  const [first, second] = [new Date('2026-03-05T12:00:00Z'), new Date('2026-03-09T12:00:00Z')];
  const attempts = [
    attempt(),
    refundOf(1_000, { updatedAt: first }),
    refundOf(500, { updatedAt: second }),
    refundOf(700, { updatedAt: second, purpose: 'reversal' }),
    refundOf(700, { updatedAt: second, status: 'declined' }),
  ];
  const entries = missingEntries(ledgerPayment(captured({ refundedAmountCents: 1_500 })), attempts);
  expect(entries.map(({ step, kind, postedAt }) => [step, kind, postedAt])).toEqual([
    ['payment/10000/0/0', 'received', AT],
    ['payment/10000/1000/0', 'refunded', first],
    ['payment/10000/1500/0', 'refunded', second],
  ]);
});
