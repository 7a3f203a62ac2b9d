import { z } from 'zod';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { CallbackKeySource, RawCallback } from '../callback';
import { GatewayError } from '../errors';
import type { GatewayHttp } from '../http';
import { parseJson } from '../parse-json';
import type { GatewayRegistry } from '../registry';

interface KnownKeys {
  /** JSON texts of JWKs by their ids. */
  readonly keys: ReadonlyMap<string, string>;
  /** Epoch ms. */
  readonly readAt: number;
}

/** Anybody can send a callback that names an unknown key. */
const SHORTEST_PAUSE_MS = 60_000;
/** A key that the gateway no longer publishes is forgotten after this time. */
const RENEWED_AFTER_MS = 24 * 60 * 60 * 1000;
const TIMEOUT_MS = 3_000;
const MAX_KEYS = 20;
const MAX_KEY_LENGTH = 4_096;

const keySet = z.object({ keys: z.array(z.looseObject({ kid: z.string().min(1).max(200) })) });

/**
 * The published keys of gateways, in this process. A set is read when a callback names a key that is not known, and once a day, but not
 * more often than once a minute. While it cannot be read, the known keys stay.
 */
export class CallbackKeys {
  private readonly known = new Map<GatewaySlug, KnownKeys>();
  private readonly reading = new Map<GatewaySlug, Promise<void>>();
  private readonly triedAt = new Map<GatewaySlug, number>();

  constructor(
    private readonly registry: Pick<GatewayRegistry, 'driver' | 'endpoints'>,
    private readonly http: Pick<GatewayHttp, 'call'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** The keys as secrets for `verifyCallback`: JSON texts. None if the gateway publishes none, or the callback is not signed. */
  async secretsFor(slug: GatewaySlug, raw: Pick<RawCallback, 'headers'>): Promise<readonly string[]> {
    const source = this.registry.driver(slug).callbackKeys;
    const keyId = source?.keyId(raw) ?? null;
    if (source === undefined || keyId === null) return [];
    if (!this.isKnown(slug, keyId)) await this.read(slug, source);
    return this.knownKeys(slug);
  }

  /** Those that were read for other callbacks. Nothing is requested. */
  knownKeys(slug: GatewaySlug): readonly string[] {
    return [...(this.known.get(slug)?.keys.values() ?? [])];
  }

  private isKnown(slug: GatewaySlug, keyId: string): boolean {
    const known = this.known.get(slug);
    return known !== undefined && known.keys.has(keyId) && this.now() < known.readAt + RENEWED_AFTER_MS;
  }

  /** Once at a time, however many callbacks wait for it. */
  private read(slug: GatewaySlug, source: CallbackKeySource): Promise<void> {
    const running = this.reading.get(slug);
    if (running !== undefined) return running;
    if (this.now() < (this.triedAt.get(slug) ?? -Infinity) + SHORTEST_PAUSE_MS) return Promise.resolve();
    this.triedAt.set(slug, this.now());
    const started = this.request(slug, source).finally(() => this.reading.delete(slug));
    this.reading.set(slug, started);
    return started;
  }

  private async request(slug: GatewaySlug, source: CallbackKeySource): Promise<void> {
    const call = this.http.call({ timeoutMs: TIMEOUT_MS, clientCertificate: null });
    const url = source.url(this.registry.endpoints(slug));
    try {
      const { status, text } = await call.send({
        method: 'GET',
        url,
        headers: { accept: 'application/json' },
        sendBefore: null,
      });
      const keys = status === 200 ? keysIn(text) : null;
      if (keys !== null) this.known.set(slug, { keys, readAt: this.now() });
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
    }
  }
}

/** Null if it is no key set, or an empty one. */
function keysIn(text: string): ReadonlyMap<string, string> | null {
  const set = keySet.safeParse(parseJson(text));
  if (!set.success) return null;
  const entries = set.data.keys
    .slice(0, MAX_KEYS)
    .map((key) => [key.kid, JSON.stringify(key)] as const)
    .filter(([, key]) => key.length <= MAX_KEY_LENGTH);
  return entries.length === 0 ? null : new Map(entries);
}
