import type { CardSummary } from '../../domain/customers/card';
import type { SavedCard } from '../../domain/customers/customer';
import { newCardToken, type VaultCardId } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import { CustomerCardModel } from '../models/customer-card';
import type { Database, Tx } from '../sql/transaction';

/** A saved card with what a payment needs to charge it. */
export interface PayableCard extends SavedCard {
  readonly id: number;
  readonly customerId: number;
  readonly vaultCardId: VaultCardId;
  readonly fingerprint: string;
  readonly billingAddress: BillingAddress | null;
}

export interface NewCustomerCard {
  readonly companyId: number;
  readonly customerId: number;
  readonly vaultCardId: VaultCardId;
  /** `CardVault.fingerprint` of the number. */
  readonly fingerprint: string;
  readonly card: CardSummary;
  readonly billingAddress: BillingAddress | null;
}

const COLUMNS = `id, token, customer_id AS "customerId", vault_card_id AS "vaultCardId", fingerprint, brand,
  first_6_digits AS "first6Digits", last_4_digits AS "last4Digits", holder_name AS "holderName",
  expire_month AS "expireMonth", expire_year AS "expireYear", billing_address AS "billingAddress",
  is_default AS "isDefault", created_at AS "createdAt"`;

/** Owns `customer_cards`. Reads skip deleted cards. */
export class CustomerCardRepository {
  constructor(private readonly database: Database) {}

  /**
   * Saves a card that is in the vault and returns its token. A customer's first card becomes the default.
   * If the customer has saved the number before, that row keeps its token and vault card and gets the new holder, expiry
   * and billing address; the new vault card is deleted.
   */
  async upsert(tx: Tx, { card, ...owner }: NewCustomerCard): Promise<string> {
    await this.lockCustomer(tx, owner.customerId);
    const saved = await this.database.queryOne<{ token: string; vaultCardId: VaultCardId }>(
      `INSERT INTO customer_cards AS c
              (token, company_id, customer_id, vault_card_id, fingerprint, billing_address, brand, first_6_digits,
               last_4_digits, holder_name, expire_month, expire_year, is_default)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
              NOT EXISTS (SELECT 1 FROM customer_cards WHERE customer_id = $3 AND is_default AND deleted_at IS NULL)
       ON CONFLICT (customer_id, fingerprint) WHERE deleted_at IS NULL DO UPDATE
          SET holder_name = EXCLUDED.holder_name, expire_month = EXCLUDED.expire_month,
              expire_year = EXCLUDED.expire_year,
              billing_address = COALESCE(EXCLUDED.billing_address, c.billing_address), updated_at = now()
       RETURNING token, vault_card_id AS "vaultCardId"`,
      [
        newCardToken(),
        owner.companyId,
        owner.customerId,
        owner.vaultCardId,
        owner.fingerprint,
        owner.billingAddress && JSON.stringify(owner.billingAddress),
        card.brand,
        card.first6Digits,
        card.last4Digits,
        card.holderName,
        card.expireMonth,
        card.expireYear,
      ],
      tx,
    );
    if (saved === null) throw new Error('an upsert returned no row');
    if (saved.vaultCardId !== owner.vaultCardId) {
      await this.database.query('DELETE FROM vault_cards WHERE id = $1', [owner.vaultCardId], tx);
    }
    return saved.token;
  }

  /** With `tx`, locks the card (`FOR SHARE`), so that the number is not erased before a payment with it is committed. */
  async findByToken(companyId: number, token: string, tx?: Tx): Promise<PayableCard | null> {
    return this.database.queryOne<PayableCard>(
      `SELECT ${COLUMNS} FROM customer_cards
        WHERE company_id = $1 AND token = $2 AND deleted_at IS NULL ${tx === undefined ? '' : 'FOR SHARE'}`,
      [companyId, token],
      tx,
    );
  }

  /** The customer's cards, newest first. */
  async list(companyId: number, customerId: number, page: PageRequest): Promise<Page<SavedCard>> {
    const { rows, count } = await CustomerCardModel.findAndCountAll({
      where: { companyId, customerId, deletedAt: null },
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
      ...pageBounds(page),
    });
    return { rows: rows.map((row) => row.get({ plain: true })), total: count };
  }

  /** Deletes a card. If it was the default, the newest remaining card becomes it. False if there is no such card. */
  async delete(tx: Tx, companyId: number, customerId: number, token: string): Promise<boolean> {
    await this.lockCustomer(tx, customerId);
    const deleted = await this.database.queryOne<{ wasDefault: boolean }>(
      `UPDATE customer_cards SET deleted_at = now(), updated_at = now()
        WHERE company_id = $1 AND customer_id = $2 AND token = $3 AND deleted_at IS NULL
        RETURNING is_default AS "wasDefault"`,
      [companyId, customerId, token],
      tx,
    );
    if (deleted?.wasDefault === true) await this.promoteNewest(tx, customerId);
    return deleted !== null;
  }

  private async promoteNewest(tx: Tx, customerId: number): Promise<void> {
    await this.database.query(
      `UPDATE customer_cards SET is_default = true, updated_at = now()
        WHERE id = (SELECT id FROM customer_cards WHERE customer_id = $1 AND deleted_at IS NULL
                     ORDER BY created_at DESC, id DESC LIMIT 1)`,
      [customerId],
      tx,
    );
  }

  /** Serializes changes of a customer's cards, so that exactly one of them is the default. */
  private async lockCustomer(tx: Tx, customerId: number): Promise<void> {
    await this.database.query('SELECT 1 FROM customers WHERE id = $1 FOR NO KEY UPDATE', [customerId], tx);
  }
}
