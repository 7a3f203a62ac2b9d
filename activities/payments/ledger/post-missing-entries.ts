import { missingEntries } from '../../../src/domain/ledger/payment-entries';
import type { UnpostedPayment, UnpostedPayments } from '../../../src/persistence/ledger/unposted-payments';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentDeps } from '../payment-deps';

/**
 * Posts what the ledger lacks of at most `limit` payments, in one transaction, and returns how many there were: payments of
 * before the ledger, and those that a process of the previous release has changed.
 */
export async function postMissingEntries(
  { db, attempts }: Pick<PaymentDeps, 'db' | 'attempts'>,
  unposted: UnpostedPayments,
  limit: number,
): Promise<number> {
  return db.inTransaction(async (tx) => {
    const payments = await unposted.lock(tx, limit);
    if (payments.length === 0) return 0;
    const ids = payments.map(({ id }) => id);
    const made = await attempts.listByPayments(ids, tx);
    const entries = payments.flatMap((payment) =>
      entriesOf(
        payment,
        made.filter(({ paymentId }) => paymentId === payment.id),
      ),
    );
    await unposted.post(tx, ids, entries);
    return payments.length;
  });
}

function entriesOf(payment: UnpostedPayment, attempts: readonly AttemptRecord[]) {
  const { companyId, transactionId } = payment;
  return missingEntries(payment, attempts).map((entry) => ({ ...entry, companyId, transactionId }));
}
