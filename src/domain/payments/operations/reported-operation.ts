import { isUnfinished } from '../charge-operations';
import type { AttemptStatus } from '../payment';
import type { PaymentState } from '../payment-lifecycle';
import type { PaymentOperation } from '../payment-operation';
import type { ReportedChargeState } from '../reported-charge-state';

/** A capture, cancel or refund that a signed callback of a gateway without inquiries names. */
interface NamedOperation {
  readonly status: AttemptStatus;
  /** Whether a signed callback has told that it was refused. */
  readonly isRefusedByReport: boolean;
}

/**
 * What a report about an operation means. `unfinished`: the operation has no result yet, so the report is one. `agrees`: nothing
 * new. `undone`: it was recorded as made and has failed since, for example a refund that the issuer returned. `made_after_all`: it was
 * recorded as not made.
 */
export type OperationReport = 'unfinished' | 'agrees' | 'undone' | 'made_after_all';

export function judgeReport(
  { status, isRefusedByReport }: NamedOperation,
  { status: reported }: ReportedChargeState,
): OperationReport {
  if (isUnfinished({ status })) return 'unfinished';
  const isMade = status === 'approved' || status === 'canceled' || status === 'refunded';
  if (isMade) return reported === 'declined' ? 'undone' : 'agrees';
  // A failure is told after a success, in whatever order the two arrive.
  return reported === 'declined' || isRefusedByReport ? 'agrees' : 'made_after_all';
}

/** The state of the charge if the operation had not been made. Cents. */
export function stateWithout(
  { operation, amountCents }: { readonly operation: PaymentOperation; readonly amountCents: number },
  payment: Pick<PaymentState, 'capturedAmountCents'>,
  recorded: Omit<ReportedChargeState, 'status' | 'capturedCents'>,
): ReportedChargeState {
  const { refundedCents, paidCents } = recorded;
  if (operation !== 'refund') return { status: 'authorized', capturedCents: 0, refundedCents, paidCents };
  return {
    status: 'approved',
    capturedCents: payment.capturedAmountCents,
    refundedCents: Math.max(0, refundedCents - amountCents),
    paidCents,
  };
}
