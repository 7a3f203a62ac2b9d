import type { KeySetting, SecretKeyRepository } from '../../persistence/keys/secret-key-repository';
import type { Database } from '../../persistence/sql/transaction';

/** The keys of a setting, by their ids. */
export interface ConfiguredKeys {
  readonly setting: KeySetting;
  readonly currentId: string;
  /** Those that are read, the current one among them. */
  readonly acceptedIds: readonly string[];
}

export interface CheckKeysDeps {
  readonly db: Database;
  readonly secretKeys: SecretKeyRepository;
}

/** A key that made values that may still be needed, and that this process does not have. */
export interface MissingKey {
  readonly setting: KeySetting;
  readonly keyId: string;
}

/**
 * Finds the keys that this process lacks. If it lacks none that values cannot be read without, records which keys make new values from
 * now on. The first process of a deployment that ever calls this records all of its keys, because any of them may have made values.
 */
export async function checkKeys(
  { db, secretKeys }: CheckKeysDeps,
  configured: readonly ConfiguredKeys[],
): Promise<MissingKey[]> {
  const used = await secretKeys.list();
  const ofSetting = ({ setting }: ConfiguredKeys) => used.filter((key) => key.setting === setting);
  const missing = configured.flatMap((keys) =>
    ofSetting(keys)
      .filter(({ keyId, retiredAt }) => retiredAt === null && !keys.acceptedIds.includes(keyId))
      .map(({ setting, keyId }) => ({ setting, keyId })),
  );
  if (missing.some(isIndispensable)) return missing;
  for (const keys of configured) {
    const known = ofSetting(keys);
    const isCurrent = known.some(({ keyId, replacedAt }) => keyId === keys.currentId && replacedAt === null);
    if (isCurrent && known.filter(({ replacedAt }) => replacedAt === null).length === 1) continue;
    await db.inTransaction(async (tx) => {
      await secretKeys.insert(tx, keys.setting, known.length === 0 ? keys.acceptedIds : [keys.currentId]);
      await secretKeys.markReplaced(tx, keys.setting, keys.currentId);
    });
  }
  return missing;
}

/** Whether stored values are lost, or clients are locked out, without the key. The others expire, or only refuse a repetition. */
export function isIndispensable({ setting }: Pick<MissingKey, 'setting'>): boolean {
  return setting !== 'JWT_SECRET' && setting !== 'REQUEST_HASH_KEY';
}
