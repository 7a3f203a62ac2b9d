import { assertNever } from '../shared/assert-never';
import { isPaidLater, type FailureCode, type PaymentMethod, type PaymentStatus } from './payment';
import type { TransactionEvent } from './transaction-event';

/** The state of a payment that facts change. Amounts in cents. */
export interface PaymentState {
  readonly status: PaymentStatus;
  readonly code: FailureCode | null;
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly capturedAmountCents: number;
  readonly refundedAmountCents: number;
  /** The amount paid so far of a pix or boleto; null before the first payment. */
  readonly paidAmountCents: number | null;
}

/** Something that certainly happened: at a gateway, by a deadline or by an operator. Amounts in cents. */
export type PaymentFact =
  | { readonly kind: 'charged'; readonly status: 'approved' | 'authorized' | 'pending' }
  | { readonly kind: 'failed'; readonly code: Exclude<FailureCode, 'expired'>; readonly message: string }
  /** `paidAmountCents` is the total paid so far, not the last payment. */
  | { readonly kind: 'paid'; readonly paidAmountCents: number }
  /** An operator accepted a partial payment, in time or late. */
  | { readonly kind: 'accepted' }
  /** The payment deadline and its grace period have passed, and a last inquiry found no payment. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'captured'; readonly amountCents: number }
  | { readonly kind: 'refunded'; readonly amountCents: number };

export type AppliedFact =
  | {
      readonly applied: true;
      readonly state: PaymentState;
      readonly message: string;
      /** Null when only amounts changed that no event reports. */
      readonly event: TransactionEvent | null;
    }
  /** Nothing changes: the fact is already recorded, or its state does not allow it. `reason` is for the log. */
  | { readonly applied: false; readonly reason: string };

/**
 * The transition table (docs/decisions/payments.md): the facts that apply in each status, and the statuses they lead to.
 * Statuses only move forward, except for a pix or boleto that is paid after it expired or was canceled.
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
    refunded: ['pending'],
  },
  authorized: { captured: ['approved'], canceled: ['canceled'] },
  approved: { paid: ['approved'], refunded: ['approved', 'refunded'] },
  failed: { paid: ['approved', 'failed'], accepted: ['approved'], refunded: ['failed'] },
  canceled: { paid: ['approved', 'canceled'], accepted: ['approved'], refunded: ['canceled'] },
  refunded: { paid: ['refunded'] },
};

/** Whether some fact changes a payment from one status to the other. Only a late pix or boleto leaves `failed` or `canceled`. */
export function canTransition(from: PaymentStatus, to: PaymentStatus): boolean {
  return from !== to && Object.values(TRANSITIONS[from]).some((targets) => targets.includes(to));
}

/** Applies a fact to a payment. A repeated fact, or one that arrives too late, changes nothing. */
export function applyFact(state: PaymentState, fact: PaymentFact): AppliedFact {
  const targets = TRANSITIONS[state.status][fact.kind] ?? [];
  const rejected = targets.length === 0 ? 'not allowed in this status' : rejectionReason(state, fact);
  if (rejected !== null) return { applied: false, reason: `${fact.kind} when ${state.status}: ${rejected}` };
  const next = nextState(state, fact);
  if (!targets.includes(next.status)) {
    throw new Error(`no transition from ${state.status} to ${next.status} by ${fact.kind}`);
  }
  return { applied: true, state: next, message: messageOf(next, fact), event: eventOf(state, next) };
}

/** Why a fact that is allowed in this status does not apply to this payment, or null. */
function rejectionReason(state: PaymentState, fact: PaymentFact): string | null {
  switch (fact.kind) {
    case 'paid':
      if (fact.paidAmountCents <= paidCents(state)) return 'the paid amount did not increase';
      return canBePaidLate(state) ? null : 'only an expired or canceled pix or boleto can be paid late';
    case 'accepted':
      return undecidedCents(state) > 0 ? null : 'no paid amount is held';
    case 'expired':
      return undecidedCents(state) === 0 ? null : 'partly paid; an operator decides';
    case 'captured':
      return isAmountWithin(fact.amountCents, state.amountCents) ? null : 'not within the authorized amount';
    case 'refunded':
      return isAmountWithin(fact.amountCents, refundableCents(state))
        ? null
        : 'not within the refundable amount';
    case 'charged':
    case 'failed':
    case 'canceled':
      return null;
    default:
      return assertNever(fact);
  }
}

