import { assertNever } from '../shared/assert-never';
import type { FailureCode, PaymentMethod, PaymentStatus } from './payment';
import type { TransactionEvent } from './transaction-event';

/** A payment as its life goes on; amounts in cents. */
export interface PaymentState {
  readonly status: PaymentStatus;
  readonly code: FailureCode | null;
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly capturedAmountCents: number;
  readonly refundedAmountCents: number;
  /** What was paid of a pix or billet until now; null before the first of it. */
  readonly paidAmountCents: number | null;
}

/** Something that certainly happened at a gateway, or to our own deadline. Amounts in cents. */
export type PaymentFact =
  | { readonly kind: 'charged'; readonly status: 'approved' | 'authorized' | 'pending' }
  | { readonly kind: 'failed'; readonly code: Exclude<FailureCode, 'expired'>; readonly message: string }
  /** `paidAmountCents` is all that was paid until now, not what came last. */
  | { readonly kind: 'paid'; readonly paidAmountCents: number }
  /** A person takes what was paid for enough. */
  | { readonly kind: 'accepted' }
  /** The time to pay, its grace and a last inquiry are over. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'captured'; readonly amountCents: number }
  | { readonly kind: 'refunded'; readonly amountCents: number };

export type AppliedFact =
  | {
      readonly applied: true;
      readonly state: PaymentState;
      readonly message: string;
      /** Null when only amounts changed that no event tells. */
      readonly event: TransactionEvent | null;
    }
  /** The payment stays as it is: the fact was known already, or cannot follow on its state. `reason` is for the log. */
  | { readonly applied: false; readonly reason: string };

/**
 * The transition table (decisions, section 5): which facts mean something in a state, and where each may lead. Statuses
 * only move forward, but for a pix or billet that is paid after it expired or was canceled.
 */
const TRANSITIONS: Readonly<
  Record<PaymentStatus, Readonly<Partial<Record<PaymentFact['kind'], readonly PaymentStatus[]>>>>
> = {
  processing: {
    charged: ['approved', 'authorized', 'pending'],
    paid: ['approved', 'pending'],
    failed: ['failed'],
  },
  pending: {
    paid: ['approved', 'pending'],
    accepted: ['approved'],
    expired: ['failed'],
    canceled: ['canceled'],
  },
  authorized: { captured: ['approved'], canceled: ['canceled'] },
  approved: { paid: ['approved'], refunded: ['approved', 'refunded'] },
  failed: { paid: ['approved', 'failed'] },
  canceled: { paid: ['approved', 'canceled'] },
  refunded: { paid: ['refunded'] },
};

/** Whether a payment may go from one state to another. The way back from `failed` and `canceled` is for pix and billet paid late only. */
export function canTransition(from: PaymentStatus, to: PaymentStatus): boolean {
  return from !== to && Object.values(TRANSITIONS[from]).some((targets) => targets.includes(to));
}

/** What a payment becomes by a fact. The same fact again, or one that comes too late to matter, moves nothing. */
export function applyFact(state: PaymentState, fact: PaymentFact): AppliedFact {
  const targets = TRANSITIONS[state.status][fact.kind] ?? [];
  const impossible = targets.length === 0 ? 'it cannot follow' : impossibility(state, fact);
  if (impossible !== null)
    return { applied: false, reason: `${fact.kind} when ${state.status}: ${impossible}` };
  const next = consequence(state, fact);
  if (!targets.includes(next.status)) {
    throw new Error(`a ${state.status} payment does not become ${next.status} when ${fact.kind}`);
  }
  return { applied: true, state: next, message: messageOf(next, fact), event: eventOf(state, next) };
}

/** Why a fact that means something in this state changes nothing in this payment, or null. */
function impossibility(state: PaymentState, fact: PaymentFact): string | null {
  switch (fact.kind) {
    case 'paid':
      if (fact.paidAmountCents <= paidCents(state)) return 'no more was paid than is known';
      return mayBePaid(state) ? null : 'only an expired or canceled pix or billet is paid after all';
    case 'accepted':
      return paidCents(state) > 0 ? null : 'nothing was paid';
    case 'expired':
      return paidCents(state) === 0 ? null : 'a part was paid, and a person decides';
    case 'captured':
      return isPart(fact.amountCents, state.amountCents) ? null : 'not an amount that was authorized';
    case 'refunded':
      return isPart(fact.amountCents, leftCents(state)) ? null : 'not an amount that is left';
    case 'charged':
    case 'failed':
    case 'canceled':
      return null;
    default:
      return assertNever(fact);
  }
}

