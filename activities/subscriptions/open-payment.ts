import type { ChargeDecline, SettledCharge } from '../../src/application/subscriptions/transition-writer';
import { chargeResultOf, type SubscriptionChargeResult } from '../../src/domain/subscriptions/charge-result';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import { isCharge } from '../payments/attempt-predicates';
import type { SubscriptionDeps } from './subscription-deps';

/** The newest payment of the open charge. */
export async function findOpenPayment(
  deps: Pick<SubscriptionDeps, 'payments'>,
  tx: Tx,
  { openCycle, openChange, state }: SubscriptionRecord,
): Promise<PaymentRecord> {
  const cycle = state.openCharge?.kind === 'plan_change' ? openChange?.cycle : openCycle;
  const payment = cycle ? await deps.payments.findNewestByCycle(tx, cycle.id) : null;
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
export function settledResultOf(
  payment: PaymentRecord,
  attempts: readonly AttemptRecord[],
): { readonly result: SubscriptionChargeResult; readonly charge: SettledCharge } {
  const charges = attempts.filter(isCharge);
  const result = chargeResultOf(payment.status, charges, payment.card?.brand ?? null);
  const { transactionId } = payment;
  if (result.kind === 'paid') {
    const approved = charges.find(({ status }) => status === 'approved');
    const networkIds = approved?.networkIds ?? null;
    return { result, charge: { paid: true, transactionId, networkIds } };
  }
  const declined = charges.filter(({ status }) => status === 'declined').at(-1);
  return { result, charge: { paid: false, transactionId, decline: shownDecline(payment, declined) } };
}

function shownDecline({ code, message }: PaymentRecord, declined: AttemptRecord | undefined): ChargeDecline {
  if (declined === undefined) return { code, type: null, message };
  return { code: declined.responseCode, type: declined.declineType, message };
}
