import type { CardSummary } from '../../domain/customers/card';
import type { SavedCard } from '../../domain/customers/customer';
import {
  openPersonal,
  type CustomerKey,
  type PersonalDataCipher,
} from '../../domain/customers/personal-data';
import type { NetworkIds } from '../../domain/shared/charge-initiation';
import { newCardToken, type VaultCardId } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import type { Database, Tx } from '../sql/transaction';
import { CUSTOMER_KEY } from './customer-repository';

/** A saved card with what a payment needs to charge it. */
export interface PayableCard extends SavedCard {
  readonly id: number;
  readonly customerId: number;
  readonly vaultCardId: VaultCardId;
  readonly fingerprint: string;
  readonly billingAddress: BillingAddress | null;
  readonly networkIds: NetworkIds | null;
}

export interface NewCustomerCard {
  readonly companyId: number;
  readonly customerId: number;
  readonly customerKey: CustomerKey;
  readonly vaultCardId: VaultCardId;
  /** `CardVault.fingerprint` of the number. */
  readonly fingerprint: string;
  readonly card: CardSummary;
  readonly billingAddress: BillingAddress | null;
  /** Of the transaction with which the card is saved; null if there are none. */
  readonly networkIds: NetworkIds | null;
}

/** A saved card as it was when it was charged. */
export interface ChargedSavedCard {
  readonly companyId: number;
  readonly token: string;
  readonly fingerprint: string;
  readonly expireMonth: number;
  readonly expireYear: number;
}

const COLUMNS = `k.id, k.token, k.customer_id AS "customerId", k.vault_card_id AS "vaultCardId", k.fingerprint, k.brand,
  k.first_6_digits AS "first6Digits", k.last_4_digits AS "last4Digits", k.sealed_holder_name AS "sealedHolderName",
  k.expire_month AS "expireMonth", k.expire_year AS "expireYear", k.sealed_billing_address AS "sealedBillingAddress",
  k.is_default AS "isDefault", k.network_ids AS "networkIds", k.created_at AS "createdAt", ${CUSTOMER_KEY} AS "customerKey"`;

/** As stored, with what is sealed. */
interface CardRow extends Omit<PayableCard, 'holderName' | 'billingAddress'> {
  readonly sealedHolderName: string | null;
  readonly sealedBillingAddress: string | null;
  readonly customerKey: CustomerKey | null;
}

/** Owns `customer_cards`. Reads skip deleted cards. */
export class CustomerCardRepository {
  constructor(
    private readonly database: Database,
    private readonly cipher: PersonalDataCipher,
  ) {}

