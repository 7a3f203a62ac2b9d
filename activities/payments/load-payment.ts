import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentDeps } from './payment-deps';
import type { PaymentContext } from './payment-step';

/** A payment with its attempts and unprocessed callbacks, to decide which inquiries to make. */
export async function loadPayment(
  deps: Pick<PaymentDeps, 'db' | 'payments' | 'attempts' | 'callbacks'>,
  transactionId: string,
): Promise<PaymentContext & { readonly callbacks: readonly UnprocessedCallback[] }> {
  const [payment, attempts, callbacks] = await deps.db.reading((tx) =>
    Promise.all([
      deps.payments.get(transactionId, tx),
      deps.attempts.listByTransaction(transactionId, tx),
      deps.callbacks.listUnprocessed(transactionId, tx),
    ]),
  );
  return { payment, attempts, callbacks };
}

/** A locked payment with its attempts. Other transactions on the payment wait until `tx` ends. */
export async function lockPayment(
  deps: Pick<PaymentDeps, 'payments' | 'attempts'>,
  tx: Tx,
  transactionId: string,
): Promise<PaymentContext> {
  const [payment, attempts] = await Promise.all([
    deps.payments.lock(tx, transactionId),
    // The connection runs this after the lock is granted, so it sees the changes of the previous lock holder.
    deps.attempts.listByTransaction(transactionId, tx),
  ]);
  return { payment, attempts };
}
