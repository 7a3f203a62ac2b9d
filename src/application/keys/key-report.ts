import { assertNever } from '../../domain/shared/assert-never';
import { LONGEST_WINDOW_MS } from '../../domain/subscriptions/network-limits';
import type { ApiKeyRepository, PepperUse } from '../../persistence/companies/api-key-repository';
import type { KeySetting, SecretKeyRepository, UsedKey } from '../../persistence/keys/secret-key-repository';
import type { SealedValueRepository } from '../../persistence/keys/sealed-value-repository';
import type { ConfiguredKeys } from './check-keys';
import { countByMasterKey } from './rewrap';

export interface KeyReportDeps {
  readonly secretKeys: SecretKeyRepository;
  readonly apiKeys: Pick<ApiKeyRepository, 'countByPepper'>;
  readonly sealedValues: SealedValueRepository;
  /** How many workflows that Temporal still has were started before. */
  readonly countWorkflowsStartedBefore: (instant: Date) => Promise<number>;
  readonly now: () => Date;
}

/** What a key is needed for. */
export interface KeyUse {
  readonly setting: KeySetting;
  readonly keyId: string;
  readonly role: 'current' | 'accepted' | 'not configured';
  /** Null once it was retired, or if no process has made values with it. */
  readonly need: KeyNeed | null;
}

/** `count` things need it, or it is needed until an instant. */
export type KeyNeed =
  | { readonly kind: 'current' }
  | { readonly kind: 'count'; readonly count: number; readonly of: string }
  | { readonly kind: 'until'; readonly until: Date; readonly over: boolean };

/** Access tokens are valid for this time. */
const TOKENS_LIVE_MS = 24 * 3_600_000;
/** Idempotency keys of requests that move no money are kept for this time; others are repeated within it as well. */
const REQUESTS_REPEATED_MS = 7 * 24 * 3_600_000;
/** A process that is replaced late makes values with the old key for this long after the first one uses the new key. */
const DEPLOYED_WITHIN_MS = 3_600_000;

/** Every key that is configured or was used, and whether something still needs it. Reads all sealed values. */
export async function reportKeys(
  deps: KeyReportDeps,
  configured: readonly ConfiguredKeys[],
): Promise<KeyUse[]> {
  const used = await deps.secretKeys.list();
  const sealed = await countByMasterKey(deps.sealedValues);
  const apiKeys = await deps.apiKeys.countByPepper();
  return Promise.all(
    configured.flatMap((keys) => {
      const known = used.filter(({ setting }) => setting === keys.setting);
      const ids = new Set([...keys.acceptedIds, ...known.map(({ keyId }) => keyId)]);
      return [...ids].map(async (keyId): Promise<KeyUse> => {
        const key = known.find((found) => found.keyId === keyId);
        const counts = { sealed: sealed.get(keyId) ?? 0, apiKeys: apiKeysOf(apiKeys, keyId) };
        return {
          setting: keys.setting,
          keyId,
          role: roleOf(keys, keyId),
          need: key === undefined ? null : await needOf(deps, key, counts),
        };
      });
    }),
  );
}

/** Those of which the pepper is not recorded may need any. */
function apiKeysOf(counts: readonly PepperUse[], keyId: string): number {
  return counts
    .filter(({ pepperId }) => pepperId === keyId || pepperId === null)
    .reduce((sum, { count }) => sum + count, 0);
}

function roleOf({ currentId, acceptedIds }: ConfiguredKeys, keyId: string): KeyUse['role'] {
  if (keyId === currentId) return 'current';
  return acceptedIds.includes(keyId) ? 'accepted' : 'not configured';
}

async function needOf(
  { countWorkflowsStartedBefore, now }: KeyReportDeps,
  { setting, replacedAt, retiredAt }: UsedKey,
  counts: { readonly sealed: number; readonly apiKeys: number },
): Promise<KeyNeed | null> {
  if (replacedAt === null) return { kind: 'current' };
  // A retired encryption key is counted all the same: a process that was replaced late may have used it since.
  if (retiredAt !== null && setting !== 'ENCRYPTION_KEYS') return null;
  const until = (afterMs: number): KeyNeed => {
    const end = new Date(+replacedAt + DEPLOYED_WITHIN_MS + afterMs);
    return { kind: 'until', until: end, over: now() >= end };
  };
  switch (setting) {
    case 'API_KEY_PEPPER':
      return { kind: 'count', count: counts.apiKeys, of: 'API keys that were not used since' };
    case 'CODEC_KEYS': {
      const count = await countWorkflowsStartedBefore(new Date(+replacedAt + DEPLOYED_WITHIN_MS));
      return { kind: 'count', count, of: 'workflows' };
    }
    case 'JWT_SECRET':
      return until(TOKENS_LIVE_MS);
    case 'REQUEST_HASH_KEY':
      return until(REQUESTS_REPEATED_MS);
    case 'FINGERPRINT_KEY':
      return until(LONGEST_WINDOW_MS);
    case 'ENCRYPTION_KEYS':
      return { kind: 'count', count: counts.sealed, of: 'stored values' };
    default:
      return assertNever(setting);
  }
}

/** Whether values are lost or refused if the key is removed now. */
export function isNeeded({ need }: Pick<KeyUse, 'need'>): boolean {
  if (need === null) return false;
  switch (need.kind) {
    case 'current':
      return true;
    case 'count':
      return need.count > 0;
    case 'until':
      return !need.over;
    default:
      return assertNever(need);
  }
}
