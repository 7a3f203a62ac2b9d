import { createWebhooks } from '../../../src/composition/api-companies';
import type { AppContext } from '../../../src/composition/app-context';
import { newTransactionId } from '../../../src/domain/shared/ids';
import { waitUntil } from '../../../src/dev/wait-until';
import type { DeliveryToStart } from '../../../src/persistence/webhooks/webhook-delivery-repository';
import { DeliveryWorkflows } from '../../../src/temporal/webhook-deliveries';
import { adminOf } from '../../support/fixtures/admin';
import type { BenchStack } from '../support/stack';

export const PAYLOAD = JSON.stringify({
  event: 'transaction.approved',
  sequence: 1,
  padding: 'x'.repeat(2_000),
});

const STARTERS = 32;
const EVENTS_IN_ONE_TRANSACTION = 100;
const DONE_WITHIN_MS = 3_600_000;

/** A webhook endpoint and the company it belongs to. */
export interface BenchEndpoint {
  readonly companyId: number;
  readonly id: number;
  readonly secret: string;
}

/** Companies, endpoints and events as the engine makes them, without payments. */
export class WebhookPublisher {
  readonly receiverUrl: string;
  private readonly workflows: DeliveryWorkflows;

  private constructor(
    private readonly stack: BenchStack,
    readonly parts: AppContext,
    receiverUrl: string,
  ) {
    this.receiverUrl = receiverUrl;
    this.workflows = new DeliveryWorkflows(parts.temporal, stack.config.temporal.taskQueue);
  }

  static async start(stack: BenchStack, parts: AppContext): Promise<WebhookPublisher> {
    return new WebhookPublisher(stack, parts, await stack.startWebhookReceiver());
  }

  /** A company that has no other endpoint. */
  async newCompany(): Promise<number> {
    await this.stack.registerCompany();
    return this.newestCompany();
  }

  async newestCompany(): Promise<number> {
    const [company] = await this.parts.db.query<{ id: number }>('SELECT max(id) AS id FROM companies');
    if (company === undefined) throw new Error('there is no company');
    return company.id;
  }

  async addEndpoint(companyId: number, path: string): Promise<BenchEndpoint> {
    const actor = await adminOf(this.parts, companyId);
    const { endpoint, secret } = await this.webhooks.webhookEndpoints.create(actor, {
      url: `${this.receiverUrl}${path}`,
      events: ['transaction.approved'],
      enabled: true,
    });
    return { companyId, id: endpoint.id, secret };
  }

  async turnOff({ companyId, id }: BenchEndpoint): Promise<void> {
    const actor = await adminOf(this.parts, companyId);
    await this.webhooks.webhookEndpoints.update(actor, id, { enabled: false });
  }

  /** Commits events for one endpoint; nobody has started their deliveries yet. */
  async publish(endpoint: BenchEndpoint, count: number): Promise<DeliveryToStart[]> {
    const born: DeliveryToStart[] = [];
    while (born.length < count) {
      await this.parts.db.inTransaction(async (tx) => {
        const events = Math.min(count - born.length, EVENTS_IN_ONE_TRANSACTION);
        for (let index = 0; index < events; index += 1) born.push(...(await this.publishOne(tx, endpoint)));
      });
    }
    return born;
  }

  /** What cannot be started is left to the sweeper, as the engine does it. */
  async startAll(deliveries: readonly DeliveryToStart[]): Promise<void> {
    const waiting = [...deliveries];
    const starter = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await this.workflows.ensureStarted(next).catch((error: unknown) => console.warn(String(error)));
      }
    };
    await Promise.all(Array.from({ length: STARTERS }, starter));
  }

  untilNonePending(endpoints: readonly BenchEndpoint[]): Promise<unknown> {
    return this.untilZero(
      `SELECT count(*) AS left FROM webhook_deliveries WHERE endpoint_id = ANY($1::bigint[]) AND status = 'pending'`,
      [endpoints.map(({ id }) => id)],
    );
  }

  untilZero(sql: string, values: readonly unknown[]): Promise<unknown> {
    const isZero = async (): Promise<boolean> =>
      (await this.parts.db.queryOne<{ left: number }>(sql, values))?.left === 0;
    return waitUntil('every delivery to end', DONE_WITHIN_MS, isZero, 20);
  }

  private async publishOne(
    tx: Parameters<AppContext['events']['publish']>[0],
    { companyId, id }: BenchEndpoint,
  ): Promise<DeliveryToStart[]> {
    const event = {
      companyId,
      resourceType: 'payment',
      resourceId: newTransactionId(),
      sequence: 1,
      type: 'transaction.approved',
      payload: PAYLOAD,
      createdAt: new Date(),
    } as const;
    return this.parts.events.publish(tx, event, id);
  }

  private get webhooks() {
    return createWebhooks(this.stack.config, this.parts, { warn: console.warn });
  }
}
