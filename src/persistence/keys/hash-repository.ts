import type { SealedValue } from '../../domain/shared/sealed-value';
import type { Database } from '../sql/transaction';

/** By what a customer is found. */
export interface CustomerHashes {
  readonly documentHash: string;
  readonly emailHash: string;
}

export interface HashedCustomer extends CustomerHashes {
  readonly id: number;
  readonly companyId: number;
}

/** A value made by the current key and what older keys make of the same. */
type KeyedHashes = readonly [current: string, ...older: string[]];

interface GatewayFingerprint {
  readonly fingerprint: string;
  readonly sealedValues: SealedValue;
}

/**
 * Replaces keyed hashes of older keys by those of the current one, in any table. Every method is false if the row has changed since it was
 * read, has the new hash already, or another row has it, as after two processes inserted the same thing with different keys.
 */
export class HashRepository {
  constructor(private readonly db: Database) {}

  /** At most `limit` customers after that one by id who are not erased. */
  async listCustomers(afterId: number, limit: number): Promise<HashedCustomer[]> {
    return this.db.query<HashedCustomer>(
      `SELECT id, company_id AS "companyId", document_hash AS "documentHash", email_hash AS "emailHash"
         FROM customers WHERE id > $1 AND erased_at IS NULL ORDER BY id LIMIT $2`,
      [afterId, limit],
    );
  }

  /** The sweeper replaces those of the name. */
  async replaceCustomer(customer: HashedCustomer, to: CustomerHashes): Promise<boolean> {
    const { id, documentHash, emailHash } = customer;
    if (documentHash === to.documentHash && emailHash === to.emailHash) return false;
    return this.changesOne(
      `UPDATE customers c SET document_hash = $2, email_hash = $3, name_hashed_at = NULL
        WHERE c.id = $1 AND c.document_hash = $4 AND c.email_hash = $5 AND NOT EXISTS (
          SELECT 1 FROM customers o WHERE o.company_id = c.company_id AND o.document_hash = $2 AND o.id <> c.id)`,
      [id, to.documentHash, to.emailHash, documentHash, emailHash],
    );
  }

  /** The buyer of a checkout session. */
  async replaceBuyer(sessionId: number, [current, ...older]: KeyedHashes): Promise<boolean> {
    return this.changesOne(
      'UPDATE checkout_sessions SET buyer_document_hash = $2 WHERE id = $1 AND buyer_document_hash = ANY($3)',
      [sessionId, current, older],
    );
  }

  async replaceSubAccount(id: string, [current, ...older]: KeyedHashes): Promise<boolean> {
    return this.changesOne(
      `UPDATE sub_accounts s SET information_hash = $2
        WHERE s.id = $1 AND s.information_hash = ANY($3) AND NOT EXISTS (
          SELECT 1 FROM sub_accounts o WHERE o.company_id = s.company_id AND o.gateway_slug = s.gateway_slug
             AND o.information_hash = $2 AND o.status <> 'refused')`,
      [id, current, older],
    );
  }

  /** The sealed values are bound to the fingerprint, so both change. */
  async replaceGatewaySecret(id: string, from: GatewayFingerprint, to: GatewayFingerprint): Promise<boolean> {
    return this.changesOne(
      `UPDATE gateway_secrets s SET fingerprint = $2, sealed_values = $3
        WHERE s.id = $1 AND s.fingerprint = $4 AND s.sealed_values = $5 AND NOT EXISTS (
          SELECT 1 FROM gateway_secrets o WHERE o.company_id = s.company_id AND o.gateway_slug = s.gateway_slug
             AND o.fingerprint = $2)`,
      [
        id,
        to.fingerprint,
        JSON.stringify(to.sealedValues),
        from.fingerprint,
        JSON.stringify(from.sealedValues),
      ],
    );
  }

  private async changesOne(sql: string, bind: readonly unknown[]): Promise<boolean> {
    return (await this.db.execute(sql, bind)) === 1;
  }
}
