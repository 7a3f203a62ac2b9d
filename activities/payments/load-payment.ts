import type { WaitingCallback } from '../../src/persistence/payments/gateway-callback-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentDeps } from './payment-deps';
import type { PaymentContext } from './payment-step';

/** A payment with all that was tried for it and all that its gateways say of it, to decide what to ask them. */
export async function loadPayment(
  deps: Pick<PaymentDeps, 'db' | 'payments' | 'attempts' | 'callbacks'>,
  transactionId: string,
): Promise<PaymentContext & { readonly callbacks: readonly WaitingCallback[] }> {
  const [payment, attempts, callbacks] = await deps.db.reading((tx) =>
    Promise.all([
      deps.payments.get(transactionId, tx),
      deps.attempts.ofTransaction(transactionId, tx),
      deps.callbacks.waiting(transactionId, tx),
    ]),
  );
  return { payment, attempts, callbacks };
}

/** A payment with all that was tried for it; every other decision about it waits until `tx` ends. */
export async function lockPayment(
  deps: Pick<PaymentDeps, 'payments' | 'attempts'>,
  tx: Tx,
  transactionId: string,
): Promise<PaymentContext> {
  const [payment, attempts] = await Promise.all([
    deps.payments.lock(tx, transactionId),
    // Read once the lock is given: what its last holder did is in it.
    deps.attempts.ofTransaction(transactionId, tx),
  ]);
  return { payment, attempts };
}
