import type { DisputeKind, DisputeStatus } from '../../domain/disputes/dispute';
import type { DisputeHint } from '../callback';
import { wholeDispute } from './wire';

type StripeStatus = ReturnType<typeof wholeDispute.parse>['status'];

/**
 * https://docs.stripe.com/api/disputes/object#dispute_object-status. An inquiry (`warning_...`) takes no money; it may become a
 * dispute with the same id. A prevented dispute takes none either: Stripe refunded the customer instead.
 */
const MEANING: Readonly<Record<StripeStatus, readonly [DisputeKind, DisputeStatus]>> = {
  needs_response: ['chargeback', 'opened'],
  under_review: ['chargeback', 'submitted'],
  won: ['chargeback', 'won'],
  lost: ['chargeback', 'lost'],
  prevented: ['retrieval', 'won'],
  warning_needs_response: ['retrieval', 'opened'],
  warning_under_review: ['retrieval', 'submitted'],
  warning_closed: ['retrieval', 'won'],
};

/** The dispute that an event of this instant (epoch seconds) reports; null unless it has all of it. */
export function readStripeDispute(object: unknown, created: number | undefined): DisputeHint | null {
  const read = wholeDispute.safeParse(object);
  if (!read.success || created === undefined) return null;
  const { id, amount, currency, reason, status, evidence_details, network_reason_code } = read.data;
  const [kind, meaning] = MEANING[status];
  const dueBy = evidence_details.due_by ?? null;
  return {
    gatewayDisputeId: id,
    kind,
    status: meaning,
    amountCents: amount,
    currency: currency.toUpperCase(),
    reasonCode: network_reason_code ?? reason,
    evidenceDueAt: dueBy === null ? null : new Date(dueBy * 1_000),
    at: new Date(created * 1_000),
  };
}
