import type { Database, Tx } from '../sql/transaction';

/** A setting whose value is a list of keys. */
export type KeySetting =
  | 'API_KEY_PEPPER'
  | 'JWT_SECRET'
  | 'REQUEST_HASH_KEY'
  | 'FINGERPRINT_KEY'
  | 'ENCRYPTION_KEYS'
  | 'CODEC_KEYS';

/** A key that values were made with. */
export interface UsedKey {
  readonly setting: KeySetting;
  readonly keyId: string;
  /** When a process first made new values with another key; null for the current key. */
  readonly replacedAt: Date | null;
  /** When somebody found that nothing needs it; null while it is needed. */
  readonly retiredAt: Date | null;
}

/** Owns `secret_keys`. */
export class SecretKeyRepository {
  constructor(private readonly db: Database) {}

  async list(tx?: Tx): Promise<UsedKey[]> {
    return this.db.query<UsedKey>(
      `SELECT setting, key_id AS "keyId", replaced_at AS "replacedAt", retired_at AS "retiredAt" FROM secret_keys
        ORDER BY setting, first_used_at, key_id`,
      [],
      tx,
    );
  }

  /** Records keys of a setting that values are made with, or were. A retired one is needed again. */
  async insert(tx: Tx, setting: KeySetting, keyIds: readonly string[]): Promise<void> {
    await this.db.execute(
      `INSERT INTO secret_keys (setting, key_id, first_used_at) SELECT $1, unnest($2::text[]), now()
       ON CONFLICT (setting, key_id) DO UPDATE SET replaced_at = NULL, retired_at = NULL`,
      [setting, keyIds],
      tx,
    );
  }

  /** Records that another key makes new values now. */
  async markReplaced(tx: Tx, setting: KeySetting, currentId: string): Promise<void> {
    await this.db.execute(
      'UPDATE secret_keys SET replaced_at = now() WHERE setting = $1 AND key_id <> $2 AND replaced_at IS NULL',
      [setting, currentId],
      tx,
    );
  }

  /** False if it is the current key, or unknown. */
  async retire(setting: KeySetting, keyId: string): Promise<boolean> {
    const changed = await this.db.execute(
      'UPDATE secret_keys SET retired_at = now() WHERE setting = $1 AND key_id = $2 AND replaced_at IS NOT NULL',
      [setting, keyId],
    );
    return changed === 1;
  }
}
