import type { StoredCharge, StoredDispute } from '../../../charge-store';
import { disputeIdOf, intentIdOf, stripeChargeIdOf, stripeDisputeIdOf } from '../ids';
import { secondsOf, type StripeObject } from '../refund-object';

/** The event about the last change of a dispute: https://docs.stripe.com/api/events/types */
export function disputeTypeOf(dispute: StoredDispute | undefined): string {
  if (dispute === undefined) return 'charge.dispute.created';
  if (dispute.status === 'submitted') return 'charge.dispute.updated';
  return `charge.dispute.${dispute.status === 'opened' ? 'created' : 'closed'}`;
}

/** https://docs.stripe.com/api/disputes/object. Without a dispute of the ledger: one of everything that was captured. */
export function disputeObject(charge: StoredCharge, dispute?: StoredDispute): StripeObject {
  const dueAt = dispute?.evidenceDueAt ?? null;
  return {
    id: dispute === undefined ? disputeIdOf(charge.id) : stripeDisputeIdOf(dispute.id),
    object: 'dispute',
    amount: dispute?.amount ?? charge.captured,
    balance_transactions: [],
    charge: stripeChargeIdOf(charge.id),
    created: secondsOf(dispute?.changedAt ?? new Date().toISOString()),
    currency: charge.currency.toLowerCase(),
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: dueAt === null ? null : secondsOf(dueAt),
      has_evidence: dispute?.evidence !== undefined,
      past_due: false,
      submission_count: dispute?.evidence === undefined ? 0 : 1,
    },
    is_charge_refundable: dispute?.kind === 'retrieval',
    livemode: false,
    metadata: {},
    payment_intent: intentIdOf(charge.id),
    reason: dispute?.reasonCode ?? 'fraudulent',
    status: dispute === undefined ? 'needs_response' : statusOf(dispute),
  };
}

/** An inquiry is closed; only a dispute is won or lost. */
function statusOf({ kind, status }: StoredDispute): string {
  if (status === 'opened') return kind === 'retrieval' ? 'warning_needs_response' : 'needs_response';
  if (status === 'submitted') return kind === 'retrieval' ? 'warning_under_review' : 'under_review';
  return kind === 'retrieval' ? 'warning_closed' : status;
}
