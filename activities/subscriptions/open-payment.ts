import type { SettledCharge } from '../../src/application/subscriptions/transition-writer';
import type { Decline } from '../../src/domain/subscriptions/dunning';
import type { SubscriptionChargeResult } from '../../src/domain/subscriptions/subscription-lifecycle';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { SubscriptionDeps } from './subscription-deps';

/** The newest payment of the open charge. */
export async function findOpenPayment(
  deps: Pick<SubscriptionDeps, 'payments'>,
  tx: Tx,
  { openCycle, planChange, state }: SubscriptionRecord,
): Promise<PaymentRecord> {
  const isCycle = state.openCharge?.kind === 'cycle';
  const payment = await deps.payments.findNewestByCharge(
    tx,
    isCycle ? { billingCycleId: openCycle?.id } : { planChangeId: planChange?.id },
  );
  if (payment === null) throw new Error('the open charge has no payment');
  return payment;
}

/** Whether the payment succeeded or failed for good. */
export function isSettled({ status }: PaymentRecord): boolean {
  switch (status) {
    case 'processing':
    case 'pending':
    case 'authorized':
      return false;
    case 'approved':
    case 'refunded':
    case 'failed':
    case 'canceled':
      return true;
  }
}

/** The result of a settled payment, for the subscription's state and for its stored row. */
export function chargeResultOf(
  { status, code, transactionId }: PaymentRecord,
  attempts: readonly AttemptRecord[],
): { readonly result: SubscriptionChargeResult; readonly charge: SettledCharge } {
  if (status === 'approved' || status === 'refunded') {
    const charge = attempts.find(
      (attempt) => attempt.operation === 'charge' && attempt.status === 'approved',
    );
    const networkTransactionId = charge?.networkTransactionId ?? null;
    return { result: { kind: 'paid' }, charge: { paid: true, transactionId, networkTransactionId } };
  }
  if (code === 'not_attempted') return { result: { kind: 'not_attempted' }, charge: { paid: false } };
  return { result: { kind: 'declined', decline: lastDecline(attempts) }, charge: { paid: false } };
}

/** The last decline. If no attempt was declined, the failure says nothing about the card and counts as a soft decline. */
function lastDecline(attempts: readonly AttemptRecord[]): Decline {
  const last = attempts.filter(({ status }) => status === 'declined').at(-1);
  return { declineClass: last?.declineType ?? 'soft', adviceCode: last?.adviceCode ?? null };
}
