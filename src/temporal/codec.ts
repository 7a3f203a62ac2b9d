import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  METADATA_ENCODING_KEY,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
} from '@temporalio/common';
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
const WORKFLOW_ID = 'workflow-id';
/**
 * Replaces a payload that this service did not encrypt for its workflow. No converter reads this encoding, so reading the
 * value fails where it is used: an update is rejected, an activity fails. A codec that throws would fail every task of the
 * workflow instead, so that one forged update would stop it.
 */
const REFUSED: Payload = {
  metadata: { [METADATA_ENCODING_KEY]: Buffer.from('refused: not encrypted for this workflow') },
};

/**
 * Encrypts all payloads that Temporal stores: inputs, results, summaries and details. The format is that of Temporal's
 * encryption sample (nonce, ciphertext and tag in one field). Each payload is bound to its workflow: the workflow's id is
 * authenticated with it. The first key encrypts, all of them decrypt. Rotate a key long before it has encrypted 2^32
 * payloads (NIST SP 800-38D, 8.3).
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

  /** @throws if the payloads belong to no workflow, because they could be moved to any */
  async encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    const workflowId = context?.workflowId;
    if (workflowId === undefined) throw new Error('only payloads of a workflow can be encrypted');
    return payloads.map((payload) => ({
      metadata: {
        [METADATA_ENCODING_KEY]: Buffer.from(ENCODING),
        [KEY_ID]: Buffer.from(this.current.id),
        [WORKFLOW_ID]: Buffer.from(workflowId),
      },
      data: this.encrypt(temporal.api.common.v1.Payload.encode(payload).finish(), workflowId),
    }));
  }

  /** Refuses payloads that are not encrypted, not by this service, or for another workflow (`REFUSED`). */
  async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return payloads.map((payload) => {
      try {
        return context?.workflowId === undefined ? REFUSED : this.open(payload, context.workflowId);
      } catch {
        return REFUSED;
      }
    });
  }

  /**
   * Decrypts payloads of any workflow for support staff to read; never use it to act on them. A payload that is not
   * encrypted stays as it is.
   *
   * @throws if a payload was changed, moved to another workflow, or encrypted with an unknown key
   */
  read(payloads: readonly Payload[]): Payload[] {
    return payloads.map((payload) =>
      isEncrypted(payload) ? this.open(payload, text(payload.metadata?.[WORKFLOW_ID])) : payload,
    );
  }

  private open(payload: Payload, workflowId: string): Payload {
    const { metadata, data } = payload;
    if (!isEncrypted(payload) || !data) throw new Error('the payload is not encrypted');
    return temporal.api.common.v1.Payload.decode(this.decrypt(text(metadata?.[KEY_ID]), data, workflowId));
  }

  private encrypt(plaintext: Uint8Array, workflowId: string): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.current.key, nonce).setAAD(Buffer.from(workflowId));
    return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  }

  private decrypt(keyId: string, data: Uint8Array, workflowId: string): Uint8Array {
    const key = this.keys.get(keyId);
    if (key === undefined) throw new Error('no codec key has this id');
    if (data.length < NONCE_BYTES + TAG_BYTES) throw new Error('the payload is too short');
    const nonce = data.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(workflowId));
    decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
    return Buffer.concat([
      decipher.update(data.subarray(NONCE_BYTES, data.length - TAG_BYTES)),
      decipher.final(),
    ]);
  }
}

function isEncrypted({ metadata }: Payload): boolean {
  return text(metadata?.[METADATA_ENCODING_KEY]) === ENCODING;
}

function text(bytes: Uint8Array | null | undefined): string {
  return bytes ? Buffer.from(bytes).toString('utf8') : '';
}
