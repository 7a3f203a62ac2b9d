import { newVaultCardId, type VaultCardId } from '../domain/shared/ids';
import type { SealedValue } from '../domain/shared/sealed-value';
import type { PreparedChange, PreparedQuery } from '../persistence/sql/prepared-table';
import type { EnvelopeCipher } from './envelope';
import type { CardFingerprints } from './card-fingerprints';
import { encryptionContext } from './encryption-context';

/** The storage that the vault needs. `Tx` is the caller's transaction. */
export interface VaultCardStore<Tx> {
  insert(row: SealedCard, tx: Tx): Promise<void>;
  insertion(row: SealedCard): PreparedChange;
  find(companyId: number, id: VaultCardId): Promise<SealedSecrets | null>;
  query(companyId: number, id: VaultCardId): PreparedQuery;
  cvvErasure(companyId: number, id: VaultCardId): PreparedChange;
  removalUnlessInUse(companyId: number, id: VaultCardId): PreparedChange;
  removePendingErasure(limit: number): Promise<number>;
  eraseExpiredCvvs(now: Date, limit: number): Promise<number>;
}

export interface SealedCard {
  readonly id: VaultCardId;
  readonly companyId: number;
  readonly sealedNumber: SealedValue;
  readonly sealedCvv: SealedValue | null;
  readonly cvvExpiresAt: Date | null;
}

interface UnsealedCard {
  readonly companyId: number;
  readonly number: string;
  readonly cvv: string | null;
}

/** A card as it is stored. It may leave a transaction, because only `open` reads it. */
export type SealedSecrets = Pick<SealedCard, 'id' | 'sealedNumber' | 'sealedCvv'>;

export interface CardSecrets {
  readonly number: string;
  readonly cvv: string | null;
}

/** A CVV is erased at the latest after this time (PCI DSS 3.3.1: never stored after authorization). */
export const CVV_LIFETIME_MS = 60 * 60 * 1000;

/** The only code that reads or writes card numbers and CVVs. Other code passes vault card ids. */
export class CardVault<Tx = unknown> {
  constructor(
    private readonly store: VaultCardStore<Tx>,
    private readonly envelope: EnvelopeCipher,
    private readonly fingerprints: CardFingerprints<Tx>,
  ) {}

  /** Encrypts and stores a card in the caller's transaction. `cvv` is null for a card that is only saved. */
  async put(tx: Tx, card: UnsealedCard): Promise<VaultCardId> {
    const sealed = await this.encrypt(card);
    await this.store.insert(sealed, tx);
    return sealed.id;
  }

  /** Encrypts a card. The change stores it, by one statement with that of what will be charged to it. */
  async seal(card: UnsealedCard): Promise<{ readonly id: VaultCardId; readonly insertion: PreparedChange }> {
    const sealed = await this.encrypt(card);
    return { id: sealed.id, insertion: this.store.insertion(sealed) };
  }

  private async encrypt({ companyId, number, cvv }: UnsealedCard): Promise<SealedCard> {
    const id = newVaultCardId();
    const sealedNumber = await this.envelope.seal(number, encryptionContext.cardNumber(companyId, id));
    const sealedCvv =
      cvv === null ? null : await this.envelope.seal(cvv, encryptionContext.cardCvv(companyId, id));
    const cvvExpiresAt = cvv === null ? null : new Date(Date.now() + CVV_LIFETIME_MS);
    return { id, companyId, sealedNumber, sealedCvv, cvvExpiresAt };
  }

  /** Decrypts the card for one gateway call; null if the company has no such card. */
  async read(companyId: number, id: VaultCardId): Promise<CardSecrets | null> {
    const card = await this.store.find(companyId, id);
    return card && this.open(companyId, card);
  }

  /** Finds the card as it is stored (`SealedSecrets`), by the statement that claims its use; none if the company has no such card. */
  query(companyId: number, id: VaultCardId): PreparedQuery {
    return this.store.query(companyId, id);
  }

  async open(companyId: number, { id, sealedNumber, sealedCvv }: SealedSecrets): Promise<CardSecrets> {
    const number = await this.envelope.open(sealedNumber, encryptionContext.cardNumber(companyId, id));
    if (sealedCvv === null) return { number, cvv: null };
    return { number, cvv: await this.envelope.open(sealedCvv, encryptionContext.cardCvv(companyId, id)) };
  }

  /** Make this change in the transaction that ends an authorization: the CVV must never be used again. */
  cvvErasure(companyId: number, id: VaultCardId): PreparedChange {
    return this.store.cvvErasure(companyId, id);
  }

  /** The change that deletes a card unless a customer saved it or a subscription charges it. */
  removal(companyId: number, id: VaultCardId): PreparedChange {
    return this.store.removalUnlessInUse(companyId, id);
  }

  /**
   * Erases expired CVVs and deletes cards that are no longer in use: deleted saved cards, and cards of subscriptions that
   * ended or changed their card. At most `limit` of each; returns the total.
   */
  async sweep(limit: number, now = new Date()): Promise<number> {
    const erasedCvvs = await this.store.eraseExpiredCvvs(now, limit);
    return erasedCvvs + (await this.store.removePendingErasure(limit));
  }

  /** By what saved cards, subscriptions and declines know the number: see `CardFingerprints`. */
  fingerprint(companyId: number, number: string, tx?: Tx): Promise<string> {
    return this.fingerprints.of(companyId, number, tx);
  }
}
