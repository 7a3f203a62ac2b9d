import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentDeps } from '../payment-deps';

/**
 * Whether an operation that is to be sent was requested before the moment to which the database was restored. It may have been sent after
 * that moment, which the database has lost.
 */
export function mayHaveBeenSent(
  { restoreState: { restoredTo } }: Pick<PaymentDeps, 'restoreState'>,
  { sendCount, createdAt }: Pick<AttemptRecord, 'sendCount' | 'createdAt'>,
): boolean {
  return restoredTo !== null && sendCount === 0 && createdAt.getTime() <= restoredTo.getTime();
}
