import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { GatewaySecretId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { Database, Tx } from '../sql/transaction';
import type { RoutedCard } from './gateway-repository';

/** A card at the gateway that charged it. */
export interface CardAtGateway {
  readonly companyId: number;
  readonly slug: GatewaySlug;
  readonly card: RoutedCard;
  /** The customer's token of the saved card; null if it is not saved. */
  readonly savedAs: string | null;
}

export interface ObtainedCardToken extends CardAtGateway {
  /** The secret of the charge; null if it was sent with the platform's key. */
  readonly secretId: GatewaySecretId | null;
  readonly sealedToken: SealedValue;
}

/** Saving a number again keeps the earlier row of the vault: $2 is the saved card, $3 the vault card of the payment. */
const VAULT_CARD = `COALESCE((SELECT k.vault_card_id FROM customer_cards k
    WHERE k.company_id = $1 AND k.token = $2 AND k.deleted_at IS NULL), $3::uuid)`;

/** Owns `gateway_card_tokens`; `gateway-repository.ts` reads them for routing. A row is deleted with the number in the vault. */
export class GatewayCardTokenRepository {
  constructor(private readonly db: Database) {}

  /** Keeps the token in place of an earlier one. Does nothing if the number is erased. */
  async keep(
    tx: Tx,
    { companyId, slug, card, savedAs, ...token }: ObtainedCardToken,
    now: Date,
  ): Promise<void> {
    const { vaultCardId, expireMonth, expireYear } = card;
    await this.db.execute(
      `INSERT INTO gateway_card_tokens
              (company_id, vault_card_id, gateway_slug, secret_id, sealed_token, expire_month, expire_year, updated_at)
       SELECT v.company_id, v.id, $4, $5::uuid, $6::jsonb, $7::integer, $8::integer, $9::timestamptz
         FROM vault_cards v WHERE v.company_id = $1 AND v.id = ${VAULT_CARD}
       ON CONFLICT (vault_card_id, gateway_slug, secret_id) DO UPDATE
          SET sealed_token = EXCLUDED.sealed_token, expire_month = EXCLUDED.expire_month,
              expire_year = EXCLUDED.expire_year, updated_at = EXCLUDED.updated_at`,
      [
        companyId,
        savedAs,
        vaultCardId,
        slug,
        token.secretId,
        JSON.stringify(token.sealedToken),
        expireMonth,
        expireYear,
        now,
      ],
      tx,
    );
  }

  /** Forgets what the gateway gave for the card until `sentAt`: a charge that was sent then was refused. */
  async forget(tx: Tx, { companyId, slug, card, savedAs }: CardAtGateway, sentAt: Date): Promise<void> {
    await this.db.execute(
      `DELETE FROM gateway_card_tokens
        WHERE company_id = $1 AND vault_card_id = ${VAULT_CARD} AND gateway_slug = $4 AND updated_at <= $5::timestamptz`,
      [companyId, savedAs, card.vaultCardId, slug, sentAt],
      tx,
    );
  }
}
