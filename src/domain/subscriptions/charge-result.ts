import { SOFT_DECLINE, stricter, type RetryAdvice } from '../payments/advice-code';
import { declineRule, type DeclineClass } from '../payments/decline';
import type { GatewayErrorFamily } from '../payments/gateway-error-family';
import type { AttemptStatus, PaymentStatus } from '../payments/payment';
import { assertNever } from '../shared/assert-never';
import type { HoldReason } from './subscription';

/** The certain result of a subscription's charge. */
export type SubscriptionChargeResult =
  | { readonly kind: 'paid' }
  /** The issuer or the network refused the card. */
  | { readonly kind: 'declined'; readonly decline: RetryAdvice }
  /** A gateway refused the request or the credentials. The issuer was not asked. */
  | { readonly kind: 'gateway_refused' }
  /** No issuer answered: nothing was sent, the gateways were unavailable, or they certainly never received the charge. */
  | { readonly kind: 'unanswered'; readonly reason: HoldReason; readonly detail?: string | null };

/** One charge attempt at a gateway, as it ended. */
export interface ChargeAnswer {
  readonly status: AttemptStatus;
  /** The issuer's response code, if it declined and the gateway sent the code. */
  readonly responseCode: string | null;
  readonly declineType: DeclineClass | null;
  /** Merchant Advice Code. */
  readonly adviceCode: string | null;
  readonly errorFamily: GatewayErrorFamily | null;
}

/**
 * The result of a settled payment, from its charge attempts. Only an issuer's answer is a decline; the strictest rule of all
 * declines counts. If a gateway that could have charged gave no answer, the declines of the others do not count, except of a
 * request that is invalid everywhere.
 */
export function chargeResultOf(
  status: PaymentStatus,
  attempts: readonly ChargeAnswer[],
  brand: string | null,
): SubscriptionChargeResult {
  if (status === 'approved' || status === 'refunded') return { kind: 'paid' };
  const declines = attempts.filter((attempt) => attempt.status === 'declined');
  if (declines.length > 0) {
    const rules = declines.map(({ responseCode: code, adviceCode, declineType }) =>
      declineRule({ code, brand, adviceCode, declineType }),
    );
    return { kind: 'declined', decline: rules.reduce<RetryAdvice>(stricter, SOFT_DECLINE) };
  }
  if (attempts.length === 0) return { kind: 'unanswered', reason: 'not_attempted' };
  const isInvalid = attempts.some(({ errorFamily }) => errorFamily === 'invalid_request');
  if (isInvalid || !attempts.some(isUnanswered)) return { kind: 'gateway_refused' };
  return { kind: 'unanswered', reason: 'gateway_unavailable' };
}

/** Whether the gateway gave no answer to a charge: it may hold money, or certainly never received it, or was too busy. */
export function isUnanswered({ status, errorFamily }: ChargeAnswer): boolean {
  switch (status) {
    case 'sent':
    case 'unknown':
    case 'abandoned':
      return true;
    case 'error':
      return errorFamily !== null && isOutage(errorFamily);
    case 'requested':
    case 'accepted':
    case 'approved':
    case 'authorized':
    case 'pending':
    case 'declined':
    case 'canceled':
    case 'refunded':
      return false;
    default:
      return assertNever(status);
  }
}

function isOutage(family: GatewayErrorFamily): boolean {
  switch (family) {
    case 'not_sent':
    case 'rate_limited':
    case 'ambiguous':
      return true;
    case 'bad_credentials':
    case 'unsupported':
    case 'invalid_request':
      return false;
    default:
      return assertNever(family);
  }
}
