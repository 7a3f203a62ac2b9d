import type { ChargeDecline, SettledCharge } from '../../src/application/subscriptions/transition-writer';
import { SOFT_DECLINE, stricter, type RetryAdvice } from '../../src/domain/payments/advice-code';
import { declineRule } from '../../src/domain/payments/decline';
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
export function chargeResultOf(
  payment: PaymentRecord,
  attempts: readonly AttemptRecord[],
): { readonly result: SubscriptionChargeResult; readonly charge: SettledCharge } {
  const { status, code, transactionId } = payment;
  if (status === 'approved' || status === 'refunded') {
    const charge = attempts.find(
      (attempt) => attempt.operation === 'charge' && attempt.status === 'approved',
    );
    const networkTransactionId = charge?.networkTransactionId ?? null;
    return { result: { kind: 'paid' }, charge: { paid: true, transactionId, networkTransactionId } };
  }
  const declines = attempts.filter((attempt) => attempt.status === 'declined');
  const charge = { paid: false, transactionId, decline: shownDecline(payment, declines.at(-1)) } as const;
  if (code === 'not_attempted') return { result: { kind: 'not_attempted' }, charge };
  return { result: { kind: 'declined', decline: retryAfter(payment, declines) }, charge };
}

/**
 * The strictest rule of all declines. If no attempt was declined, the failure says nothing about the card and counts as a soft
 * decline.
 */
function retryAfter({ card }: PaymentRecord, declines: readonly AttemptRecord[]): RetryAdvice {
  const rules = declines.map(({ responseCode: code, adviceCode }) =>
    declineRule({ code, brand: card?.brand ?? null, adviceCode }),
  );
  return rules.reduce<RetryAdvice>(stricter, SOFT_DECLINE);
}

function shownDecline({ code, message }: PaymentRecord, declined: AttemptRecord | undefined): ChargeDecline {
  if (declined === undefined) return { code, type: null, message };
  return { code: declined.responseCode, type: declined.declineType, message };
}