function mayBePaid({ status, code, paymentMethod }: PaymentState): boolean {
  if (status === 'failed') return paymentMethod !== 'card' && code === 'expired';
  return status !== 'canceled' || paymentMethod !== 'card';
}

function consequence(state: PaymentState, fact: PaymentFact): PaymentState {
  switch (fact.kind) {
    case 'charged':
      return fact.status === 'approved' ? approvedAtOnce(state) : { ...state, status: fact.status };
    case 'failed':
      return { ...state, status: 'failed', code: fact.code };
    case 'paid':
      return paid(state, fact.paidAmountCents);
    case 'accepted':
      return { ...state, status: 'approved', capturedAmountCents: paidCents(state) };
    case 'expired':
      return { ...state, status: 'failed', code: 'expired' };
    case 'canceled':
      return { ...state, status: 'canceled' };
    case 'captured':
      return { ...state, status: 'approved', capturedAmountCents: fact.amountCents };
    case 'refunded':
      return refunded(state, state.refundedAmountCents + fact.amountCents);
    default:
      return assertNever(fact);
  }
}

function approvedAtOnce(state: PaymentState): PaymentState {
  const paidAmountCents = state.paymentMethod === 'card' ? state.paidAmountCents : state.amountCents;
  return { ...state, status: 'approved', capturedAmountCents: state.amountCents, paidAmountCents };
}

/** Too little leaves the status alone; too much counts as the amount, and `paidAmountCents` shows the rest. */
function paid(state: PaymentState, paidAmountCents: number): PaymentState {
  const next = { ...state, paidAmountCents };
  if (state.status === 'refunded') return next;
  if (state.status === 'approved') return { ...next, capturedAmountCents: takenCents(next) };
  if (paidAmountCents >= state.amountCents) {
    return { ...next, status: 'approved', code: null, capturedAmountCents: state.amountCents };
  }
  return state.status === 'processing' ? { ...next, status: 'pending' } : next;
}

/** The rest of what a person had taken for enough may still be paid. */
function takenCents(state: PaymentState): number {
  const { paymentMethod, amountCents, capturedAmountCents } = state;
  if (paymentMethod === 'card') return capturedAmountCents;
  return Math.max(capturedAmountCents, Math.min(paidCents(state), amountCents));
}

function refunded(state: PaymentState, refundedAmountCents: number): PaymentState {
  const whole = refundedAmountCents === state.capturedAmountCents;
  return { ...state, status: whole ? 'refunded' : 'approved', refundedAmountCents };
}

function messageOf(next: PaymentState, fact: PaymentFact): string {
  if (fact.kind === 'failed') return fact.message;
  switch (next.status) {
    case 'pending':
    case 'canceled':
      return paidCents(next) > 0 ? 'underpaid' : next.status;
    case 'failed':
      return paidCents(next) > 0 ? 'underpaid' : 'expired';
    case 'approved':
      return next.refundedAmountCents > 0 ? 'partially refunded' : 'approved';
    case 'processing':
    case 'authorized':
    case 'refunded':
      return next.status;
    default:
      return assertNever(next.status);
  }
}

/** A new status is told, and every refund, and a pending payment of which too little was paid: a person decides about it. */
function eventOf(before: PaymentState, next: PaymentState): TransactionEvent | null {
  if (next.refundedAmountCents !== before.refundedAmountCents) return 'transaction.refunded';
  if (next.status === 'processing') return null;
  if (next.status !== before.status || next.status === 'pending') return `transaction.${next.status}`;
  return null;
}

/** What was paid of a pix or billet until now. */
export function paidCents({ paidAmountCents }: PaymentState): number {
  return paidAmountCents ?? 0;
}

/** What was captured and not given back. */
export function leftCents({ capturedAmountCents, refundedAmountCents }: PaymentState): number {
  return capturedAmountCents - refundedAmountCents;
}

/** Whether an amount can be taken out of a whole: at least a cent, at most all of it. */
export function isPart(cents: number, whole: number): boolean {
  return Number.isSafeInteger(cents) && cents >= 1 && cents <= whole;
}
