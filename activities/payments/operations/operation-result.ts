import { assertNever } from '../../../src/domain/shared/assert-never';
import { isAccepted } from '../../../src/domain/payments/charge-operations';
import { CHARGE_WINDOW_MS } from '../../../src/domain/payments/payment';
import { paymentNow } from '../../../src/domain/payments/payment-clock';
import type { Outcome } from '../../../src/gateways/gateway';
import type {
  AttemptRecord,
  AttemptResult,
} from '../../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../../src/persistence/payments/payment-repository';
import { isOpen } from '../attempt-predicates';
import { declineClass, isNotSentLocally } from '../attempt-result-mapper';
import type { GatewayAnswer } from '../call-gateway';
import type { UpdateSource } from '../record-charge';

/** What is known of a capture, cancel or refund: a gateway's answer, proof of absence, or an operator's confirmation. */
export type OperationUpdate =
  | GatewayAnswer
  | { readonly kind: 'absent'; readonly message: string }
  | { readonly kind: 'confirmed'; readonly message: string };

/** How often an operation is sent that provably never arrived. */
const MAX_SENDS = 3;
/**
 * The same limit for requests that this service did not send in time. It is higher, because they say nothing about the
 * gateway. Each one may take the whole send window.
 */
const MAX_LOCAL_RETRIES = 10;

/** Whether an update can be the result of an attempt: of an accepted one, only the gateway's result or an operator's word. */
export function awaits(attempt: AttemptRecord, update: OperationUpdate, source: UpdateSource): boolean {
  if (!isAccepted(attempt)) return isOpen(attempt);
  switch (update.kind) {
    case 'confirmed':
    case 'absent':
      return source.kind === 'operator';
    case 'error':
      return false;
    case 'outcome':
      return update.outcome.kind === 'declined' || update.outcome.kind === successStatus(attempt);
    default:
      return assertNever(update);
  }
}

/** The new values of the operation's row. */
export function resultOf(
  payment: PaymentRecord,
  attempt: AttemptRecord,
  update: OperationUpdate,
  now: Date,
): AttemptResult {
  switch (update.kind) {
    case 'absent':
      return { status: statusAfterAbsence(attempt, now), responseMessage: update.message };
    case 'confirmed':
      return { status: successStatus(attempt), responseMessage: update.message };
    case 'error':
      return {
        status: statusAfterError(attempt, update),
        errorFamily: update.family,
        responseCode: update.code,
        responseMessage: update.message,
        requestMs: update.requestMs,
      };
    case 'outcome':
      return { ...resultOfOutcome(payment, attempt, update.outcome, now), requestMs: update.requestMs };
    default:
      return assertNever(update);
  }
}

/** The status of an operation that was carried out. */
export function successStatus({ operation }: AttemptRecord): 'approved' | 'canceled' | 'refunded' {
  if (operation === 'capture') return 'approved';
  return operation === 'refund' ? 'refunded' : 'canceled';
}

/**
 * The status of an operation that never arrived. It is sent again with the same key while the company's request is
 * recent; an older request must be repeated by the company. Any other operation, such as a reversal, stays `unknown`
 * until an operator resolves it.
 */
function statusAfterAbsence(attempt: AttemptRecord, now: Date): AttemptResult['status'] {
  const isRecent = now.getTime() - attempt.createdAt.getTime() < CHARGE_WINDOW_MS;
  if (attempt.sendCount < MAX_SENDS && (isRecent || attempt.purpose !== 'merchant_request'))
    return 'requested';
  return attempt.purpose === 'merchant_request' ? 'abandoned' : 'unknown';
}

/** An unknown outcome never counts as a failure. A failed reversal stays `unknown` until an operator resolves it. */
function statusAfterError(
  attempt: AttemptRecord,
  answer: GatewayAnswer & { kind: 'error' },
): AttemptResult['status'] {
  if (answer.family === 'ambiguous') return 'unknown';
  if (isNotSentLocally(answer) && attempt.sendCount < MAX_LOCAL_RETRIES) return 'requested';
  return attempt.purpose === 'merchant_request' ? 'error' : 'unknown';
}

function resultOfOutcome(
  payment: PaymentRecord,
  attempt: AttemptRecord,
  outcome: Outcome,
  now: Date,
): AttemptResult {
  if (outcome.kind === 'declined') {
    const { code, message } = outcome;
    const status = attempt.purpose === 'merchant_request' ? 'declined' : 'unknown';
    const declineType = declineClass(payment, outcome);
    return { status, responseCode: code, responseMessage: message, declineType };
  }
  const { kind, responseCode, responseMessage } = outcome;
  const answer = { responseCode, responseMessage, errorFamily: null };
  if (kind === 'pending') return { ...answer, status: 'accepted', awaitedSince: paymentNow(payment, now) };
  const success = successStatus(attempt);
  return { ...answer, status: kind === success ? success : 'unknown' };
}
