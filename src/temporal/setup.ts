import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import { msToTs } from '@temporalio/common/lib/time';
import { setTimeout as delay } from 'node:timers/promises';
import { searchAttributeKeys } from '../../workflows/search-attributes';

/** How long a closed workflow's history can still be read: support staff look weeks back. The server's default is a day. */
const RETENTION = msToTs('30 days');
/** gRPC status codes, https://grpc.io/docs/guides/status-codes/ */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const SETTLED_WITHIN_MS = 60_000;
const ASK_AGAIN_AFTER_MS = 100;

/**
 * Makes the namespace, sets its retention and registers the search attributes, as far as that is not done; returns
 * when workflows can be started with them. Safe to run again, and by several at once.
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
    await unlessThere(
      workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: RETENTION }),
    );
  }
}

async function ensureSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const registered = await settled(() => connection.operatorService.listSearchAttributes({ namespace }));
  const missing = searchAttributeKeys.filter(({ name }) => !(name in registered.customAttributes));
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(
    missing.map(({ name, type }) => [name, encodeSearchAttributeIndexedValueType(type) ?? 0]),
  );
  await unlessThere(connection.operatorService.addSearchAttributes({ namespace, searchAttributes }));
}

/** The server's services learn of a namespace and its attributes some seconds later; a query by each of them tells. */
async function waitUntilUsable({ workflowService }: Connection, namespace: string): Promise<void> {
  const query = searchAttributeKeys.map(({ name }) => `${name} IS NULL`).join(' AND ');
  await settled(() => workflowService.countWorkflowExecutions({ namespace, query }));
}

async function settled<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(ASK_AGAIN_AFTER_MS);
    }
  }
}

async function unlessThere(done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!hasCode(error, ALREADY_EXISTS)) throw error;
  }
}

function hasCode(error: unknown, code: number): boolean {
  return isGrpcServiceError(error) && Number(error.code) === code;
}