  /**
   * Saves a card that is in the vault and returns its token. A customer's first card becomes the default.
   * If the customer has saved the number before, that row keeps its token and vault card and gets the new holder, expiry
   * and billing address; the new vault card is deleted. A renewed card does not inherit the network ids of the earlier one.
   */
  async upsert(tx: Tx, { card, ...owner }: NewCustomerCard): Promise<string> {
    await this.lockCustomer(tx, owner.customerId);
    const { customerKey: key, billingAddress } = owner;
    const [holderRecord, addressRecord] = recordsOf(owner);
    const saved = await this.database.queryOne<{ token: string; vaultCardId: VaultCardId }>(
      `INSERT INTO customer_cards AS c
              (token, company_id, customer_id, vault_card_id, fingerprint, sealed_billing_address, brand,
               first_6_digits, last_4_digits, sealed_holder_name, expire_month, expire_year, network_ids, is_default)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
              NOT EXISTS (SELECT 1 FROM customer_cards WHERE customer_id = $3 AND is_default AND deleted_at IS NULL)
       ON CONFLICT (customer_id, fingerprint) WHERE deleted_at IS NULL DO UPDATE
          SET sealed_holder_name = EXCLUDED.sealed_holder_name, expire_month = EXCLUDED.expire_month,
              expire_year = EXCLUDED.expire_year, updated_at = now(),
              network_ids = COALESCE(EXCLUDED.network_ids, CASE WHEN (c.expire_month, c.expire_year)
                = (EXCLUDED.expire_month, EXCLUDED.expire_year) THEN c.network_ids END),
              sealed_billing_address = COALESCE(EXCLUDED.sealed_billing_address, c.sealed_billing_address)
       RETURNING token, vault_card_id AS "vaultCardId"`,
      [
        newCardToken(),
        owner.companyId,
        owner.customerId,
        owner.vaultCardId,
        owner.fingerprint,
        billingAddress && (await this.cipher.seal(key, billingAddress, addressRecord)),
        card.brand,
        card.first6Digits,
        card.last4Digits,
        await this.cipher.seal(key, { holderName: card.holderName }, holderRecord),
        card.expireMonth,
        card.expireYear,
        owner.networkIds && JSON.stringify(owner.networkIds),
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
    const row = await this.database.queryOne<CardRow>(
      `SELECT ${COLUMNS} FROM customer_cards k JOIN customers c ON c.id = k.customer_id
        WHERE k.company_id = $1 AND k.token = $2 AND k.deleted_at IS NULL ${tx === undefined ? '' : 'FOR SHARE OF k'}`,
      [companyId, token],
      tx,
    );
    return row && this.toCard(row);
  }

  /** Keeps the network ids of a saved card's first transaction, unless the card was renewed or deleted since it was charged. */
  async keepNetworkIds(tx: Tx, card: ChargedSavedCard, networkIds: NetworkIds): Promise<void> {
    const { companyId, token, fingerprint, expireMonth, expireYear } = card;
    await this.database.query(
      `UPDATE customer_cards SET network_ids = $6
        WHERE company_id = $1 AND token = $2 AND fingerprint = $3 AND expire_month = $4 AND expire_year = $5
          AND deleted_at IS NULL AND network_ids IS NULL`,
      [companyId, token, fingerprint, expireMonth, expireYear, JSON.stringify(networkIds)],
      tx,
    );
  }

  /** The customer's cards, newest first. */
  async list(companyId: number, customerId: number, page: PageRequest): Promise<Page<SavedCard>> {
    const { limit, offset } = pageBounds(page);
    const [rows, counted] = await Promise.all([
      this.database.query<CardRow>(
        `SELECT ${COLUMNS} FROM customer_cards k JOIN customers c ON c.id = k.customer_id
          WHERE k.company_id = $1 AND k.customer_id = $2 AND k.deleted_at IS NULL
          ORDER BY k.created_at DESC, k.id DESC LIMIT $3 OFFSET $4`,
        [companyId, customerId, limit, offset],
      ),
      this.database.queryOne<{ total: number }>(
        `SELECT count(*) AS total FROM customer_cards WHERE company_id = $1 AND customer_id = $2 AND deleted_at IS NULL`,
        [companyId, customerId],
      ),
    ]);
    return { rows: await Promise.all(rows.map((row) => this.toCard(row))), total: counted?.total ?? 0 };
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

  /** The live subscription that charges a card, deleted or not, or that a stored command will give it to; null if none. */
  async findSubscription(tx: Tx, companyId: number, token: string): Promise<string | null> {
    const row = await this.database.queryOne<{ uuid: string }>(
      `SELECT s.uuid FROM customer_cards k JOIN subscriptions s ON s.customer_id = k.customer_id
        WHERE k.company_id = $1 AND k.token = $2 AND s.status <> 'canceled' AND (s.vault_card_id = k.vault_card_id OR EXISTS (
          SELECT 1 FROM subscription_commands c WHERE c.subscription_id = s.id AND c.status IN ('requested', 'in_progress')
             AND c.kind = 'change_card' AND c.details #>> '{card,vaultCardId}' = k.vault_card_id::text))
        ORDER BY s.id LIMIT 1`,
      [companyId, token],
      tx,
    );
    return row?.uuid ?? null;
  }

  private async toCard({
    sealedHolderName,
    sealedBillingAddress,
    customerKey: key,
    ...row
  }: CardRow): Promise<PayableCard> {
    const [holderRecord, addressRecord] = recordsOf(row);
    const holder = await openPersonal<Pick<SavedCard, 'holderName'>>(
      this.cipher,
      key,
      sealedHolderName,
      holderRecord,
    );
    if (holder === null) throw new Error('the holder of a saved card is erased');
    const billingAddress = await openPersonal<BillingAddress>(
      this.cipher,
      key,
      sealedBillingAddress,
      addressRecord,
    );
    return { ...row, holderName: holder.holderName, billingAddress };
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

/** Saving the same number again keeps the records, whatever the new row's token. */
function recordsOf({
  customerId,
  fingerprint,
}: Pick<PayableCard, 'customerId' | 'fingerprint'>): readonly [holder: string, address: string] {
  const card = `customer_cards:${customerId}:${fingerprint}`;
  return [`${card}:holder`, `${card}:address`];
}
