import { activeCharge } from '../../domain/payments/charge-operations';
import { allocateCapture, allocateRefund } from '../../domain/payments/operation-splits';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import type { Split, SplitPart } from '../../domain/payments/split';
import type { Validated } from '../../domain/shared/validation';
import type { AttemptRecord } from '../../persistence/payments/gateway-attempt-repository';
import type { TriedPayment } from './find-payment';

/** Each recipient's part of a capture or refund, by what was asked for or by what it got of the payment until now. */
export function allocateOperationSplits(
  { payment, attempts }: TriedPayment,
  {
    operation,
    amountCents,
    asked,
  }: {
    readonly operation: Exclude<PaymentOperation, 'cancel'>;
    readonly amountCents: number;
    readonly asked: readonly Split[] | null;
  },
): Validated<SplitPart[]> {
  if (operation === 'capture') {
    const splits = payment.splits ?? credentialSplits(attempts);
    return allocateCapture({ amountCents: payment.amountCents, splits, capturedCents: amountCents, asked });
  }
  const captured = capturedParts(attempts);
  return allocateRefund({ captured, refunded: refundedParts(attempts), amountCents, asked });
}

/** Who got what when the money was taken: with a capture of its own, or with the charge. */
function capturedParts(attempts: readonly AttemptRecord[]): readonly SplitPart[] {
  const capture = attempts.find(({ operation, status }) => operation === 'capture' && status === 'approved');
  if (capture !== undefined) return capture.splits ?? [];
  return activeCharge(attempts)?.splits ?? [];
}

/** A charge through a sub-account's credential gave its recipient everything, and so does its capture. */
function credentialSplits(attempts: readonly AttemptRecord[]): readonly Split[] {
  return (activeCharge(attempts)?.splits ?? []).map((part) => ({ ...part, type: 'percentage', amount: 100 }));
}

const MAY_BE_DONE: readonly AttemptRecord['status'][] = ['requested', 'sent', 'unknown', 'refunded'];

function refundedParts(attempts: readonly AttemptRecord[]): readonly SplitPart[] {
  return attempts
    .filter(({ operation, purpose }) => operation === 'refund' && purpose !== 'reversal')
    .filter(({ status }) => MAY_BE_DONE.includes(status))
    .flatMap(({ splits }) => splits ?? []);
}
