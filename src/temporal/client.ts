import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { EncryptionCodec, type CodecKey } from './codec';

/** The same in every process: what one encrypts the others read. */
export function createDataConverter(keys: readonly CodecKey[]): DataConverter {
  return {
    payloadCodecs: [new EncryptionCodec(keys)],
    failureConverterPath: require.resolve('./failure-converter'),
  };
}

export interface TemporalAddress {
  readonly address: string;
  readonly namespace: string;
}

/** Connects at the first call, so that a process starts and answers `unavailable` while Temporal is down. */
export function createTemporalClient(
  { address, namespace }: TemporalAddress,
  dataConverter: DataConverter,
): Client {
  return new Client({ connection: Connection.lazy({ address }), namespace, dataConverter });
}

/** Resolves when Temporal answers; throws when it does not within `timeoutMs`. */
export async function checkTemporal(client: Client, timeoutMs: number): Promise<void> {
  const { connection } = client;
  if (!(connection instanceof Connection)) return;
  await connection.withDeadline(Date.now() + timeoutMs, () => connection.workflowService.getSystemInfo({}));
}
