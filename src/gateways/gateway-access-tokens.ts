import { LRUCache } from 'lru-cache';

/** A token that a gateway gave for credentials (OAuth 2.0, RFC 6749 section 5.1). */
export interface GatewayAccessToken {
  readonly value: string;
  /** From its receipt on. */
  readonly expiresInMs: number;
}

interface StoredToken {
  value: Promise<string>;
  /** Epoch ms; Infinity while it is being requested. */
  renewAt: number;
}

/** The least recently used ones are forgotten first. */
const MAX_TOKENS = 10_000;
/** A token is renewed this long before it expires, or after half of its life if that is later. */
const MARGIN_MS = 60_000;

/** The access tokens of this process. Each is requested once, however many calls wait for it. */
export class GatewayAccessTokens {
  private readonly tokens = new LRUCache<string, StoredToken>({ max: MAX_TOKENS });

  constructor(private readonly now: () => number = Date.now) {}

  /** The token under `key`. A failed request is not kept: each call that waited for it fails, and the next asks again. */
  async get(key: string, request: () => Promise<GatewayAccessToken>): Promise<string> {
    const known = this.tokens.get(key);
    if (known !== undefined && this.now() < known.renewAt) return known.value;
    return this.request(key, request);
  }

  /** After a gateway refused this token. Leaves a newer one alone. */
  async forget(key: string, value: string): Promise<void> {
    const known = this.tokens.get(key);
    if (known === undefined || known.renewAt === Infinity) return;
    if ((await known.value) === value && this.tokens.get(key) === known) this.tokens.delete(key);
  }

  private request(key: string, request: () => Promise<GatewayAccessToken>): Promise<string> {
    const requested = request();
    const stored: StoredToken = { value: requested.then(({ value }) => value), renewAt: Infinity };
    this.tokens.set(key, stored);
    requested.then(
      ({ expiresInMs }) => (stored.renewAt = this.now() + Math.max(expiresInMs - MARGIN_MS, expiresInMs / 2)),
      () => this.tokens.get(key) === stored && this.tokens.delete(key),
    );
    return stored.value;
  }
}
