import { assertNever } from '../shared/assert-never';
import {
  isAmountWithin,
  refundableCents,
  paidCents,
  undecidedCents,
  type PaymentFact,
  type PaymentState,
} from './payment-lifecycle';

/** What a company can request on a charge. */
export type PaymentOperation = 'capture' | 'cancel' | 'refund';

export interface OperationRequest {
  readonly operation: PaymentOperation;
  /** Cents. Without it, the full amount that can be captured or refunded. */
  readonly amountCents?: number | undefined;
}

/** What else decides whether an operation is allowed. The operation itself is not counted. */
export interface OperationConditions {
  /** An unfinished capture or cancel: requested, sent or of unknown outcome. */
  readonly captureOrCancel: 'capture' | 'cancel' | null;
  /** The sum of unfinished refunds. */
  readonly refundingCents: number;
  /** What the customer has got, or may get, by disputes. */
  readonly disputedCents: number;
  /** When the payment was paid or captured. */
  readonly paidAt: Date | null;
  /** By the payment's clock. */
  readonly now: Date;
}

export type OperationProblem =
  /** HTTP 409: the payment's state does not allow it. */
  | { readonly kind: 'invalid_state'; readonly message: string }
  /** HTTP 409: the customer may get the same money by a dispute. */
  | { readonly kind: 'payment_disputed'; readonly message: string }
  /** HTTP 422 on `amount`. */
  | { readonly kind: 'amount'; readonly message: string };

const DAY_MS = 24 * 60 * 60 * 1000;

/** The Central Bank's limit for refunding a pix (Regulamento do Pix, devolução; docs/decisions/payments.md). */
const PIX_REFUND_DAYS = 90;

/** Why a capture, cancel or refund is not allowed now, or null. Checked when it is requested and again when it is claimed. */
export function operationProblem(
  state: PaymentState,
  request: OperationRequest,
  open: OperationConditions,
): OperationProblem | null {
  const problem = stateProblem(state, request.operation, open);
  if (problem !== null) return { kind: 'invalid_state', message: problem };
  const disputed = disputeProblem(state, request, open);
  if (disputed !== null) return { kind: 'payment_disputed', message: disputed };
  const maxCents = maxAmountCents(state, request.operation, open);
  if (isAmountWithin(operationAmountCents(state, request, open), maxCents)) return null;
  return {
    kind: 'amount',
    message: `must be 1 to ${maxCents} cents, the amount that can be ${PAST[request.operation]}`,
  };
}

const PAST = { capture: 'captured', refund: 'refunded', cancel: 'canceled' } as const;

/** The amount of an operation in cents: the requested one, else the maximum. A cancel is always for the whole payment. */
export function operationAmountCents(
  state: PaymentState,
  { operation, amountCents }: OperationRequest,
  open: Pick<OperationConditions, 'refundingCents' | 'disputedCents'>,
): number {
  const maxCents = maxAmountCents(state, operation, open);
  return operation === 'cancel' ? maxCents : (amountCents ?? maxCents);
}

/** The fact that a successful operation means for its payment. */
export function operationFact(operation: PaymentOperation, amountCents: number): PaymentFact {
  switch (operation) {
    case 'capture':
      return { kind: 'captured', amountCents };
    case 'cancel':
      return { kind: 'canceled' };
    case 'refund':
      return { kind: 'refunded', amountCents };
    default:
      return assertNever(operation);
  }
}

function maxAmountCents(
  state: PaymentState,
  operation: PaymentOperation,
  { refundingCents, disputedCents }: Pick<OperationConditions, 'refundingCents' | 'disputedCents'>,
): number {
  if (operation !== 'refund') return state.amountCents;
  return Math.max(0, refundableCents(state) - refundingCents - disputedCents);
}

/** A refund of money under dispute would be paid twice, if the customer wins. */
function disputeProblem(
  state: PaymentState,
  { operation, amountCents }: OperationRequest,
  open: OperationConditions,
): string | null {
  if (operation !== 'refund' || open.disputedCents === 0) return null;
  const leftCents = refundableCents(state) - open.refundingCents;
  const freeCents = maxAmountCents(state, operation, open);
  const isForbidden = freeCents === 0 || (amountCents !== undefined && amountCents > freeCents);
  // More than that is wrong without a dispute, too.
  if (!isForbidden || (amountCents ?? leftCents) > leftCents) return null;
  return freeCents === 0
    ? `What is left of the payment is under dispute (${open.disputedCents} cents); it cannot be refunded.`
    : `${open.disputedCents} cents of the payment are under dispute; at most ${freeCents} cents can be refunded.`;
}

function stateProblem(
  state: PaymentState,
  operation: PaymentOperation,
  open: OperationConditions,
): string | null {
  const refuse = (rule: string): string => `The payment is ${describeState(state, open)}; ${rule}.`;
  const isUnfinished = open.captureOrCancel !== null;
  switch (operation) {
    case 'capture':
      if (state.status === 'authorized' && !isUnfinished) return null;
      return refuse('only an authorized payment can be captured, once');
    case 'cancel':
      if (isCancelable(state) && !isUnfinished) return null;
      return refuse(
        'only an authorized payment, or a pending one of which nothing was paid, can be canceled',
      );
    case 'refund':
      if (!isRefundable(state))
        return refuse('only an approved payment, or a paid part of a pix or billet, can be refunded');
      if (refundableCents(state) - open.refundingCents <= 0) return refuse('nothing is left to refund');
      return isPixRefundOver(state, open)
        ? refuse(`a pix can be refunded within ${PIX_REFUND_DAYS} days of its payment`)
        : null;
    default:
      return assertNever(operation);
  }
}

/** Received money can always be refunded, also if the payment is not approved for it. */
function isRefundable(state: PaymentState): boolean {
  return state.status === 'approved' || undecidedCents(state) > 0;
}

function isCancelable(state: PaymentState): boolean {
  return state.status === 'authorized' || (state.status === 'pending' && paidCents(state) === 0);
}

function isPixRefundOver(state: PaymentState, { paidAt, now }: OperationConditions): boolean {
  if (state.paymentMethod !== 'pix' || paidAt === null) return false;
  return now.getTime() - paidAt.getTime() > PIX_REFUND_DAYS * DAY_MS;
}

/** The state in an error message, such as `authorized, with a capture under way`. */
function describeState(state: PaymentState, open: OperationConditions): string {
  const { status } = state;
  if (open.captureOrCancel !== null) return `${status}, with a ${open.captureOrCancel} under way`;
  if (open.refundingCents > 0) return `${status}, with a refund under way`;
  if (undecidedCents(state) > 0) return `${status}, with a part of it paid`;
  return status;
}
