import {
  deliveryViolations,
  type RecordedDelivery,
  type ExpectedEnd,
  type ReceivedRequests,
} from './webhook-reconciliation';
import type { BenchEndpoint, WebhookPublisher } from './webhook-publisher';

export interface Drain {
  readonly deliveries: number;
  readonly seconds: number;
  /** Differences between the created deliveries, the database and the receiver's log. */
  readonly violations: readonly string[];
}

const DELIVERED: ExpectedEnd = { status: 'delivered', attempts: 1 };

/** A third of the receivers always fail, so that their deliveries make all attempts of the retry schedule. */
const RECEIVERS = ['/ok/drain-1', '/ok/drain-2', '/fail/drain'];

/**
 * Creates all deliveries, starts them at once, and waits until each is delivered or has failed for good. Then compares
 * them with the database and the receiver's log, by id and signature.
 */
export async function drain(
  publisher: WebhookPublisher,
  deliveries: number,
  attempts: number,
): Promise<Drain> {
  const share = Math.ceil(deliveries / RECEIVERS.length);
  const batches = await Promise.all(RECEIVERS.map((path) => prepare(publisher, path, share)));
  console.log(`Draining ${share * RECEIVERS.length} deliveries ...`);
  const startedAt = performance.now();
  await Promise.all(batches.map((batch) => publisher.startAll(batch.deliveries)));
  await publisher.untilNonePending(batches.map(({ endpoint }) => endpoint));
  const seconds = (performance.now() - startedAt) / 1_000;
  const violations: string[] = [];
  for (const { endpoint, path, deliveries: ofPath } of batches) {
    const ids = ofPath.map(({ id }) => id);
    const expected: ExpectedEnd = path.startsWith('/fail/') ? { status: 'failed', attempts } : DELIVERED;
    const received = await readLog(publisher, path);
    const problems = deliveryViolations(ids, await readDeliveries(publisher, endpoint), received, expected);
    violations.push(...problems.map((problem) => `${path}: ${problem}`));
  }
  return { deliveries: share * RECEIVERS.length, seconds, violations };
}

async function prepare(publisher: WebhookPublisher, path: string, share: number) {
  const endpoint = await publisher.addEndpoint(await publisher.createCompany(), path);
  const address = `${publisher.receiverUrl}/secret?path=${path}`;
  await fetch(address, { method: 'PUT', body: endpoint.secret });
  return { endpoint, path, deliveries: await publisher.publish(endpoint, share) };
}

async function readLog(
  { receiverUrl }: WebhookPublisher,
  path: string,
): Promise<Record<string, ReceivedRequests>> {
  const response = await fetch(`${receiverUrl}/log?path=${path}`);
  return (await response.json()) as Record<string, ReceivedRequests>;
}

function readDeliveries({ context }: WebhookPublisher, { id }: BenchEndpoint): Promise<RecordedDelivery[]> {
  return context.db.query<RecordedDelivery>(
    'SELECT id, status, retry_count AS "retryCount" FROM webhook_deliveries WHERE endpoint_id = $1',
    [id],
  );
}
