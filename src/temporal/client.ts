import { Client, Connection, type ConnectionLike } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { noSpans, type Spans } from '../tracing/spans';
import { EncryptionCodec, type CodecKey } from './codec';
import { lazyConnection } from './connection';
import { tracingInterceptors } from './tracing-interceptors';

/** Every process uses this converter, so that each can decrypt what another encrypted. */
export function createDataConverter(keys: readonly CodecKey[]): DataConverter {
  return {
    payloadCodecs: [new EncryptionCodec(keys)],
    failureConverterPath: require.resolve('./failure-converter'),
  };
}

/** Limits starts and signals, so that an unresponsive Temporal does not block the sweeper or a caller. */
export const START_TIMEOUT_MS = 5_000;

/** A request with less time left for the start of its workflow, because it needed the rest before, gets more. */
const LEAST_START_MS = 500;
const LATE_START_MS = 2_000;

/**
 * Until when to wait for a workflow that the call may start. A call whose deadline has passed would not start it, and the
 * payment would wait for the sweeper.
 */
export function withTimeToStart(deadline: Date, now = Date.now()): number {
  const isLate = deadline.getTime() < now + LEAST_START_MS;
  return isLate ? now + LATE_START_MS : deadline.getTime();
}

export interface TemporalAddress {
  readonly address: string;
  readonly namespace: string;
}

export function createTemporalClient(
  { address, namespace }: TemporalAddress,
  dataConverter: DataConverter,
  spans: Spans = noSpans,
): Client {
  return createClient(lazyConnection(address), namespace, dataConverter, spans);
}

/** A client on a connection that exists, for example that of a worker. */
export function createClient(
  connection: ConnectionLike,
  namespace: string,
  dataConverter: DataConverter,
  spans: Spans,
): Client {
  return new Client({ connection, namespace, dataConverter, interceptors: tracingInterceptors(spans) });
}

/** Throws if Temporal does not answer within `timeoutMs`. */
export async function checkTemporal(client: Client, timeoutMs: number): Promise<void> {
  const { connection } = client;
  if (!(connection instanceof Connection)) return;
  await connection.withDeadline(Date.now() + timeoutMs, () => connection.workflowService.getSystemInfo({}));
}

/** How many workflows were started before, open ones and closed ones that the server still keeps. */
export async function countWorkflowsStartedBefore({ workflow }: Client, instant: Date): Promise<number> {
  return (await workflow.count(`StartTime < "${instant.toISOString()}"`)).count;
}
