import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentDeps } from './payment-deps';
import type { PaymentContext } from './payment-step';

/** A payment with its attempts and unprocessed callbacks, to decide which inquiries to make. */
export async function loadPayment(
  deps: Pick<PaymentDeps, 'payments' | 'attempts' | 'callbacks'>,
  transactionId: string,
): Promise<PaymentContext & { readonly callbacks: readonly UnprocessedCallback[] }> {
  const payment = await deps.payments.get(transactionId);
  const attempts = await deps.attempts.listByTransaction(transactionId);
  const callbacks = await deps.callbacks.listUnprocessed(transactionId);
  return { payment, attempts, callbacks };
}

/** A locked payment with its attempts. Other transactions on the payment wait until `tx` ends. */
export async function lockPayment(
  deps: Pick<PaymentDeps, 'payments' | 'attempts'>,
  tx: Tx,
  transactionId: string,
): Promise<PaymentContext> {
  const payment = await deps.payments.lock(tx, transactionId);
  // After the lock is granted, so that it sees the changes of the previous lock holder.
  const attempts = await deps.attempts.listByTransaction(transactionId, tx);
  return { payment, attempts };
}
