import { activeCharge } from './charge-operations';
import type { AttemptOperation, AttemptPurpose, AttemptStatus } from './payment';
import { applyFact, paidCents, type PaymentState } from './payment-lifecycle';
import { operationFact } from './payment-operation';

/** How a gateway says that a charge stands, to the cent, once nothing about it is left open. */
export interface ReportedChargeState {
  readonly status: 'approved' | 'canceled' | 'refunded';
  readonly capturedCents: number;
  readonly refundedCents: number;
  /** What was paid of a pix or billet; 0 for a card. */
  readonly paidCents: number;
}

interface Tried {
  readonly id: string;
  readonly operation: AttemptOperation;
  readonly purpose: AttemptPurpose;
  readonly status: AttemptStatus;
  readonly amountCents: number;
}

/**
 * What a gateway's word on the charge `chargeId` is worth beside the books. Only word for word what they show is
 * `known`; and `awaited` what they will show once the one operation that is at the gateway now has succeeded, which
 * its own answer tells. All else is `news`: there may be something to find out.
 */
export function compareWithRecorded(
  standing: ReportedChargeState,
  { payment, attempts }: { readonly payment: PaymentState; readonly attempts: readonly Tried[] },
  chargeId: string,
): 'known' | 'awaited' | 'news' {
  if (activeCharge(attempts)?.id !== chargeId) return 'news';
  const [open, ...others] = attempts.filter(isUnfinished);
  if (open === undefined) return stands(payment, standing) ? 'known' : 'news';
  if (others.length > 0 || open.status !== 'sent' || open.purpose === 'reversal') return 'news';
  const { operation, amountCents } = open;
  if (operation !== 'capture' && operation !== 'cancel' && operation !== 'refund') return 'news';
  const done = applyFact(payment, operationFact(operation, amountCents));
  return done.applied && stands(done.state, standing) ? 'awaited' : 'news';
}

function isUnfinished({ status }: Tried): boolean {
  return status === 'requested' || status === 'sent' || status === 'unknown';
}

function stands(payment: PaymentState, standing: ReportedChargeState): boolean {
  return (
    payment.status === standing.status &&
    payment.capturedAmountCents === standing.capturedCents &&
    payment.refundedAmountCents === standing.refundedCents &&
    paidCents(payment) === standing.paidCents
  );
}
