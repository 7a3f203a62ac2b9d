import type { ApiKeyScope } from './api-key-scope';
import type { AuthenticatedCompany } from './company';
import type { Mode } from '../shared/mode';

/** A company has at most this many valid keys of each mode: each of them is compared with a request's key. */
export const MAX_API_KEYS = 20;

/** A valid API key without the key itself, of which only a keyed hash is stored. */
export interface ApiKey {
  readonly id: number;
  readonly name: string;
  readonly mode: Mode;
  readonly scopes: readonly ApiKeyScope[];
  readonly createdAt: Date;
  /** To the minute; null if it was never used. */
  readonly lastUsedAt: Date | null;
}

/** The company and the key of a request with a valid key pair. */
export interface KeyHolder {
  readonly company: AuthenticatedCompany;
  readonly apiKey: Pick<ApiKey, 'id' | 'scopes'>;
}

/** The message of a 401 for a key pair: it does not say which half is wrong. */
export const WRONG_KEY_PAIR = 'X-Client-ID and X-API-Key are not a valid pair.';
