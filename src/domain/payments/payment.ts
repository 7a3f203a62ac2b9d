import { declineMessage, declineRule } from './decline';
import { assertNever } from '../shared/assert-never';
import type { GatewaySlug } from '../shared/gateway-slug';
import { escapeMarkdown } from '../shared/markdown';
import { formatMoney } from '../shared/money';

/** `billet` is a boleto. */
export const PAYMENT_METHODS = ['card', 'pix', 'billet'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Whether the customer pays after the payment is created: pix and boleto, unlike a card. */
export function isPaidLater(method: PaymentMethod): method is Exclude<PaymentMethod, 'card'> {
  switch (method) {
    case 'card':
      return false;
    case 'pix':
    case 'billet':
      return true;
    default:
      return assertNever(method);
  }
}

/**
 * The states of a payment.
 *
 *     processing --> approved | failed | pending | authorized
 *     pending    --> approved | failed (expired) | canceled
 *     authorized --> approved (captured) | canceled
 *     approved   --> approved (part refunded) | refunded
 *     failed (expired), canceled while pending --> approved (paid late)
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
 * Why an attempt is made: it is the charge itself; the company requested the operation; it returns a charge that was
 * approved too late; it voids an expired authorization; it returns the second payment of a checkout session; or nobody
 * requested it here and an inquiry has found it at the gateway.
 */
export type AttemptPurpose =
  | 'charge'
  | 'merchant_request'
  | 'reversal'
  | 'authorization_expired'
  | 'duplicate_purchase'
  | 'found_at_gateway';

/**
 * The states of an attempt at a gateway. `requested` and `sent` have no result yet; `unknown` was sent and its outcome is
 * not known; `accepted` is a capture, cancel or refund that its gateway certainly has and gives a result later; `abandoned`
 * is proven never to have reached the gateway.
 */
export type AttemptStatus =
  | 'requested'
  | 'sent'
  | 'unknown'
  | 'accepted'
  | 'approved'
  | 'authorized'
  | 'pending'
  | 'declined'
  | 'canceled'
  | 'refunded'
  | 'error'
  | 'abandoned';

/** A payment is not charged after this time, because the customer has left (docs/decisions/payments.md). */
export const CHARGE_WINDOW_MS = 15 * 60 * 1000;

const CAPTURE_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;

/** When an authorization expires, unless the gateway says otherwise (docs/decisions/payments.md). */
export function captureWindowEnd(authorizedAt: Date): Date {
  return new Date(authorizedAt.getTime() + CAPTURE_WINDOW_MS);
}

/** A charge attempt as routing and failover see it. */
export interface ChargeAttempt {
  readonly gateway: GatewaySlug;
  readonly status: AttemptStatus;
  readonly responseCode: string | null;
  /** Mastercard Merchant Advice Code. */
  readonly adviceCode: string | null;
  /** This service did not send it, because it was too slow or could not prepare it. It says nothing about the gateway. */
  readonly notSent: boolean;
  /** The gateway rejected the company's credentials. */
  readonly badCredentials?: boolean;
}

/** A payment fails after this many charges that were not sent. Each one may take the whole send window. */
const MAX_NOT_SENT = 10;

/** Whether another charge attempt is allowed. Charges that were not sent have a limit of their own. */
export function hasAttemptsLeft(charges: readonly ChargeAttempt[], maxAttempts: number): boolean {
  const notSent = charges.filter((attempt) => attempt.notSent).length;
  return charges.length - notSent < maxAttempts && notSent < MAX_NOT_SENT;
}

export type FailoverDecision =
  | { readonly kind: 'try_next' }
  | { readonly kind: 'fail'; readonly code: ChargeFailureCode; readonly message: string };

export interface FailoverOptions {
  readonly maxAttempts: number;
  /** Since the payment was created, in ms. */
  readonly ageMs: number;
  /** The card's brand; null for other methods. */
  readonly brand: string | null;
  /** Another gateway would return the same error, such as for an invalid request. */
  readonly definite: boolean;
}

/**
 * Decides what follows a charge attempt that certainly failed. `charges` holds all charge attempts in order, the failed
 * one last.
 */
export function decideFailover(
  charges: readonly ChargeAttempt[],
  options: FailoverOptions,
): FailoverDecision {
  const last = charges.at(-1);
  if (last === undefined) return { kind: 'try_next' };
  const failure = failureOf(charges);
  if (options.definite || !hasAttemptsLeft(charges, options.maxAttempts)) return failure;
  if (options.ageMs >= CHARGE_WINDOW_MS) return failure;
  if (last.status !== 'declined') return { kind: 'try_next' };
  return allowsFailover(charges, options.brand) ? { kind: 'try_next' } : failure;
}

/** A network's rule not to retry, or to wait, is about the card, so it applies to every gateway. */
function allowsFailover(charges: readonly ChargeAttempt[], brand: string | null): boolean {
  const { responseCode: code = null, adviceCode = null } = charges.at(-1) ?? {};
  // A decline without a code allows none, whatever its class.
  switch (declineRule({ code, brand, adviceCode }).failover) {
    case 'another_gateway':
      return true;
    case 'another_gateway_once':
      return charges.filter((each) => each.status === 'declined' && each.responseCode === code).length < 2;
    case 'none':
      return false;
  }
}

/** The failure of a payment with these charge attempts, the last of which ended it. */
export function failureOf(charges: readonly ChargeAttempt[]): FailoverDecision & { readonly kind: 'fail' } {
  const last = charges.at(-1);
  if (last === undefined) {
    return { kind: 'fail', code: 'not_attempted', message: 'no gateway was available' };
  }
  if (last.status === 'declined') {
    return { kind: 'fail', code: 'declined', message: declineMessage(last.responseCode ?? '') };
  }
  const message = `no gateway could process the payment${credentialsProblem(charges)}`;
  return { kind: 'fail', code: 'gateway_error', message };
}

/** Names the gateways that rejected the credentials: the company can correct that, unlike an outage. */
function credentialsProblem(charges: readonly ChargeAttempt[]): string {
  const gateways = new Set(charges.filter((each) => each.badCredentials).map(({ gateway }) => gateway));
  return gateways.size === 0 ? '' : `: ${[...gateways].join(', ')} rejected the credentials`;
}

/**
 * Our reference of one attempt at a gateway: unique, and it starts with the payment's transaction_id.
 * `nth` counts the operations of that kind on the same charge, from 1.
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

/** The summary of a payment in the list of workflows in the Temporal UI. */
export function paymentSummary(payment: {
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly currency: string;
  readonly merchantOrderId: string;
}): string {
  const { paymentMethod, amountCents, currency, merchantOrderId } = payment;
  return `${paymentMethod} ${formatMoney(amountCents, currency)}, order ${escapeMarkdown(merchantOrderId)}`;
}
