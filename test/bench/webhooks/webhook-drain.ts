import {
  deliveryViolations,
  type BookedDelivery,
  type ExpectedEnd,
  type ResolveStatus,
} from './webhook-reconciliation';
import type { BenchEndpoint, WebhookPublisher } from './webhook-publisher';

export interface Drain {
  readonly deliveries: number;
  readonly seconds: number;
  /** What is wrong, in words; nothing when every delivery is accounted for. */
  readonly violations: readonly string[];
}

const DELIVERED: ExpectedEnd = { status: 'delivered', attempts: 1 };

/** A third of the receivers fail every time, so that their deliveries are tried as often as the schedule has it. */
const RECEIVERS = ['/ok/drain-1', '/ok/drain-2', '/fail/drain'];

/**
 * Born together, started together: ends when every delivery has arrived or was tried as often as it may be. Then each is
 * looked for in the database and in its receiver's own log, by its id and with its endpoint's signature.
 */
export async function drain(
  publisher: WebhookPublisher,
  deliveries: number,
  attempts: number,
): Promise<Drain> {
  const share = Math.ceil(deliveries / RECEIVERS.length);
  const born = await Promise.all(RECEIVERS.map((path) => prepare(publisher, path, share)));
  console.log(`Draining ${share * RECEIVERS.length} deliveries ...`);
  const startedAt = performance.now();
  await Promise.all(born.map((each) => publisher.startAll(each.deliveries)));
  await publisher.untilNonePending(born.map(({ endpoint }) => endpoint));
  const seconds = (performance.now() - startedAt) / 1_000;
  const violations: string[] = [];
  for (const { endpoint, path, deliveries: ofPath } of born) {
    const ids = ofPath.map(({ id }) => id);
    const expected: ExpectedEnd = path.startsWith('/fail/') ? { status: 'failed', attempts } : DELIVERED;
    const heard = await readLog(publisher, path);
    const wrong = deliveryViolations(ids, await readBooks(publisher, endpoint), heard, expected);
    violations.push(...wrong.map((problem) => `${path}: ${problem}`));
  }
  return { deliveries: share * RECEIVERS.length, seconds, violations };
}

async function prepare(publisher: WebhookPublisher, path: string, share: number) {
  const endpoint = await publisher.addEndpoint(await publisher.newCompany(), path);
  const address = `${publisher.receiverUrl}/secret?path=${path}`;
  await fetch(address, { method: 'PUT', body: endpoint.secret });
  return { endpoint, path, deliveries: await publisher.publish(endpoint, share) };
}

async function readLog(
  { receiverUrl }: WebhookPublisher,
  path: string,
): Promise<Record<string, ResolveStatus>> {
  const response = await fetch(`${receiverUrl}/log?path=${path}`);
  return (await response.json()) as Record<string, ResolveStatus>;
}

function readBooks({ parts }: WebhookPublisher, { id }: BenchEndpoint): Promise<BookedDelivery[]> {
  return parts.db.query<BookedDelivery>(
    'SELECT id, status, retry_count AS "retryCount" FROM webhook_deliveries WHERE endpoint_id = $1',
    [id],
  );
}
