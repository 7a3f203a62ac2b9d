import type { CustomerReason, NetworkIds } from '../../domain/shared/charge-initiation';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { CardVerificationId, GatewaySecretId } from '../../domain/shared/ids';
import { LONGEST_WINDOW_MS } from '../../domain/subscriptions/network-limits';
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
  readonly adviceCode?: string | null;
  /** Whether the network forbids to verify the card again. */
  readonly forbidsCard?: boolean;
  readonly networkIds?: NetworkIds | null;
}

/** What an issuer said about a card. */
export interface AnsweredVerification {
  readonly status: 'verified' | 'declined';
  readonly responseCode: string | null;
  readonly adviceCode: string | null;
  readonly networkIds: NetworkIds | null;
  readonly sentAt: Date;
}

/** Clocks differ, so what leaves the longest window is kept for another day. */
const LIFETIME_MS = LONGEST_WINDOW_MS + 24 * 3_600_000;

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
    const { status, responseCode = null, adviceCode = null, forbidsCard = false, networkIds = null } = result;
    await this.db.query(
      `UPDATE card_verifications SET status = $2, response_code = $3, advice_code = $4, forbids_card = $5, network_ids = $6,
         answered_at = $7
        WHERE id = $1 AND status = 'sent'`,
      [id, status, responseCode, adviceCode, forbidsCard, networkIds && JSON.stringify(networkIds), now],
    );
  }

  /**
   * The newest verification of the card for this reason that the issuer answered since then, or a newer decline for another
   * reason; null if there is none.
   */
  async findAnswered(
    tx: Tx,
    { companyId, identity }: VerifiedCardKey,
    reason: CustomerReason,
    since: Date,
  ): Promise<AnsweredVerification | null> {
    return this.db.queryOne<AnsweredVerification>(
      `SELECT status, response_code AS "responseCode", advice_code AS "adviceCode", network_ids AS "networkIds",
              sent_at AS "sentAt"
         FROM card_verifications
        WHERE company_id = $1 AND charged_card = $2 AND sent_at > $4
          AND (status = 'declined' OR (status = 'verified' AND reason = $3))
        ORDER BY sent_at DESC, id DESC LIMIT 1`,
      [companyId, identity, reason, since],
      tx,
    );
  }

  /** Whether a verification of the card was sent since then and has no answer yet. */
  async isUnderWay(tx: Tx, { companyId, identity }: VerifiedCardKey, since: Date): Promise<boolean> {
    const sent = await this.db.queryOne(
      `SELECT 1 FROM card_verifications
        WHERE company_id = $1 AND charged_card = $2 AND status = 'sent' AND sent_at > $3 LIMIT 1`,
      [companyId, identity, since],
      tx,
    );
    return sent !== null;
  }

  /** Deletes at most `limit` verifications that no limit counts any more, except those that forbid their card. Returns how many. */
  async deleteOld(limit: number, now: Date): Promise<number> {
    return this.db.execute(
      `DELETE FROM card_verifications WHERE id IN (
         SELECT id FROM card_verifications WHERE NOT forbids_card AND sent_at < $1
          ORDER BY sent_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [new Date(+now - LIFETIME_MS), limit],
    );
  }
}
