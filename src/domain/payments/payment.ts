import { advisedPauseMs, advisesNeverAgain } from './advice-code';
import { declineRule, type DeclineClass } from './decline';
import type { GatewaySlug } from '../shared/gateway-slug';
import { formatMoney } from '../shared/money';

export type PaymentMethod = 'card' | 'pix' | 'billet';

/**
 * A payment's states. `canceled` is added to the specification's set.
 *
 *     processing --> approved | failed | pending | authorized
 *     pending    --> approved | failed (expired) | canceled
 *     authorized --> approved (captured) | canceled
 *     approved   --> approved (part refunded) | refunded
 *     failed by expiry, canceled while pending --> approved: paid after all, the one way back
 */
export const PAYMENT_STATUSES = [
  'processing',
  'pending',
  'authorized',
  'approved',
  'failed',
  'canceled',
  'refunded',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Why a payment failed. */
export type FailureCode = ChargeFailureCode | 'expired';

/** Why no charge attempt succeeded. */
export type ChargeFailureCode = 'declined' | 'not_attempted' | 'gateway_error';

export type AttemptOperation = 'authorize' | 'charge' | 'capture' | 'cancel' | 'refund' | 'inquiry';

/**
 * Why an operation is made: it is the charge itself; the company asked for it; it gives back a charge that came too
 * late; or it releases an authorization whose time is over.
 */
export type AttemptPurpose = 'charge' | 'command' | 'reversal' | 'lapse';

/**
 * One gateway operation's states. `requested` and `sent` have no result yet; `unknown` was sent and gave no certain one;
 * `abandoned` is proven never to have reached the gateway.
 */
export type AttemptStatus =
  | 'requested'
  | 'sent'
  | 'unknown'
  | 'approved'
  | 'authorized'
  | 'pending'
  | 'declined'
  | 'canceled'
  | 'refunded'
  | 'error'
  | 'abandoned';

/** After this long a payment is not charged any more: the customer has left (decisions, section 5). */
export const CHARGE_WINDOW_MS = 15 * 60 * 1000;

const CAPTURE_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;

/** When an authorization lapses, where the gateway does not say (decisions, section 5). */
export function captureWindowEnd(authorizedAt: Date): Date {
  return new Date(authorizedAt.getTime() + CAPTURE_WINDOW_MS);
}

/** A charge attempt as the next decision needs it. */
export interface TriedAttempt {
  readonly gateway: GatewaySlug;
  readonly status: AttemptStatus;
  readonly responseCode: string | null;
  readonly declineType: DeclineClass | null;
  /** Mastercard's Merchant Advice Code. */
  readonly adviceCode: string | null;
  /** This service was too slow to send it, or could not prepare it: no byte left, and that says nothing of a gateway. */
  readonly notSent: boolean;
}

/** So many charges that never left end a payment; each takes the whole send window when it is time that was missing. */
const MAX_NEVER_LEFT = 10;

/** Whether a payment may try another charge after these. What never left is no try, but it does not go on for ever. */
export function hasTriesLeft(tried: readonly TriedAttempt[], maxAttempts: number): boolean {
  const notSent = tried.filter((attempt) => attempt.notSent).length;
  return tried.length - notSent < maxAttempts && notSent < MAX_NEVER_LEFT;
}

export type NextStep =
  | { readonly kind: 'try_next' }
  | { readonly kind: 'fail'; readonly code: ChargeFailureCode; readonly message: string };

/**
 * What follows a charge attempt that certainly did not succeed. `tried` holds all charge attempts in order, that one last.
 * `definite` tells an error that another gateway would repeat (a request the gateway calls invalid).
 */
export function afterFailedAttempt(
  tried: readonly TriedAttempt[],
  options: { readonly maxAttempts: number; readonly ageMs: number; readonly definite: boolean },
): NextStep {
  const last = tried.at(-1);
  if (last === undefined) return { kind: 'try_next' };
  const failure = failureOf(last);
  if (options.definite || !hasTriesLeft(tried, options.maxAttempts)) return failure;
  if (options.ageMs >= CHARGE_WINDOW_MS) return failure;
  if (last.status !== 'declined') return { kind: 'try_next' };
  return mayFailOver(tried) ? { kind: 'try_next' } : failure;
}

/** A network that advises not to try again, or not yet, means the card: at another gateway as well. */
function mayFailOver(tried: readonly TriedAttempt[]): boolean {
  const { responseCode = null, adviceCode = null } = tried.at(-1) ?? {};
  if (advisesNeverAgain(adviceCode) || advisedPauseMs(adviceCode) > 0) return false;
  const code = responseCode ?? '';
  switch (declineRule(code).failover) {
    case 'another_gateway':
      return true;
    case 'another_gateway_once':
      return tried.filter((t) => t.status === 'declined' && t.responseCode === code).length < 2;
    case 'none':
      return false;
  }
}

/** The failure a payment ends with when its last charge attempt is this one. */
export function failureOf(last: TriedAttempt): NextStep & { readonly kind: 'fail' } {
  if (last.status === 'declined') {
    const { message } = declineRule(last.responseCode ?? '');
    return { kind: 'fail', code: 'declined', message };
  }
  return { kind: 'fail', code: 'gateway_error', message: 'no gateway could process the payment' };
}

/**
 * Our reference of one operation at a gateway: unique, and it begins with the payment's transaction_id.
 * `nth` counts operations of that kind on the same charge, from 1.
 */
export function attemptReference(
  transactionId: string,
  attemptNumber: number,
  operation: AttemptOperation,
  nth = 1,
): string {
  const kind = operation === 'charge' || operation === 'authorize' ? '' : `-${operation}`;
  const count = nth === 1 ? '' : `-${nth}`;
  return `${transactionId}-${attemptNumber}${kind}${count}`;
}

/** A payment in one line, for people who read lists of workflows. */
export function paymentSummary(payment: {
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly currency: string;
  readonly merchantOrderId: string;
}): string {
  const { paymentMethod, amountCents, currency, merchantOrderId } = payment;
  return `${paymentMethod} ${formatMoney(amountCents, currency)}, order ${merchantOrderId}`;
}
