import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CustomerKey, PersonalDataCipher } from '../domain/customers/personal-data';
import type { SealedValue } from '../domain/shared/sealed-value';
import { encryptionContext } from './encryption-context';
import type { EnvelopeCipher } from './envelope';
import { keyedHash } from './keyed-hash';
import { byEachKey, type KeyedValues, type SecretKeys } from './secret-keys';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CACHED_KEYS = 10_000;

/**
 * Seals personal data with AES-256-GCM under each customer's own key, which the envelope cipher wraps. Unwrapped keys are
 * cached by their wrapped form: once that is erased from the database, no process can ask for the key again.
 */
export class CustomerDataCipher implements PersonalDataCipher {
  private readonly unwrapped = new LRUCache<string, Buffer>({ max: CACHED_KEYS });

  constructor(private readonly envelope: EnvelopeCipher) {}

  async newKey({ companyId, token }: Pick<CustomerKey, 'companyId' | 'token'>): Promise<SealedValue> {
    const key = randomBytes(KEY_BYTES);
    const sealed = await this.envelope.seal(
      key.toString('base64'),
      encryptionContext.customerKey(companyId, token),
    );
    this.unwrapped.set(cacheKeyOf(sealed), key);
    return sealed;
  }

  async seal(key: CustomerKey, value: object, record: string): Promise<string> {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, await this.unwrap(key), iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(record, 'utf8'));
    const ciphertext = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString('base64');
  }

  async open(key: CustomerKey, sealed: string, record: string): Promise<unknown> {
    const bytes = Buffer.from(sealed, 'base64');
    const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(-TAG_BYTES)];
    const decipher = createDecipheriv(ALGORITHM, await this.unwrap(key), iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(record, 'utf8'));
    decipher.setAuthTag(tag);
    const ciphertext = bytes.subarray(IV_BYTES, -TAG_BYTES);
    const text = Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    return JSON.parse(text) as unknown;
  }

  private async unwrap({ companyId, token, sealed }: CustomerKey): Promise<Buffer> {
    const cached = this.unwrapped.get(cacheKeyOf(sealed));
    if (cached !== undefined) return cached;
    const text = await this.envelope.open(sealed, encryptionContext.customerKey(companyId, token));
    const key = Buffer.from(text, 'base64');
    this.unwrapped.set(cacheKeyOf(sealed), key);
    return key;
  }
}

/** Keyed hashes by which a company's customers are found without storing what they are found by. The first one is stored. */
export function lookupHash(keys: SecretKeys) {
  return (companyId: number, field: 'email' | 'document' | 'name', value: string): KeyedValues =>
    byEachKey(keys, (key) => keyedHash(key, `customers:${companyId}:${field}:${value}`));
}

/** The tag is different for every wrapped key. */
function cacheKeyOf({ ciphertext, iv, tag }: SealedValue): string {
  return `${iv}.${ciphertext}.${tag}`;
}
