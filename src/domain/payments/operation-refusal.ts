import type { GatewaySlug } from '../shared/gateway-slug';
import type { AttemptOperation, AttemptStatus } from './payment';

/** The response code of an operation that was not sent because the payment's state no longer allowed it. */
export const FORBIDDEN_BY_STATE = 'invalid_state';

export interface OperationRefusal {
  readonly code: 'invalid_state' | 'gateway_refused';
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
  const { operation, gatewaySlug, status, responseCode, responseMessage, errorFamily } = attempt;
  if (status !== 'declined' && status !== 'error' && status !== 'abandoned') return null;
  // A gateway may use the same code with another meaning.
  if (responseCode === FORBIDDEN_BY_STATE && errorFamily === null && status === 'error') {
    return {
      code: 'invalid_state',
      message: responseMessage ?? `The payment's state forbids this ${operation}.`,
    };
  }
  const verb = status === 'declined' ? 'refused' : 'did not carry out';
  const reason = responseMessage === null ? '.' : `: ${responseMessage}`;
  return { code: 'gateway_refused', message: `${gatewaySlug} ${verb} the ${operation}${reason}` };
}
