import type { GatewaySlug } from '../shared/gateway-slug';
import type { AttemptOperation, AttemptStatus } from './payment';

/** The response code of an operation that was not sent because the payment's state no longer allowed it. */
export const FORBIDDEN_BY_STATE = 'invalid_state';

/** The same for a refund of money under dispute. */
export const FORBIDDEN_BY_DISPUTE = 'payment_disputed';

type ForbiddenCode = typeof FORBIDDEN_BY_STATE | typeof FORBIDDEN_BY_DISPUTE;

/**
 * The code of an operation that was not sent because of what was known here; null for others. A gateway may use the same
 * codes with another meaning.
 */
export function forbiddenCode(attempt: {
  readonly responseCode: string | null;
  readonly errorFamily: string | null;
}): ForbiddenCode | null {
  const { responseCode, errorFamily } = attempt;
  if (errorFamily !== null) return null;
  return responseCode === FORBIDDEN_BY_STATE || responseCode === FORBIDDEN_BY_DISPUTE ? responseCode : null;
}

export interface OperationRefusal {
  readonly code: 'invalid_state' | 'payment_disputed' | 'gateway_refused';
  readonly message: string;
}

/** The API error of a capture, cancel or refund that certainly failed; null while its outcome is open and when it succeeded. */
export function operationRefusal(attempt: {
  readonly operation: AttemptOperation;
  readonly gatewaySlug: GatewaySlug;
  readonly status: AttemptStatus;
  readonly responseCode: string | null;
  readonly responseMessage: string | null;
  /** Null when the error is not a gateway error. */
  readonly errorFamily: string | null;
}): OperationRefusal | null {
  const { operation, gatewaySlug, status, responseMessage } = attempt;
  if (status !== 'declined' && status !== 'error' && status !== 'abandoned') return null;
  const forbidden = forbiddenCode(attempt);
  if (forbidden !== null && status === 'error') {
    return {
      code: forbidden,
      message: responseMessage ?? `The payment's state forbids this ${operation}.`,
    };
  }
  const verb = status === 'declined' ? 'refused' : 'did not carry out';
  const reason = responseMessage === null ? '.' : `: ${responseMessage}`;
  return { code: 'gateway_refused', message: `${gatewaySlug} ${verb} the ${operation}${reason}` };
}
