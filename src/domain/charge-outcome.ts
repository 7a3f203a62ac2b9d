import type { DeclineClass } from './decline';
import {
  afterFailedAttempt,
  type AttemptStatus,
  type FailureCode,
  type PaymentStatus,
  type TriedAttempt,
} from './payment';

/** How one charge attempt ended, as far as anybody can tell. */
export type ChargeResult =
  | { readonly kind: 'approved' | 'authorized' | 'pending' }
  | { readonly kind: 'declined'; readonly code: string; readonly declineType: DeclineClass }
  /** Certainly not charged. `definite`: another gateway would say the same. */
  | { readonly kind: 'error'; readonly code: string | null; readonly definite: boolean }
  | { readonly kind: 'unknown' }
  /** Proven never to have reached the gateway. */
  | { readonly kind: 'abandoned' };

/** The payment leaves `processing`. */
export interface SettleOutcome {
  readonly kind: 'settle';
  readonly status: Exclude<PaymentStatus, 'processing'>;
  readonly message: string;
  readonly code: FailureCode | null;
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
    return { kind: 'settle', status: result.kind, message: result.kind, code: null };
  }
  const tried: TriedAttempt = {
    gateway: attempt.gateway,
    status: result.kind,
    responseCode: 'code' in result ? result.code : null,
    declineType: result.kind === 'declined' ? result.declineType : null,
  };
  const definite = result.kind === 'error' && result.definite;
  const next = afterFailedAttempt([...attempt.earlier, tried], { ...limits, definite });
  return next.kind === 'try_next' ? next : failWith(next);
}

export function failWith(failure: { readonly code: FailureCode; readonly message: string }): SettleOutcome {
  return { kind: 'settle', status: 'failed', message: failure.message, code: failure.code };
}

/** The attempt row's state that records a result. */
export function attemptStatusOf(result: ChargeResult): AttemptStatus {
  return result.kind;
}
