import { newVaultCardId, type VaultCardId } from '../domain/shared/ids';
import type { SealedValue } from '../domain/shared/sealed-value';
import type { EnvelopeCipher } from './envelope';
import { keyedHash } from './keyed-hash';
import { encryptionContext } from './encryption-context';

/** The vault's table, seen from here. `Tx` is the caller's transaction. */
export interface VaultCardStore<Tx> {
  insert(row: SealedCard, tx: Tx): Promise<void>;
  find(companyId: number, id: VaultCardId): Promise<Omit<SealedCard, 'companyId' | 'cvvExpiresAt'> | null>;
  forgetCvv(companyId: number, id: VaultCardId, tx: Tx): Promise<void>;
  removeUnlessKept(companyId: number, id: VaultCardId, tx: Tx): Promise<void>;
  removeForsaken(limit: number): Promise<number>;
  forgetExpiredCvvs(now: Date, limit: number): Promise<number>;
}

export interface SealedCard {
  readonly id: VaultCardId;
  readonly companyId: number;
  readonly sealedNumber: SealedValue;
  readonly sealedCvv: SealedValue | null;
  readonly cvvExpiresAt: Date | null;
}

export interface CardSecrets {
  readonly number: string;
  readonly cvv: string | null;
}

/** However a payment goes, its CVV is gone after this long (PCI DSS 3.3.1: never kept after authorization). */
export const CVV_LIFETIME_MS = 60 * 60 * 1000;

/** The only place where card numbers and CVVs are read or written; everything else passes a vault card's id. */
export class CardVault<Tx = unknown> {
  constructor(
    private readonly store: VaultCardStore<Tx>,
    private readonly envelope: EnvelopeCipher,
    private readonly fingerprintKey: string,
  ) {}

  /** Encrypts and stores a card in the caller's transaction. Without a CVV for a card that is only saved. */
  async put(tx: Tx, card: { companyId: number; number: string; cvv: string | null }): Promise<VaultCardId> {
    const { companyId, number, cvv } = card;
    const id = newVaultCardId();
    const sealedNumber = await this.envelope.seal(number, encryptionContext.cardNumber(companyId, id));
    const sealedCvv =
      cvv === null ? null : await this.envelope.seal(cvv, encryptionContext.cardCvv(companyId, id));
    const cvvExpiresAt = cvv === null ? null : new Date(Date.now() + CVV_LIFETIME_MS);
    await this.store.insert({ id, companyId, sealedNumber, sealedCvv, cvvExpiresAt }, tx);
    return id;
  }

  /** The card in clear, for one gateway call; null when the company has no such card (any more). */
  async read(companyId: number, id: VaultCardId): Promise<CardSecrets | null> {
    const row = await this.store.find(companyId, id);
    if (row === null) return null;
    const { sealedNumber, sealedCvv } = row;
    const number = await this.envelope.open(sealedNumber, encryptionContext.cardNumber(companyId, id));
    if (sealedCvv === null) return { number, cvv: null };
    return { number, cvv: await this.envelope.open(sealedCvv, encryptionContext.cardCvv(companyId, id)) };
  }

  /** To be called in the transaction that ends an authorization: its CVV must never be used again. */
  async forgetCvv(tx: Tx, companyId: number, id: VaultCardId): Promise<void> {
    await this.store.forgetCvv(companyId, id, tx);
  }

  /** Deletes a card that served its purpose, unless a customer has saved it or a subscription goes on charging it. */
  async discard(tx: Tx, companyId: number, id: VaultCardId): Promise<void> {
    await this.store.removeUnlessKept(companyId, id, tx);
  }

  /**
   * Deletes CVVs whose time is over, and numbers that nobody needs any more: of saved cards that were deleted, and of
   * subscriptions that ended or took another card. At most `limit` of each; returns how many there were.
   */
  async sweep(limit: number, now = new Date()): Promise<number> {
    const cvvs = await this.store.forgetExpiredCvvs(now, limit);
    return cvvs + (await this.store.removeForsaken(limit));
  }

  /** The same for the same number within a company, different between companies, and no way back to the number. */
  fingerprint(companyId: number, number: string): string {
    return keyedHash(this.fingerprintKey, `${companyId}:${number}`);
  }
}
