import { checkKeys, isIndispensable, type ConfiguredKeys } from '../application/keys/check-keys';
import type { KeyReportDeps } from '../application/keys/key-report';
import type { Config } from '../config';
import type { Logger } from '../log';
import { SecretKeyRepository } from '../persistence/keys/secret-key-repository';
import { SealedValueRepository } from '../persistence/keys/sealed-value-repository';
import { keyIdOf } from '../security/secret-keys';
import { countWorkflowsStartedBefore } from '../temporal/client';
import type { AppContext } from './app-context';

/** Every list of keys. A key has the id that its setting gives it, or one that is derived from it. */
export function configuredKeys({ secrets }: Pick<Config, 'secrets'>): ConfiguredKeys[] {
  const lists = [
    ['API_KEY_PEPPER', secrets.apiKeyPeppers.map(keyIdOf)],
    ['JWT_SECRET', secrets.jwtSecrets.map(keyIdOf)],
    ['REQUEST_HASH_KEY', secrets.requestHashKeys.map(keyIdOf)],
    ['FINGERPRINT_KEY', secrets.fingerprintKeys.map(keyIdOf)],
    ['ENCRYPTION_KEYS', secrets.encryptionKeys.map(({ id }) => id)],
    ['CODEC_KEYS', secrets.codecKeys.map(({ id }) => id)],
  ] as const;
  return lists.map(([setting, acceptedIds]) => ({ setting, currentId: acceptedIds[0] ?? '', acceptedIds }));
}

/**
 * Keeps a process from starting without a key that stored values need. A database that cannot be asked does not keep it from starting,
 * because it may be reachable later.
 *
 * @throws Error that names the missing keys
 */
export async function requireUsedKeys(
  config: Pick<Config, 'secrets'>,
  { db }: Pick<AppContext, 'db'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const deps = { db, secretKeys: new SecretKeyRepository(db) };
  const missing = await checkKeys(deps, configuredKeys(config)).catch((error: unknown) => {
    log.warn({ err: error }, 'it is unknown whether all keys that are in use are configured');
    return [];
  });
  const texts = missing.map(({ setting, keyId }) => `${setting} lacks the key ${keyId}`);
  if (missing.some(isIndispensable)) {
    // Its open connections would keep the process alive.
    await db.close();
    throw new Error(
      `refusing to start: ${texts.join(', ')}, which stored values may need. Add it again; see docs/key-rotation.md`,
    );
  }
  if (texts.length > 0)
    log.warn({ code: texts.join(', ') }, 'a replaced key was removed without being retired');
}

/** What `reportKeys` reads. */
export function createKeyReport({
  db,
  companyApiKeys,
  temporal,
  now,
}: Pick<AppContext, 'db' | 'companyApiKeys' | 'temporal' | 'now'>) {
  return {
    secretKeys: new SecretKeyRepository(db),
    apiKeys: companyApiKeys,
    sealedValues: new SealedValueRepository(db),
    countWorkflowsStartedBefore: (instant) => countWorkflowsStartedBefore(temporal, instant),
    now,
  } satisfies KeyReportDeps;
}
