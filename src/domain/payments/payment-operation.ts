import { assertNever } from '../shared/assert-never';
import { isPart, leftCents, paidCents, type PaymentFact, type PaymentState } from './payment-lifecycle';

/** What a company may do to a charge. */
export type PaymentOperation = 'capture' | 'cancel' | 'refund';

export interface OperationRequest {
  readonly operation: PaymentOperation;
  /** Cents; without it the whole of what can be captured, or is left to refund. */
  readonly amountCents?: number | undefined;
}

/** What else is to be known of the payment; the operation that is asked about is not counted in it. */
export interface OpenOperations {
  /** Requested, sent or of unknown outcome. */
  readonly captureOrCancel: 'capture' | 'cancel' | null;
  /** The sum of refunds that are requested, sent or of unknown outcome. */
  readonly refundingCents: number;
  /** When the money was taken. */
  readonly paidAt: Date | null;
  /** By the payment's own clock. */
  readonly now: Date;
}

export type OperationProblem =
  /** 409: the payment's state forbids it. */
  | { readonly kind: 'invalid_state'; readonly message: string }
  /** 422 on `amount`. */
  | { readonly kind: 'amount'; readonly message: string };

const DAY_MS = 24 * 60 * 60 * 1000;

/** The Central Bank's limit for giving a pix back (Regulamento do Pix, devolução; decisions, section 5). */
const PIX_REFUND_DAYS = 90;

/** What forbids a capture, cancel or refund now, or null. Asked when it is requested, and again when it is claimed. */
export function operationProblem(
  state: PaymentState,
  request: OperationRequest,
  open: OpenOperations,
): OperationProblem | null {
  const allowed = stateProblem(state, request.operation, open);
  if (allowed !== null) return { kind: 'invalid_state', message: allowed };
  if (request.operation === 'cancel') return null;
  const most = mostCents(state, request.operation, open);
  if (isPart(operationAmountCents(state, request, open), most)) return null;
  return { kind: 'amount', message: `must be 1 to ${most}, what can be ${PAST[request.operation]}` };
}

const PAST = { capture: 'captured', refund: 'refunded', cancel: 'canceled' } as const;

/** The amount an operation is for, in cents: what was asked, else all there is. A cancel is of the whole payment. */
export function operationAmountCents(
  state: PaymentState,
  { operation, amountCents }: OperationRequest,
  open: Pick<OpenOperations, 'refundingCents'>,
): number {
  const most = mostCents(state, operation, open);
  return operation === 'cancel' ? most : (amountCents ?? most);
}

/** What an operation that was carried out means for its payment. */
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

function mostCents(
  state: PaymentState,
  operation: PaymentOperation,
  { refundingCents }: Pick<OpenOperations, 'refundingCents'>,
): number {
  return operation === 'refund' ? leftCents(state) - refundingCents : state.amountCents;
}

function stateProblem(state: PaymentState, operation: PaymentOperation, open: OpenOperations): string | null {
  const refuse = (rule: string): string => `The payment is ${inWords(state, open)}; ${rule}.`;
  const underWay = open.captureOrCancel !== null;
  switch (operation) {
    case 'capture':
      if (state.status === 'authorized' && !underWay) return null;
      return refuse('only an authorized payment can be captured, once');
    case 'cancel':
      if (isCancelable(state) && !underWay) return null;
      return refuse(
        'only an authorized payment, or a pending one of which nothing was paid, can be canceled',
      );
    case 'refund':
      if (state.status !== 'approved') return refuse('only an approved payment can be refunded');
      if (leftCents(state) - open.refundingCents <= 0) return refuse('nothing is left to refund');
      return isPixRefundOver(state, open)
        ? refuse(`a pix can be refunded within ${PIX_REFUND_DAYS} days of its payment`)
        : null;
    default:
      return assertNever(operation);
  }
}

function isCancelable(state: PaymentState): boolean {
  return state.status === 'authorized' || (state.status === 'pending' && paidCents(state) === 0);
}

function isPixRefundOver(state: PaymentState, { paidAt, now }: OpenOperations): boolean {
  if (state.paymentMethod !== 'pix' || paidAt === null) return false;
  return now.getTime() - paidAt.getTime() > PIX_REFUND_DAYS * DAY_MS;
}

/** The state as an error names it, `authorized, with a capture under way`. */
function inWords(state: PaymentState, open: OpenOperations): string {
  const { status } = state;
  if (open.captureOrCancel !== null) return `${status}, with a ${open.captureOrCancel} under way`;
  if (open.refundingCents > 0) return `${status}, with a refund under way`;
  if (status === 'pending' && paidCents(state) > 0) return 'pending, with a part of it paid';
  return status;
}
