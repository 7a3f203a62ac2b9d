import { newOperation } from '../../src/application/payments/new-operation';
import { activeCharge } from '../../src/domain/payments/charge-operations';
import { refundableCents } from '../../src/domain/payments/payment-lifecycle';
import { newAttemptId } from '../../src/domain/shared/ids';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentDeps } from './payment-deps';
import type { PaymentContext } from './payment-step';

/**
 * Keeps a checkout session with the payment that holds money (docs/decisions/checkout.md): a payment that failed releases
 * it, a payment that was paid holds it, and a second one that is paid is refunded. Returns the payment with the requested
 * refund or cancel, if there is one.
 */
export async function updateCheckoutSession(
  deps: PaymentDeps,
  tx: Tx,
  { checkoutSessionId: id, transactionId, status: before }: PaymentRecord,
  after: PaymentContext,
): Promise<PaymentContext> {
  const { status } = after.payment;
  if (id === null || status === before) return after;
  if (status === 'failed' || status === 'canceled') {
    await deps.checkoutSessions.release(tx, id, { transactionId }, deps.now());
    return after;
  }
  if (!holdsMoney(status) || holdsMoney(before)) return after;
  const isOnly = await deps.checkoutSessions.holdMoney(tx, id, transactionId, deps.now());
  return isOnly ? after : returnMoney(deps, tx, after);
}

function holdsMoney(status: PaymentRecord['status']): boolean {
  return status === 'authorized' || status === 'approved';
}

/** The payment's workflow, or else the sweeper, sends the refund or cancel. */
async function returnMoney(deps: PaymentDeps, tx: Tx, context: PaymentContext): Promise<PaymentContext> {
  const { payment, attempts } = context;
  const charge = activeCharge(attempts);
  if (charge === null) throw new Error('a payment that holds money has a charge');
  const operation = payment.status === 'authorized' ? 'cancel' : 'refund';
  const amountCents = operation === 'cancel' ? charge.amountCents : refundableCents(payment);
  const now = deps.now();
  const requested = newOperation(payment, attempts, charge, {
    id: newAttemptId(),
    operation,
    purpose: 'duplicate_purchase',
    amountCents,
    // Each recipient returns exactly what it received. A part of a pix is not split.
    splits: operation === 'refund' && amountCents === charge.amountCents ? charge.splits : null,
  });
  await deps.attempts.insert(tx, { ...requested, createdAt: now, updatedAt: now });
  const schedule = { recoverAfter: now, stuckAt: payment.stuckAt };
  await deps.payments.saveRecoverySchedule(tx, payment.id, schedule);
  const { companyId, transactionId } = payment;
  deps.log.warn(
    { company_id: companyId, transaction_id: transactionId, operation },
    'checkout session already paid by another payment; refund requested',
  );
  return {
    ...context,
    payment: { ...payment, ...schedule },
    attempts: await deps.attempts.listByPayment(payment.id, tx),
  };
}
