import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import { msToTs } from '@temporalio/common/lib/time';
import { setTimeout as delay } from 'node:timers/promises';
import { searchAttributeKeys } from '../../workflows/search-attributes';

/** Support staff read histories of closed workflows for weeks; the server's default retention is one day. */
const RETENTION = msToTs('30 days');
/** gRPC status codes, https://grpc.io/docs/guides/status-codes/ */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const AVAILABLE_WITHIN_MS = 60_000;
const RETRY_INTERVAL_MS = 100;

/**
 * Creates the namespace, sets its retention and registers missing search attributes. Returns when workflows can be
 * started with them. Idempotent, also when several processes run it concurrently.
 */
export async function setUpTemporal(connection: Connection, namespace: string): Promise<void> {
  await ensureNamespace(connection, namespace);
  await ensureSearchAttributes(connection, namespace);
  await waitUntilUsable(connection, namespace);
}

async function ensureNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  try {
    const { config } = await workflowService.describeNamespace({ namespace });
    if (config?.workflowExecutionRetentionTtl?.seconds?.eq(RETENTION.seconds ?? 0) === true) return;
    await workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: RETENTION },
    });
  } catch (error) {
    if (!hasCode(error, NOT_FOUND)) throw error;
    await ignoreAlreadyExists(
      workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: RETENTION }),
    );
  }
}

async function ensureSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const registered = await retryUntilAvailable(() =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  const missing = searchAttributeKeys.filter(({ name }) => !(name in registered.customAttributes));
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(
    missing.map(({ name, type }) => [name, encodeSearchAttributeIndexedValueType(type) ?? 0]),
  );
  await ignoreAlreadyExists(connection.operatorService.addSearchAttributes({ namespace, searchAttributes }));
}

/** The server's services see a new namespace and its attributes some seconds later; a query by every attribute proves it. */
async function waitUntilUsable({ workflowService }: Connection, namespace: string): Promise<void> {
  const query = searchAttributeKeys.map(({ name }) => `${name} IS NULL`).join(' AND ');
  await retryUntilAvailable(() => workflowService.countWorkflowExecutions({ namespace, query }));
}

async function retryUntilAvailable<T>(call: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + AVAILABLE_WITHIN_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(RETRY_INTERVAL_MS);
    }
  }
}

async function ignoreAlreadyExists(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!hasCode(error, ALREADY_EXISTS)) throw error;
  }
}

function hasCode(error: unknown, code: number): boolean {
  return isGrpcServiceError(error) && Number(error.code) === code;
}
