import type { Database, Tx } from '../sql/transaction';

/** What another key makes of a card number that is stored under an earlier key's fingerprint. */
interface FingerprintAlias {
  readonly fingerprint: string;
  readonly knownAs: string;
}

/** A key as the deployment's processes have recorded it; several may have been recorded at once. */
export interface RecordedKey {
  readonly keyId: string;
  readonly firstUsedAt: Date;
}

/** Owns `card_fingerprint_aliases`. */
export class CardFingerprintRepository {
  constructor(private readonly db: Database) {}

  async hasAliases(tx?: Tx): Promise<boolean> {
    return (await this.db.queryOne('SELECT 1 FROM card_fingerprint_aliases LIMIT 1', [], tx)) !== null;
  }

  async listAliases(
    companyId: number,
    fingerprints: readonly string[],
    tx?: Tx,
  ): Promise<FingerprintAlias[]> {
    return this.db.query<FingerprintAlias>(
      `SELECT fingerprint, known_as AS "knownAs" FROM card_fingerprint_aliases
        WHERE company_id = $1 AND fingerprint = ANY($2)`,
      [companyId, fingerprints],
      tx,
    );
  }

  async insertAliases(
    companyId: number,
    fingerprints: readonly string[],
    knownAs: string,
    tx?: Tx,
  ): Promise<void> {
    await this.db.execute(
      `INSERT INTO card_fingerprint_aliases (company_id, fingerprint, known_as) SELECT $1, unnest($2::text[]), $3
       ON CONFLICT DO NOTHING`,
      [companyId, fingerprints, knownAs],
      tx,
    );
  }

  /** Since when processes make fingerprints with these keys. */
  async listKeys(keyIds: readonly string[], tx?: Tx): Promise<RecordedKey[]> {
    return this.db.query<RecordedKey>(
      `SELECT key_id AS "keyId", first_used_at AS "firstUsedAt" FROM secret_keys
        WHERE setting = 'FINGERPRINT_KEY' AND key_id = ANY($1)`,
      [keyIds],
      tx,
    );
  }
}
