import {
  decideFailover,
  type AttemptStatus,
  type ChargeAttempt,
  type ChargeFailureCode,
  type FailoverOptions,
} from './payment';
import type { PaymentFact } from './payment-lifecycle';

/** The result of one charge attempt. */
export type ChargeAttemptResult =
  | { readonly kind: 'approved' | 'authorized' | 'pending' }
  | {
      readonly kind: 'declined';
      /** Null if the gateway sent no code. */
      readonly code: string | null;
      readonly adviceCode: string | null;
    }
  /** Certainly not charged. `definite`: another gateway would return the same error. */
  | {
      readonly kind: 'error';
      readonly code: string | null;
      readonly definite: boolean;
      /** The gateway rejected the company's credentials. */
      readonly badCredentials?: boolean;
    }
  | { readonly kind: 'unknown' }
  /** Proven never to have reached the gateway. `notSent`: this service did not send it. */
  | { readonly kind: 'abandoned'; readonly notSent: boolean };

/** The payment leaves `processing`. */
export interface SettleOutcome {
  readonly kind: 'settle';
  readonly fact: Extract<PaymentFact, { kind: 'charged' | 'failed' }>;
}

export type ChargeDecision = SettleOutcome | { readonly kind: 'try_next' } | { readonly kind: 'unknown' };

/**
 * Decides what a payment does after a charge attempt with this result. This is the whole failover policy.
 * `earlier` holds the previous charge attempts, in order.
 */
export function decideAfterCharge(
  result: ChargeAttemptResult,
  attempt: { readonly gateway: ChargeAttempt['gateway']; readonly earlier: readonly ChargeAttempt[] },
  options: Omit<FailoverOptions, 'definite'>,
): ChargeDecision {
  if (result.kind === 'unknown') return { kind: 'unknown' };
  if (result.kind === 'approved' || result.kind === 'authorized' || result.kind === 'pending') {
    return { kind: 'settle', fact: { kind: 'charged', status: result.kind } };
  }
  const failed: ChargeAttempt = {
    gateway: attempt.gateway,
    status: result.kind,
    responseCode: 'code' in result ? result.code : null,
    adviceCode: result.kind === 'declined' ? result.adviceCode : null,
    notSent: result.kind === 'abandoned' && result.notSent,
    badCredentials: result.kind === 'error' && result.badCredentials === true,
  };
  const definite = result.kind === 'error' && result.definite;
  const next = decideFailover([...attempt.earlier, failed], { ...options, definite });
  return next.kind === 'try_next' ? next : failWith(next);
}

export function failWith(failure: {
  readonly code: ChargeFailureCode;
  readonly message: string;
}): SettleOutcome {
  const { code, message } = failure;
  return { kind: 'settle', fact: { kind: 'failed', code, message } };
}

/** The status of an attempt row with this result. */
export function attemptStatusOf(result: ChargeAttemptResult): AttemptStatus {
  return result.kind;
}
