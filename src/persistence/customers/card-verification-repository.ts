import type { DeclineClass } from '../../domain/payments/decline';
import type { CustomerReason, NetworkIds } from '../../domain/shared/charge-initiation';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { CardVerificationId, GatewaySecretId } from '../../domain/shared/ids';
import type { Database, Tx } from '../sql/transaction';

/** The card of a company: see `cardIdentity`. */
export interface VerifiedCardKey {
  readonly companyId: number;
  readonly identity: string;
}

export interface NewCardVerification extends VerifiedCardKey {
  readonly id: CardVerificationId;
  readonly gatewaySlug: GatewaySlug;
  readonly secretId: GatewaySecretId | null;
  readonly reason: CustomerReason;
  readonly sentAt: Date;
}

export interface CardVerificationResult {
  readonly status: 'verified' | 'declined' | 'unknown' | 'error';
  readonly responseCode?: string | null;
  readonly declineType?: DeclineClass | null;
  readonly adviceCode?: string | null;
  readonly networkIds?: NetworkIds | null;
}

/** Owns `card_verifications`. */
export class CardVerificationRepository {
  constructor(private readonly db: Database) {}

  /** As sent. Commit it before the request leaves. */
  async insert(tx: Tx, verification: NewCardVerification): Promise<void> {
    const { id, companyId, gatewaySlug, secretId, identity, reason, sentAt } = verification;
    await this.db.query(
      `INSERT INTO card_verifications (id, company_id, gateway_slug, secret_id, charged_card, reason, status, sent_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'sent', $7)`,
      [id, companyId, gatewaySlug, secretId, identity, reason, sentAt],
      tx,
    );
  }

  async recordResult(id: CardVerificationId, result: CardVerificationResult, now: Date): Promise<void> {
    const { status, responseCode = null, declineType = null, adviceCode = null, networkIds = null } = result;
    await this.db.query(
      `UPDATE card_verifications SET status = $2, response_code = $3, decline_type = $4, advice_code = $5, network_ids = $6,
         answered_at = $7
        WHERE id = $1 AND status = 'sent'`,
      [id, status, responseCode, declineType, adviceCode, networkIds && JSON.stringify(networkIds), now],
    );
  }

  /** The newest verification of the card that the issuer answered since then; null if there is none, or if it was declined. */
  async findVerified(
    tx: Tx,
    card: VerifiedCardKey,
    since: Date,
  ): Promise<{ networkIds: NetworkIds | null } | null> {
    const newest = await this.db.queryOne<{ status: string; networkIds: NetworkIds | null }>(
      `SELECT status, network_ids AS "networkIds" FROM card_verifications
        WHERE company_id = $1 AND charged_card = $2 AND status IN ('verified', 'declined') AND sent_at > $3
        ORDER BY sent_at DESC, id DESC LIMIT 1`,
      [card.companyId, card.identity, since],
      tx,
    );
    return newest?.status === 'verified' ? { networkIds: newest.networkIds } : null;
  }
}
