import {
  totalsOf,
  transitionEntries,
  type LedgerTransition,
} from '../../../src/domain/ledger/payment-entries';
import { paymentNow } from '../../../src/domain/payments/payment-clock';
import { postedEntries } from '../../../src/persistence/ledger/ledger-repository';
import type { PaymentChange } from '../../../src/persistence/payments/payment-repository';
import type { JointChange } from '../../../src/persistence/sql/joint-changes';
import type { PaymentContext } from '../payment-step';

/** What a transition adds to the ledger, made by the statement that records the transition. */
interface PostedTransition {
  readonly changes: readonly JointChange[];
  /** The amounts of the payment that are in the ledger from then on. */
  readonly totals: PaymentChange;
}

/** `payment` is as it was before the transition; a transition that moves no money posts nothing. */
export function postTransition(
  { payment, attempts }: PaymentContext,
  state: LedgerTransition['state'],
  refund: LedgerTransition['refund'],
  now: Date,
): PostedTransition {
  if (!movesMoney(payment, state)) return { changes: [], totals: {} };
  const { companyId, transactionId } = payment;
  const at = paymentNow(payment, now);
  const entries = transitionEntries(payment, attempts, { state, refund, at });
  const { capturedCents, refundedCents, paidCents } = totalsOf(state);
  return {
    changes: postedEntries(entries.map((entry) => ({ ...entry, companyId, transactionId }))),
    totals: {
      postedCapturedCents: capturedCents,
      postedRefundedCents: refundedCents,
      postedPaidCents: paidCents,
    },
  };
}

function movesMoney(before: LedgerTransition['state'], after: LedgerTransition['state']): boolean {
  return (
    before.capturedAmountCents !== after.capturedAmountCents ||
    before.refundedAmountCents !== after.refundedAmountCents ||
    before.paidAmountCents !== after.paidAmountCents
  );
}
