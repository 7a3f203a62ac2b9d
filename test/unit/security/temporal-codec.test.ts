import type { Payload, SerializationContext } from '@temporalio/common';
import { EncryptionCodec } from '../../../src/temporal/codec';

const KEY = { id: 'k1', key: Buffer.alloc(32, 7) };
const PLAIN: Payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"approved"') };
const codec = new EncryptionCodec([KEY]);

const workflow = (workflowId: string): SerializationContext => ({
  type: 'workflow',
  namespace: 'payments',
  workflowId,
});
const dataOf = ([payload]: readonly Payload[]) => Buffer.from(payload?.data ?? []).toString();
const encodingOf = ([payload]: readonly Payload[]) =>
  Buffer.from(payload?.metadata?.['encoding'] ?? []).toString();

describe('the codec of Temporal payloads', () => {
  it('decrypts a payload for its workflow and the activities of that workflow', async () => {
    const encoded = await codec.encode([PLAIN], workflow('payment/1'));
    expect(Buffer.from(encoded[0]?.data ?? []).toString()).not.toContain('approved');
    expect(dataOf(await codec.decode(encoded, workflow('payment/1')))).toBe('"approved"');
    const activity = {
      type: 'activity',
      namespace: 'payments',
      workflowId: 'payment/1',
      isLocal: false,
    } as const;
    expect(dataOf(await codec.decode(encoded, activity))).toBe('"approved"');
  });

  it.each<[string, () => Promise<Payload[]> | Payload[]]>([
    ['is not encrypted', () => [PLAIN]],
    ['was encrypted for another workflow', () => codec.encode([PLAIN], workflow('payment/2'))],
    ['was encrypted with another key', () => otherKey().encode([PLAIN], workflow('payment/1'))],
    ['was changed', async () => [changed((await codec.encode([PLAIN], workflow('payment/1')))[0])]],
    [
      'claims to be encrypted and is too short',
      () => [{ ...PLAIN, metadata: { encoding: Buffer.from('binary/encrypted') } }],
    ],
  ])('refuses a payload that %s: no converter can read what it returns', async (_, make) => {
    const decoded = await codec.decode(await make(), workflow('payment/1'));
    expect(dataOf(decoded)).toBe('');
    expect(encodingOf(decoded)).toMatch(/^refused/);
  });

  it('refuses every payload that belongs to no workflow, and encrypts none', async () => {
    const encoded = await codec.encode([PLAIN], workflow('payment/1'));
    expect(encodingOf(await codec.decode(encoded))).toMatch(/^refused/);
    await expect(codec.encode([PLAIN])).rejects.toThrow('only payloads of a workflow');
  });

  it('shows support staff payloads of any workflow, but none that was moved to another one', async () => {
    const encoded = await codec.encode([PLAIN], workflow('payment/1'));
    expect(dataOf(codec.read(encoded))).toBe('"approved"');
    const moved = encoded.map((payload) => ({
      ...payload,
      metadata: { ...payload.metadata, 'workflow-id': Buffer.from('payment/2') },
    }));
    expect(() => codec.read(moved)).toThrow();
  });
});

/** Another key under the same id. */
function otherKey(): EncryptionCodec {
  return new EncryptionCodec([{ ...KEY, key: Buffer.alloc(32, 8) }]);
}

function changed(payload: Payload = {}): Payload {
  const data = Buffer.from(payload.data ?? []);
  data.writeUInt8(data.readUInt8(20) ^ 1, 20);
  return { ...payload, data };
}
