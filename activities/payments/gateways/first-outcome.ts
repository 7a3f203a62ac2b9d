import type { Outcome } from '../../../src/gateways/gateway';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import { wasFoundAfterRestore } from './repeat-charge';

/**
 * What the gateway answers about a charge that a restore had lost and that was returned to the customer since, as its first result: then
 * the next poll records the capture, refund or cancel too. An answer about any other charge is left as it is.
 */
export function firstOutcome(
  outcome: Outcome,
  attempt: Pick<AttemptRecord, 'operation' | 'sendCount'>,
): Outcome {
  if (!wasFoundAfterRestore(attempt)) return outcome;
  if (outcome.kind !== 'refunded' && outcome.kind !== 'canceled' && outcome.kind !== 'approved')
    return outcome;
  if (attempt.operation === 'authorize') return { ...outcome, kind: 'authorized' };
  // Of a charge that was canceled nothing was captured: it ends as a failed one.
  return outcome.kind === 'canceled' ? outcome : { ...outcome, kind: 'approved' };
}
