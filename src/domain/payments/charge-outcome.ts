import type { DeclineClass } from './decline';
import { afterFailedAttempt, type AttemptStatus, type ChargeFailureCode, type TriedAttempt } from './payment';
import type { PaymentFact } from './payment-lifecycle';

/** How one charge attempt ended, as far as anybody can tell. */
export type ChargeResult =
  | { readonly kind: 'approved' | 'authorized' | 'pending' }
  | {
      readonly kind: 'declined';
      readonly code: string;
      readonly declineType: DeclineClass;
      readonly adviceCode: string | null;
    }
  /** Certainly not charged. `definite`: another gateway would say the same. */
  | { readonly kind: 'error'; readonly code: string | null; readonly definite: boolean }
  | { readonly kind: 'unknown' }
  /** Proven never to have reached the gateway. `notSent`: by our own doing. */
  | { readonly kind: 'abandoned'; readonly notSent: boolean };

/** The payment leaves `processing`. */
export interface SettleOutcome {
  readonly kind: 'settle';
  readonly fact: Extract<PaymentFact, { kind: 'charged' | 'failed' }>;
}

export type AfterCharge = SettleOutcome | { readonly kind: 'try_next' } | { readonly kind: 'unknown' };

/**
 * What a payment does next once a charge attempt has this result: the whole failover policy in one place.
 * `earlier` holds the charge attempts before it, in order.
 */
export function afterCharge(
  result: ChargeResult,
  attempt: { readonly gateway: TriedAttempt['gateway']; readonly earlier: readonly TriedAttempt[] },
  limits: { readonly maxAttempts: number; readonly ageMs: number },
): AfterCharge {
  if (result.kind === 'unknown') return { kind: 'unknown' };
  if (result.kind === 'approved' || result.kind === 'authorized' || result.kind === 'pending') {
    return { kind: 'settle', fact: { kind: 'charged', status: result.kind } };
  }
  const tried: TriedAttempt = {
    gateway: attempt.gateway,
    status: result.kind,
    responseCode: 'code' in result ? result.code : null,
    declineType: result.kind === 'declined' ? result.declineType : null,
    adviceCode: result.kind === 'declined' ? result.adviceCode : null,
    notSent: result.kind === 'abandoned' && result.notSent,
  };
  const definite = result.kind === 'error' && result.definite;
  const next = afterFailedAttempt([...attempt.earlier, tried], { ...limits, definite });
  return next.kind === 'try_next' ? next : failWith(next);
}

export function failWith(failure: {
  readonly code: ChargeFailureCode;
  readonly message: string;
}): SettleOutcome {
  const { code, message } = failure;
  return { kind: 'settle', fact: { kind: 'failed', code, message } };
}

/** The attempt row's state that records a result. */
export function attemptStatusOf(result: ChargeResult): AttemptStatus {
  return result.kind;
}
