import { z } from 'zod';
import type { SecretKeys } from './security/secret-keys';
import { findWeakness, isKnownSecret, spellingsOf } from './security/weak-secrets';

/**
 * Default secrets of the sandbox. They are public, so production rejects them. Each but the platform's is a list, separated by
 * commas: the first one makes new values, all of them read. Encryption keys are `id:key`, 32 bytes in base64.
 */
const SANDBOX_SECRETS = {
  API_KEY_PEPPER: 'sandbox-api-key-pepper-not-a-secret',
  JWT_SECRET: 'sandbox-access-token-secret-not-a-secret',
  PLATFORM_GATEWAY_SECRET: 'sk_platform_sandbox-not-a-secret-at-all',
  FINGERPRINT_KEY: 'sandbox-fingerprint-key-not-a-secret',
  REQUEST_HASH_KEY: 'sandbox-request-hash-key-not-a-secret',
  ENCRYPTION_KEYS: 'sandbox-1:c2FuZGJveC12YXVsdC1rZXktMzItYnl0ZXMtbG9uZyE=',
  CODEC_KEYS: 'sandbox-1:c2FuZGJveC1jb2RlYy1rZXktMzItYnl0ZXMtbG9uZyE=',
} as const;

type SecretName = keyof typeof SANDBOX_SECRETS;

const MIN_SECRET_LENGTH = 32;
/** What `.env.example` has in place of secrets. */
const PLACEHOLDER = 'change-me';

interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

function keyRing(text: string, ctx: z.core.$RefinementCtx): EncryptionKey[] {
  const keys = text.split(',').map((entry): EncryptionKey => {
    const colon = entry.indexOf(':');
    return { id: entry.slice(0, Math.max(colon, 0)), key: Buffer.from(entry.slice(colon + 1), 'base64') };
  });
  if (keys.some(({ id, key }) => id === '' || key.length !== 32)) {
    ctx.addIssue({ code: 'custom', message: 'must be id:key pairs, each key 32 bytes in base64' });
  }
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    ctx.addIssue({ code: 'custom', message: 'must have an id of its own for each key' });
  }
  return keys;
}

const secret = (name: SecretName) => z.string().min(MIN_SECRET_LENGTH).default(SANDBOX_SECRETS[name]);

function secretKeys(text: string, ctx: z.core.$RefinementCtx): SecretKeys {
  const [current = '', ...older] = text.split(',').map((item) => item.trim());
  const keys: SecretKeys = [current, ...older];
  if (keys.some((key) => key.length < MIN_SECRET_LENGTH)) {
    ctx.addIssue({
      code: 'custom',
      message: `must be secrets of at least ${MIN_SECRET_LENGTH} characters, separated by commas`,
    });
  }
  return keys;
}

/** The settings that are secrets, as a part of the schema of the environment. */
export const SECRET_SETTINGS = {
  PLATFORM_GATEWAY_SECRET: secret('PLATFORM_GATEWAY_SECRET'),
  API_KEY_PEPPER: secret('API_KEY_PEPPER').transform(secretKeys),
  JWT_SECRET: secret('JWT_SECRET').transform(secretKeys),
  FINGERPRINT_KEY: secret('FINGERPRINT_KEY').transform(secretKeys),
  REQUEST_HASH_KEY: secret('REQUEST_HASH_KEY').transform(secretKeys),
  ENCRYPTION_KEYS: secret('ENCRYPTION_KEYS').transform(keyRing),
  CODEC_KEYS: secret('CODEC_KEYS').transform(keyRing),
} satisfies Record<SecretName, z.ZodType>;

const SECRETS_SCHEMA = z.object(SECRET_SETTINGS);
type SecretValues = z.output<typeof SECRETS_SCHEMA>;

const SANDBOX_DEFAULTS = SECRETS_SCHEMA.parse({});

/** A secret of the service with all the bytes that its setting may stand for. */
interface ConfiguredSecret {
  readonly name: SecretName;
  readonly spellings: readonly Buffer[];
}

/** @throws an error that names a secret that is public, easy to guess or used twice */
export function rejectGuessableSecrets(settings: SecretValues): void {
  const secrets = configuredSecrets(settings);
  const known = [...configuredSecrets(SANDBOX_DEFAULTS).flatMap(bytesOf), Buffer.from(PLACEHOLDER)];
  const publicNames = secrets
    .filter(({ spellings }) => isKnownSecret(spellings, known))
    .map(({ name }) => name);
  if (publicNames.length > 0) {
    const names = [...new Set(publicNames)].join(', ');
    throw new Error(
      `refusing to start in production with the sandbox's secrets: set ${names}, or SANDBOX=true on a developer's machine`,
    );
  }
  for (const secretToCheck of secrets) {
    const weakness = bytesOf(secretToCheck)
      .map(findWeakness)
      .find((found) => found !== null);
    if (weakness)
      throw new Error(
        `refusing to start with a secret that can be guessed: ${secretToCheck.name} ${weakness}`,
      );
  }
  rejectReuse(secrets);
}

/** Each secret protects something else, so that one that leaks does not open the rest. */
function rejectReuse(secrets: readonly ConfiguredSecret[]): void {
  for (const [index, { name, spellings }] of secrets.entries()) {
    const other = secrets
      .slice(index + 1)
      .find((later) => isKnownSecret(later.spellings, bytesOf({ spellings })));
    if (other?.name === name) throw new Error(`wrong settings: ${name} has the same secret twice`);
    if (other)
      throw new Error(`wrong settings: ${name} and ${other.name} share a secret; each needs its own`);
  }
}

/** The bytes that the service works with. */
function bytesOf({ spellings }: Pick<ConfiguredSecret, 'spellings'>): Buffer[] {
  return spellings.slice(0, 1);
}

function configuredSecrets(settings: SecretValues): ConfiguredSecret[] {
  return (Object.keys(SANDBOX_SECRETS) as SecretName[]).flatMap((name): ConfiguredSecret[] => {
    const value = settings[name];
    return (typeof value === 'string' ? [value] : value).map((item) => ({
      name,
      spellings: typeof item === 'string' ? spellingsOf(item) : [item.key],
    }));
  });
}
