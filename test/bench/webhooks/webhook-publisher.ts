import { createWebhooks } from '../../../src/composition/api-companies';
import type { AppContext } from '../../../src/composition/app-context';
import { newTransactionId } from '../../../src/domain/shared/ids';
import { waitUntil } from '../../../src/dev/wait-until';
import type { DeliveryToStart } from '../../../src/persistence/webhooks/webhook-delivery-repository';
import { DeliveryWorkflows } from '../../../src/temporal/webhook-deliveries';
import { adminOf } from '../../support/fixtures/admin';
import type { BenchStack } from '../support/bench-stack';

const CONTENT = { padding: 'x'.repeat(2_000) };
export const PAYLOAD = JSON.stringify({ event: 'transaction.approved', sequence: 1, ...CONTENT });

const CONCURRENT_STARTS = 32;
const EVENTS_PER_TRANSACTION = 100;
const FINISHED_WITHIN_MS = 3_600_000;

/** A webhook endpoint and the company it belongs to. */
export interface BenchEndpoint {
  readonly companyId: number;
  readonly id: number;
  readonly secret: string;
}

/** Passes a publisher to `work`, and closes its connections in any case. */
export function withPublisher<Result>(
  stack: BenchStack,
  work: (publisher: WebhookPublisher) => Promise<Result>,
): Promise<Result> {
  return stack.withAppContext(async (context) => work(await WebhookPublisher.start(stack, context)));
}

/** Creates companies, endpoints and events with the service's own code, without payments. */
export class WebhookPublisher {
  readonly receiverUrl: string;
  private readonly workflows: DeliveryWorkflows;

  private constructor(
    private readonly stack: BenchStack,
    readonly context: AppContext,
    receiverUrl: string,
  ) {
    this.receiverUrl = receiverUrl;
    this.workflows = new DeliveryWorkflows(context.temporal, stack.config.temporal.taskQueue);
  }

  static async start(stack: BenchStack, context: AppContext): Promise<WebhookPublisher> {
    return new WebhookPublisher(stack, context, await stack.startWebhookReceiver());
  }

  /** Returns the number of a new company without endpoints. */
  async createCompany(): Promise<number> {
    await this.stack.registerCompany();
    return this.newestCompany();
  }

  async newestCompany(): Promise<number> {
    const [company] = await this.context.db.query<{ id: number }>('SELECT max(id) AS id FROM companies');
    if (company === undefined) throw new Error('no company is registered');
    return company.id;
  }

  async addEndpoint(companyId: number, path: string): Promise<BenchEndpoint> {
    const actor = await adminOf(this.context, companyId);
    const create = await this.webhooks.webhookEndpoints.create(actor, {
      url: `${this.receiverUrl}${path}`,
      events: ['transaction.approved'],
      enabled: true,
    });
    const { endpoint, secret } = await this.context.db.inTransaction(create);
    return { companyId, id: endpoint.id, secret };
  }

  async setEnabled({ companyId, id }: BenchEndpoint, enabled: boolean): Promise<void> {
    const actor = await adminOf(this.context, companyId);
    await this.webhooks.webhookEndpoints.update(actor, id, { enabled });
  }

  /** Commits events for one endpoint; returns their deliveries, which have not been started. */
  async publish(endpoint: BenchEndpoint, count: number): Promise<DeliveryToStart[]> {
    const deliveries: DeliveryToStart[] = [];
    while (deliveries.length < count) {
      await this.context.db.inTransaction(async (tx) => {
        const events = Math.min(count - deliveries.length, EVENTS_PER_TRANSACTION);
        for (let index = 0; index < events; index += 1)
          deliveries.push(...(await this.publishOne(tx, endpoint)));
      });
    }
    return deliveries;
  }

  /** Starts the deliveries. The sweeper starts those for which that fails, as in the service. */
  async startAll(deliveries: readonly DeliveryToStart[]): Promise<void> {
    const waiting = [...deliveries];
    const starter = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await this.workflows.ensureStarted(next).catch((error: unknown) => console.warn(String(error)));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_STARTS }, starter));
  }

  untilNonePending(endpoints: readonly BenchEndpoint[]): Promise<unknown> {
    return this.untilZero(
      `SELECT count(*) AS remaining FROM webhook_deliveries WHERE endpoint_id = ANY($1::bigint[]) AND status = 'pending'`,
      [endpoints.map(({ id }) => id)],
    );
  }

  untilZero(sql: string, values: readonly unknown[]): Promise<unknown> {
    const isZero = async (): Promise<boolean> =>
      (await this.context.db.queryOne<{ remaining: number }>(sql, values))?.remaining === 0;
    return waitUntil('every delivery to finish', FINISHED_WITHIN_MS, isZero, 20);
  }

  private async publishOne(
    tx: Parameters<AppContext['events']['publish']>[0],
    { companyId, id }: BenchEndpoint,
  ): Promise<DeliveryToStart[]> {
    const event = {
      companyId,
      subject: { type: 'payment', id: newTransactionId() },
      sequence: 1,
      type: 'transaction.approved',
      content: CONTENT,
      personal: null,
      createdAt: new Date(),
    } as const;
    return this.context.events.publish(tx, event, { endpointId: id });
  }

  private get webhooks() {
    return createWebhooks(this.stack.config, this.context, { warn: console.warn });
  }
}
