import { decodeProtectedHeader, flattenedDecrypt, FlattenedEncrypt, type FlattenedJWE } from 'jose';
import { LRUCache } from 'lru-cache';
import type { SealedValue } from '../domain/shared/sealed-value';

/** A master key: 32 bytes for AES-256. */
export interface MasterKey {
  readonly id: string;
  readonly key: Uint8Array;
}

const ALGORITHM = 'A256GCMKW';
const ENCRYPTION = 'A256GCM';
const KEPT_SECRETS = 2_000;
/** After this a secret is decrypted again. One that is not used again stays in memory until another needs its place. */
const KEPT_MS = 10 * 60 * 1000;

/**
 * Envelope encryption with JWE: a master key wraps each value's own data key (AES-256-GCM for both). The first master key
 * encrypts, all of them decrypt, so that keys can be rotated without downtime. The additional authenticated data binds a
 * value to its record: in another row or column it does not decrypt.
 */
export class EnvelopeCipher {
  private readonly current: MasterKey;
  private readonly keys: ReadonlyMap<string, Uint8Array>;
  /** Keyed by the encryption context and the whole sealed value, so that nobody reads a secret without both. */
  private readonly opened = new LRUCache<string, string>({ max: KEPT_SECRETS, ttl: KEPT_MS });

  constructor(keys: readonly MasterKey[]) {
    const [current] = keys;
    if (current === undefined) throw new Error('the envelope cipher needs at least one key');
    this.current = current;
    this.keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** Whether the key that encrypts today encrypted the value. */
  isCurrent(sealed: SealedValue): boolean {
    return masterKeyIdOf(sealed) === this.current.id;
  }

  async seal(plaintext: string, aad: string): Promise<SealedValue> {
    const sealed = await new FlattenedEncrypt(Buffer.from(plaintext, 'utf8'))
      .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION, kid: this.current.id })
      .setAdditionalAuthenticatedData(Buffer.from(aad, 'utf8'))
      .encrypt(this.current.key);
    const { protected: header, encrypted_key, iv, ciphertext, tag } = sealed;
    if (!header || !encrypted_key || !iv || !tag) throw new Error('incomplete encryption');
    return { protected: header, encrypted_key, iv, ciphertext, tag };
  }

  /** Throws if the value was altered, belongs to another record, or needs a key that this process does not have. */
  async open(sealed: SealedValue, aad: string): Promise<string> {
    const jwe: FlattenedJWE = { ...sealed, aad: Buffer.from(aad, 'utf8').toString('base64url') };
    const opened = await flattenedDecrypt(jwe, (header) => this.masterKey(header?.kid), {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
    });
    return Buffer.from(opened.plaintext).toString('utf8');
  }

  /**
   * The same for a secret that many requests use, such as a gateway's. It stays in memory, so that it is decrypted once: never
   * call it for card data. A secret that was replaced or erased in the database cannot be asked for any more.
   */
  async openOften(sealed: SealedValue, aad: string): Promise<string> {
    const key = JSON.stringify([
      aad,
      sealed.protected,
      sealed.encrypted_key,
      sealed.iv,
      sealed.ciphertext,
      sealed.tag,
    ]);
    const kept = this.opened.get(key);
    if (kept !== undefined) return kept;
    const opened = await this.open(sealed, aad);
    this.opened.set(key, opened);
    return opened;
  }

  private masterKey(id: string | undefined): Uint8Array {
    const key = this.keys.get(id ?? '');
    if (key === undefined) throw new Error(`no encryption key with id ${id ?? '(none)'}`);
    return key;
  }
}

/** The id of the master key that a value needs. */
export function masterKeyIdOf(sealed: SealedValue): string {
  return decodeProtectedHeader(sealed).kid ?? '';
}
