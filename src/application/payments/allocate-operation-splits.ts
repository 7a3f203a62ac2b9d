import { activeCharge, capturedSplits, isUnfinished } from '../../domain/payments/charge-operations';
import {
  allocateCapture,
  allocateRefund,
  haveRecipientsReceived,
} from '../../domain/payments/operation-splits';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import type { Split, SplitAllocation } from '../../domain/payments/split';
import type { Validated } from '../../domain/shared/validation';
import type { AttemptRecord } from '../../persistence/payments/gateway-attempt-repository';
import type { PaymentWithAttempts } from './find-payment';

/** Each recipient's share of a capture or refund: as the request says, or in proportion to the recipients' shares so far. */
export function allocateOperationSplits(
  { payment, attempts }: PaymentWithAttempts,
  {
    operation,
    amountCents,
    requestedSplits,
  }: {
    readonly operation: Exclude<PaymentOperation, 'cancel'>;
    readonly amountCents: number;
    readonly requestedSplits: readonly Split[] | null;
  },
): Validated<SplitAllocation[]> {
  if (operation === 'capture') {
    const splits = payment.splits ?? credentialSplits(attempts);
    return allocateCapture({
      amountCents: payment.amountCents,
      splits,
      capturedCents: amountCents,
      requestedSplits,
    });
  }
  const captured = haveRecipientsReceived(payment) ? capturedSplits(attempts) : [];
  return allocateRefund({ captured, refunded: refundedAllocations(attempts), amountCents, requestedSplits });
}

/** A charge through a sub-account's credential allocates everything to its recipient, so its capture does too. */
function credentialSplits(attempts: readonly AttemptRecord[]): readonly Split[] {
  return (activeCharge(attempts)?.splits ?? []).map((allocation) => ({
    ...allocation,
    type: 'percentage',
    amount: 100,
  }));
}

/** Of refunds that succeeded or may still succeed. */
function refundedAllocations(attempts: readonly AttemptRecord[]): readonly SplitAllocation[] {
  return attempts
    .filter(({ operation, purpose }) => operation === 'refund' && purpose !== 'reversal')
    .filter((refund) => refund.status === 'refunded' || isUnfinished(refund))
    .flatMap(({ splits }) => splits ?? []);
}
