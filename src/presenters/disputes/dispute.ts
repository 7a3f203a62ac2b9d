import { blocksCard } from '../../domain/disputes/dispute-fraud';
import { lossToSettleCents } from '../../domain/disputes/dispute-money';
import type { DisputeRequest } from '../../domain/disputes/dispute-request';
import type { components } from '../../http/generated/openapi';

type Schemas = components['schemas'];
export type DisputeBody = Schemas['Dispute'];
type DisputeDetailBody = Schemas['DisputeDetail'];

/** A stored dispute with the amounts of its payment, in cents. */
export interface PresentableDispute extends Pick<DisputeBody, 'id' | 'kind' | 'status' | 'currency'> {
  readonly transactionId: string;
  readonly merchantOrderId: string;
  readonly gatewaySlug: DisputeBody['gateway'];
  readonly gatewayDisputeId: string;
  readonly amountCents: number;
  readonly returnedCents: number;
  readonly reasonCode: string | null;
  readonly evidenceDueAt: Date | null;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  readonly updatedAt: Date;
  readonly capturedAmountCents: number;
  readonly refundedAmountCents: number;
  readonly disputedAmountCents: number;
  readonly fraudCard: string | null;
  readonly cardReleasedAt: Date | null;
  readonly cardReleaseReason: string | null;
  /** The name of the user who released the card. Omitted in webhook bodies. */
  readonly cardReleasedByName?: string | null;
  /** What the company asked the gateway last; null if nothing. */
  readonly lastRequest: Pick<DisputeRequest, 'kind' | 'status' | 'message' | 'createdAt'> | null;
}

/** A single dispute, with what a user needs to act on it. */
export function presentDisputeDetail(
  dispute: PresentableDispute & {
    readonly subscriptionId: string | null;
    readonly pausedSubscriptionAt: Date | null;
  },
  { answers, workflow }: Pick<DisputeDetailBody, 'answers' | 'workflow'>,
): DisputeDetailBody {
  const { subscriptionId: id, pausedSubscriptionAt: pausedAt } = dispute;
  const subscription = id === null ? null : { id, paused_at: pausedAt?.toISOString() ?? null };
  return { ...presentDispute(dispute), answers, subscription, workflow };
}

/** A dispute in API responses and webhook bodies. */
export function presentDispute(dispute: PresentableDispute): DisputeBody {
  return {
    id: dispute.id,
    transaction_id: dispute.transactionId,
    merchant_order_id: dispute.merchantOrderId,
    gateway: dispute.gatewaySlug,
    gateway_dispute_id: dispute.gatewayDisputeId,
    kind: dispute.kind,
    status: dispute.status,
    amount: dispute.amountCents,
    returned_amount: dispute.returnedCents,
    currency: dispute.currency,
    reason_code: dispute.reasonCode,
    evidence_due_at: dispute.evidenceDueAt?.toISOString() ?? null,
    loss_to_settle: lossToSettleCents(dispute),
    card_block: cardBlock(dispute),
    last_request: dispute.lastRequest && {
      kind: dispute.lastRequest.kind,
      status: dispute.lastRequest.status,
      message: dispute.lastRequest.message,
      requested_at: new Date(dispute.lastRequest.createdAt).toISOString(),
    },
    opened_at: dispute.openedAt.toISOString(),
    closed_at: dispute.closedAt?.toISOString() ?? null,
    updated_at: dispute.updatedAt.toISOString(),
  };
}

/** Null unless the charge of a card is disputed for fraud. */
function cardBlock(dispute: PresentableDispute): DisputeBody['card_block'] {
  const {
    fraudCard,
    cardReleasedAt: at,
    cardReleaseReason: reason,
    cardReleasedByName: user = null,
  } = dispute;
  if (fraudCard === null) return null;
  const release = at === null || reason === null ? null : { released_at: at.toISOString(), user, reason };
  return { active: blocksCard(dispute), release };
}