function canBePaidLate({ status, code, paymentMethod }: PaymentState): boolean {
  if (status === 'failed') return isPaidLater(paymentMethod) && code === 'expired';
  return status !== 'canceled' || isPaidLater(paymentMethod);
}

function nextState(state: PaymentState, fact: PaymentFact): PaymentState {
  switch (fact.kind) {
    case 'charged':
      return fact.status === 'approved' ? approved(state) : { ...state, status: fact.status };
    case 'failed':
      return { ...state, status: 'failed', code: fact.code };
    case 'paid':
      return paid(state, fact.paidAmountCents);
    case 'accepted':
      return { ...state, status: 'approved', code: null, capturedAmountCents: paidCents(state) };
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

function approved(state: PaymentState): PaymentState {
  const paidAmountCents = isPaidLater(state.paymentMethod) ? state.amountCents : state.paidAmountCents;
  return { ...state, status: 'approved', capturedAmountCents: state.amountCents, paidAmountCents };
}

/** An underpayment keeps the status. An overpayment captures the amount; `paidAmountCents` holds the excess. */
function paid(state: PaymentState, paidAmountCents: number): PaymentState {
  const next = { ...state, paidAmountCents };
  if (state.status === 'refunded') return next;
  if (state.status === 'approved') return { ...next, capturedAmountCents: capturedCentsOf(next) };
  if (paidAmountCents >= state.amountCents) {
    return { ...next, status: 'approved', code: null, capturedAmountCents: state.amountCents };
  }
  return state.status === 'processing' ? { ...next, status: 'pending' } : next;
}

/** After an operator accepted a partial payment, the customer may still pay the rest. */
function capturedCentsOf(state: PaymentState): number {
  const { paymentMethod, amountCents, capturedAmountCents } = state;
  if (!isPaidLater(paymentMethod)) return capturedAmountCents;
  return Math.max(capturedAmountCents, Math.min(paidCents(state), amountCents));
}

/** A refund of a partial payment that was not accepted keeps the status. */
function refunded(state: PaymentState, refundedAmountCents: number): PaymentState {
  if (state.status !== 'approved') return { ...state, refundedAmountCents };
  const isFull = refundedAmountCents === state.capturedAmountCents;
  return { ...state, status: isFull ? 'refunded' : 'approved', refundedAmountCents };
}

function messageOf(next: PaymentState, fact: PaymentFact): string {
  if (fact.kind === 'failed') return fact.message;
  switch (next.status) {
    case 'pending':
    case 'canceled':
      return undecidedCents(next) > 0 ? 'underpaid' : next.status;
    case 'failed':
      return undecidedCents(next) > 0 ? 'underpaid' : 'expired';
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

/** Events report each new status, each refund and each underpayment, in time or late. */
function eventOf(before: PaymentState, next: PaymentState): TransactionEvent | null {
  if (next.refundedAmountCents !== before.refundedAmountCents) return 'transaction.refunded';
  if (next.status === 'processing') return null;
  if (next.status !== before.status || undecidedCents(next) > 0) return `transaction.${next.status}`;
  return null;
}

/** The amount paid so far of a pix or boleto. */
export function paidCents({ paidAmountCents }: PaymentState): number {
  return paidAmountCents ?? 0;
}

/**
 * The part of a pix or boleto that was paid and is neither accepted nor refunded: an operator decides about it. 0 once the
 * payment is approved.
 */
export function undecidedCents(state: PaymentState): number {
  const { status, paymentMethod, refundedAmountCents } = state;
  const isDecided = status !== 'pending' && status !== 'failed' && status !== 'canceled';
  return isDecided || !isPaidLater(paymentMethod) ? 0 : paidCents(state) - refundedAmountCents;
}

/** What the customer has paid of the amount: the captured amount, or the part of a pix or boleto that is not accepted. */
export function receivedCents(state: PaymentState): number {
  const { capturedAmountCents, paymentMethod } = state;
  return capturedAmountCents > 0 || !isPaidLater(paymentMethod) ? capturedAmountCents : paidCents(state);
}

/** The received amount that is not refunded. */
export function refundableCents(state: PaymentState): number {
  return receivedCents(state) - state.refundedAmountCents;
}

/** Whether an amount is at least one cent and at most `maxCents`. */
export function isAmountWithin(cents: number, maxCents: number): boolean {
  return Number.isSafeInteger(cents) && cents >= 1 && cents <= maxCents;
}
