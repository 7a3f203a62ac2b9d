import type { DisputeKind, DisputeStatus } from '../../domain/disputes/dispute';
import type { DisputeRequest } from '../../domain/disputes/dispute-request';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { pauseCommandOf, type DisputeId } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { DisputeRecord } from '../disputes/dispute-repository';
import type { Database } from '../sql/transaction';

/** A dispute as users see it. */
export interface ListedDispute extends Pick<
  DisputeRecord,
  | 'id'
  | 'kind'
  | 'status'
  | 'gatewaySlug'
  | 'gatewayDisputeId'
  | 'amountCents'
  | 'returnedCents'
  | 'currency'
  | 'reasonCode'
  | 'evidenceDueAt'
  | 'openedAt'
  | 'closedAt'
  | 'updatedAt'
  | 'fraudCard'
  | 'cardReleasedAt'
  | 'cardReleaseReason'
> {
  readonly transactionId: string;
  readonly merchantOrderId: string;
  /** Of the payment. */
  readonly capturedAmountCents: number;
  readonly refundedAmountCents: number;
  readonly disputedAmountCents: number;
  /** The name of the user who released the card; null if nobody did. */
  readonly cardReleasedByName: string | null;
  /** What the company asked the gateway last; null if nothing. Instants are ISO texts. */
  readonly lastRequest:
    | (Pick<DisputeRequest, 'kind' | 'status' | 'message'> & { readonly createdAt: Date })
    | null;
}

interface FoundDispute extends ListedDispute {
  /** Null if the payment is no charge of a subscription. */
  readonly subscriptionId: string | null;
  /** When the dispute paused the subscription; null if it did not. One that is past due or canceled is not paused. */
  readonly pausedSubscriptionAt: Date | null;
}

export interface DisputeFilter {
  readonly status?: DisputeStatus | undefined;
  readonly kind?: DisputeKind | undefined;
  readonly gateway?: GatewaySlug | undefined;
  readonly transactionId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** Only those whose evidence is due before. */
  readonly dueBefore?: Date | undefined;
  /** Only those of payments that were refunded and disputed for more than was captured; false: all others. */
  readonly hasLossToSettle?: boolean | undefined;
}

const COLUMNS = `d.id, d.kind, d.status, d.gateway_slug AS "gatewaySlug", d.gateway_dispute_id AS "gatewayDisputeId",
  d.amount_cents AS "amountCents", d.returned_cents AS "returnedCents", d.currency, d.reason_code AS "reasonCode",
  d.evidence_due_at AS "evidenceDueAt", d.opened_at AS "openedAt", d.closed_at AS "closedAt", d.updated_at AS "updatedAt",
  d.fraud_card AS "fraudCard", d.card_released_at AS "cardReleasedAt", d.card_release_reason AS "cardReleaseReason",
  (SELECT u.name FROM users u WHERE u.id = d.card_released_by) AS "cardReleasedByName",
  p.transaction_id AS "transactionId", p.merchant_order_id AS "merchantOrderId",
  p.captured_amount_cents AS "capturedAmountCents", p.refunded_amount_cents AS "refundedAmountCents",
  p.disputed_amount_cents AS "disputedAmountCents",
  (SELECT jsonb_build_object('kind', r.kind, 'status', r.status, 'message', r.message, 'createdAt', r.created_at)
     FROM dispute_requests r WHERE r.dispute_id = d.id ORDER BY r.created_at DESC, r.id DESC LIMIT 1) AS "lastRequest"`;

const FROM = 'FROM disputes d JOIN payments p ON p.id = d.payment_id';

const MATCHING = `d.company_id = $1
  AND ($2::text IS NULL OR d.status = $2)
  AND ($3::text IS NULL OR d.kind = $3)
  AND ($4::text IS NULL OR d.gateway_slug = $4)
  AND ($5::uuid IS NULL OR p.transaction_id = $5)
  AND ($6::timestamptz IS NULL OR (d.status = 'opened' AND d.evidence_due_at < $6))
  AND ($7::boolean IS NULL OR (p.refunded_amount_cents > 0
    AND p.refunded_amount_cents + p.disputed_amount_cents > p.captured_amount_cents) = $7)
  AND ($8::uuid IS NULL OR p.subscription_id = $8)`;

/** A company's disputes. */
export class DisputeList {
  constructor(private readonly db: Database) {}

  /** Newest first. */
  async load(companyId: number, filter: DisputeFilter, page: PageRequest): Promise<Page<ListedDispute>> {
    const { status, kind, gateway, transactionId, dueBefore, hasLossToSettle, subscriptionId } = filter;
    const ofPayment = [transactionId, dueBefore, hasLossToSettle, subscriptionId];
    const values = [companyId, status, kind, gateway, ...ofPayment];
    const { limit, offset } = pageBounds(page);
    // Not prepared: Postgres plans for the filters given.
    const [rows, [total]] = await Promise.all([
      this.db.queryComposed<ListedDispute>(
        `SELECT ${COLUMNS} ${FROM} WHERE ${MATCHING} ORDER BY d.opened_at DESC, d.id DESC LIMIT $9 OFFSET $10`,
        [...values, limit, offset],
      ),
      this.db.queryComposed<{ count: number }>(`SELECT count(*) ${FROM} WHERE ${MATCHING}`, values),
    ]);
    return { rows, total: total?.count ?? 0 };
  }

  async find(companyId: number, id: DisputeId): Promise<FoundDispute | null> {
    return this.db.queryOne<FoundDispute>(
      `SELECT ${COLUMNS}, p.subscription_id AS "subscriptionId",
              (SELECT k.updated_at FROM subscription_commands k WHERE k.id = $3 AND k.status = 'done') AS "pausedSubscriptionAt"
       ${FROM} WHERE d.company_id = $1 AND d.id = $2`,
      [companyId, id, pauseCommandOf(id)],
    );
  }
}
