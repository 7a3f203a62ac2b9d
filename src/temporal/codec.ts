import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';

/** A codec key: 32 bytes for AES-256. */
export interface CodecKey {
  readonly id: string;
  readonly key: Uint8Array;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';

/**
 * Encrypts all payloads that Temporal stores: inputs, results, summaries and details. The format is that of Temporal's
 * encryption sample (nonce, ciphertext and tag in one field), so its tools can read it. The first key encrypts, all of
 * them decrypt. Rotate a key long before it has encrypted 2^32 payloads (NIST SP 800-38D, 8.3).
 */
export class EncryptionCodec implements PayloadCodec {
  private readonly current: CodecKey;
  private readonly keys: ReadonlyMap<string, Uint8Array>;

  constructor(keys: readonly CodecKey[]) {
    const [current] = keys;
    if (current === undefined) throw new Error('the codec needs at least one key');
    this.current = current;
    this.keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => ({
      metadata: { [METADATA_ENCODING_KEY]: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(this.current.id) },
      data: this.encrypt(temporal.api.common.v1.Payload.encode(payload).finish()),
    }));
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => {
      const { metadata, data } = payload;
      if (!metadata || !data || text(metadata[METADATA_ENCODING_KEY]) !== ENCODING) return payload;
      return temporal.api.common.v1.Payload.decode(this.decrypt(text(metadata[KEY_ID]), data));
    });
  }

  private encrypt(plaintext: Uint8Array): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.current.key, nonce);
    return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  }

  private decrypt(keyId: string, data: Uint8Array): Uint8Array {
    const key = this.keys.get(keyId);
    if (key === undefined) throw new Error(`no codec key with id ${keyId}`);
    const decipher = createDecipheriv(CIPHER, key, data.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
    return Buffer.concat([
      decipher.update(data.subarray(NONCE_BYTES, data.length - TAG_BYTES)),
      decipher.final(),
    ]);
  }
}

function text(bytes: Uint8Array | null | undefined): string {
  return bytes ? Buffer.from(bytes).toString('utf8') : '';
}
