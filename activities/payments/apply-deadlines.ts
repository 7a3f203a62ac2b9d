import { newOperation } from '../../src/application/payments/new-operation';
import { activeCharge } from '../../src/domain/payments/charge-operations';
import { expiryDecidedAt } from '../../src/domain/payments/pending-schedule';
import { newAttemptId } from '../../src/domain/shared/ids';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import { isCaptureOrCancel, isUnfinishedOperation } from './attempt-predicates';
import { applyPaymentTransition } from './apply-payment-transition';
import type { InquiryOutcome } from './inquire-attempt';
import type { PaymentDeps } from './payment-deps';
import type { PaymentContext } from './payment-step';
import { isUnpaidWithoutReport } from './polls/unreported-expiry';

/** Fails an unpaid payment after its expiry, and requests the void of an authorization after its capture deadline. */
export async function applyDeadlines(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  inquiry: InquiryOutcome | null,
  at: number,
): Promise<PaymentContext> {
  const { payment, attempts } = context;
  if (attempts.some((attempt) => isCaptureOrCancel(attempt) && isUnfinishedOperation(attempt)))
    return context;
  const { status, expiresAt, captureBefore } = payment;
  const isExpired = expiresAt !== null && at >= expiryDecidedAt(expiresAt).getTime();
  // Without a conclusive inquiry the expired payment may have been paid.
  const isUnpaid = inquiry !== null && inquiry.kind !== 'inconclusive';
  if (
    status === 'pending' &&
    isExpired &&
    (isUnpaid || (await isUnpaidWithoutReport(deps, tx, context, at)))
  ) {
    return applyPaymentTransition(deps, tx, context, { kind: 'expired' });
  }
  if (status === 'authorized' && captureBefore !== null && at >= captureBefore.getTime()) {
    return { ...context, attempts: await requestExpiryVoid(deps, tx, context) };
  }
  return context;
}

/** Returns the payment's attempts including the new one. */
async function requestExpiryVoid(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
): Promise<readonly AttemptRecord[]> {
  const charge = activeCharge(attempts);
  if (charge === null) throw new Error('the authorized payment has no authorization');
  const now = deps.now();
  const cancel = newOperation(payment, attempts, charge, {
    id: newAttemptId(),
    operation: 'cancel',
    purpose: 'authorization_expired',
    amountCents: charge.amountCents,
  });
  await deps.attempts.insert(tx, { ...cancel, createdAt: now, updatedAt: now });
  return deps.attempts.listByPayment(payment.id, tx);
}
