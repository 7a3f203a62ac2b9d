import { setTimeout as delay } from 'node:timers/promises';
import { Merchant, transactionIdOf, type MerchantOrder } from '../../support/merchant/merchant';
import { sendUntilFinal } from '../../support/merchant/requests';
import {
  compareWithLedger,
  readLedger,
  SELECT_RECORDED_PAYMENTS,
  verifyApproved,
  type RecordedPayment,
} from '../../support/scenarios/reconciliation';
import { waitUntil } from '../../../src/dev/wait-until';
import type { BenchProcessName } from '../support/bench-processes';
import type { BenchStack } from '../support/bench-stack';
import type { ReceivedRequests } from '../webhooks/webhook-reconciliation';
import type { WebhookPublisher } from '../webhooks/webhook-publisher';

export interface KilledReport {
  readonly payments: number;
  readonly webhooks: number;
  /** Orders whose first answer was none, or no result, because of a kill. */
  readonly resent: number;
  readonly violations: readonly string[];
}

const CALLERS = 8;
const PAUSE_MS = 4_000;
const DELIVERED_WITHIN_MS = 120_000;
const PATH = '/ok/killed';

/**
 * Card payments by two APIs; meanwhile kill -9 of an API and of a worker, which are started again. The merchant sends again,
 * with the same key, to the other API. Then compares its answers, the database, the simulator's ledger and the receiver.
 */
export async function killUnderLoad(
  stack: BenchStack,
  publisher: WebhookPublisher,
  apis: readonly [string, string],
  targets: readonly BenchProcessName[],
): Promise<KilledReport> {
  const { db } = publisher.context;
  const company = await stack.registerCompany();
  const merchants = [
    await Merchant.forCompany({ apiUrl: apis[0], db }, company, ['gateway_1', 'gateway_2']),
    await Merchant.forCompany({ apiUrl: apis[1], db }, company, ['gateway_1', 'gateway_2']),
  ] as const;
  const [{ companyId }] = merchants;
  const endpoint = await publisher.addEndpoint(companyId, PATH);
  await fetch(`${publisher.receiverUrl}/secret?path=${PATH}`, { method: 'PUT', body: endpoint.secret });
  const orders: MerchantOrder[] = [];
  const load = new AbortController();
  const caller = async (): Promise<void> => {
    while (!load.signal.aborted) {
      const order = merchants[0].order();
      orders.push(order);
      let sends = orders.length;
      await sendUntilFinal(
        () => ((sends += 1) % 2 === 0 ? merchants[0] : merchants[1]).sendOrder(order),
        order.outcomes,
      );
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, caller));
  for (const target of targets) {
    await delay(PAUSE_MS);
    console.log(`kill -9 of the ${target} at ${orders.length} payments`);
    stack.kill(target);
  }
  await delay(2 * PAUSE_MS);
  load.abort();
  await callers;
  await waitUntil('every webhook to be delivered', DELIVERED_WITHIN_MS, async () => {
    const row = await db.queryOne<{ remaining: number }>(
      `SELECT count(*) AS remaining FROM webhook_deliveries WHERE company_id = $1 AND status <> 'delivered'`,
      [companyId],
    );
    return row?.remaining === 0;
  });
  return report(stack, publisher, companyId, orders);
}

async function report(
  stack: BenchStack,
  { context: { db }, receiverUrl }: WebhookPublisher,
  companyId: number,
  orders: readonly MerchantOrder[],
): Promise<KilledReport> {
  const ids = orders.map((order) => transactionIdOf(order));
  const payments = await db.query<RecordedPayment>(`${SELECT_RECORDED_PAYMENTS} WHERE company_id = $1`, [
    companyId,
  ]);
  const own = new Set(payments.map(({ transactionId }) => transactionId));
  const entries = await readLedger(stack.simulatorUrl);
  const ours = entries.filter(({ reference }) => [...own].some((id) => reference.startsWith(id)));
  const deliveries = await db.query<{ id: string }>(
    `SELECT d.id FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
      WHERE d.company_id = $1 AND e.type = 'transaction.approved'`,
    [companyId],
  );
  const received = (await (await fetch(`${receiverUrl}/log?path=${PATH}`)).json()) as Record<
    string,
    ReceivedRequests
  >;
  const missing = deliveries.filter(({ id }) => received[`msg_${id}`] === undefined).length;
  const invalid = Object.values(received).filter(({ invalidSignatures }) => invalidSignatures > 0).length;
  return {
    payments: orders.length,
    webhooks: deliveries.length,
    resent: orders.filter(({ outcomes }) => outcomes.length > 1).length,
    violations: [
      ...verifyApproved(ids, payments, ours),
      ...(deliveries.length === ids.length
        ? []
        : [`${deliveries.length} webhooks for ${ids.length} payments`]),
      ...(missing === 0 ? [] : [`${missing} webhooks were not received`]),
      ...(invalid === 0 ? [] : [`${invalid} webhooks had no valid signature`]),
    ],
  };
}

/** Every payment of the run, of all its parts, against the ledger: nothing lost, nothing charged twice. */
export async function compareEverything(stack: BenchStack): Promise<string[]> {
  const payments = await stack.query<RecordedPayment>(SELECT_RECORDED_PAYMENTS);
  return compareWithLedger('database', payments, await readLedger(stack.simulatorUrl));
}
