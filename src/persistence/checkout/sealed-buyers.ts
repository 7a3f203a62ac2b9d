import type { Buyer, CheckoutSession } from '../../domain/checkout/checkout-session';
import { identityOf } from '../../domain/customers/customer';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { LookupHash } from '../customers/customer-names';

/** Encrypts text; `record` names where it is stored. */
export interface TextCipher {
  seal(text: string, record: string): Promise<SealedValue>;
  open(sealed: SealedValue, record: string): Promise<string>;
}

export type SessionKey = Pick<CheckoutSession, 'companyId' | 'merchantOrderId'>;

/** What a session stores of a buyer's data: sealed, and a hash by which the buyer's document, or guest id, is found. */
export class SealedBuyers {
  constructor(
    private readonly cipher: TextCipher,
    private readonly hash: LookupHash,
  ) {}

  async seal(
    session: SessionKey,
    buyer: Buyer | null,
  ): Promise<{ readonly sealed: string | null; readonly documentHash: string | null }> {
    if (buyer === null) return { sealed: null, documentHash: null };
    const sealed = await this.cipher.seal(JSON.stringify(buyer), buyerRecordOf(session));
    const [documentHash] = this.hash(session.companyId, 'document', identityOf(buyer));
    return { sealed: JSON.stringify(sealed), documentHash };
  }

  async open(session: SessionKey, sealed: SealedValue): Promise<Buyer> {
    return JSON.parse(await this.cipher.open(sealed, buyerRecordOf(session))) as Buyer;
  }
}

/** The additional authenticated data of a session's buyer. */
export function buyerRecordOf({ companyId, merchantOrderId }: SessionKey): string {
  return `company:${companyId}:checkout_sessions.buyer:${merchantOrderId}`;
}
