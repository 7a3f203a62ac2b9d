import type { AuditActor } from '../../domain/companies/audit-actor';
import { ApiError, notFound } from '../../domain/shared/errors';
import { newTestEventId, parseDeliveryId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import { TEST_EVENT, type SubscribableEvent } from '../../domain/webhooks/webhook-event';
import { requeueFailed } from '../../persistence/webhooks/failed-deliveries';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { EventRepository } from '../../persistence/webhooks/event-repository';
import type {
  DeliveryToStart,
  DeliveryWithAttempts,
  WebhookDeliveryRepository,
} from '../../persistence/webhooks/webhook-delivery-repository';
import type {
  WebhookEndpoint,
  WebhookEndpointRepository,
} from '../../persistence/webhooks/webhook-endpoint-repository';
import type {
  DeliveryFilter,
  DeliveryList,
  ListedDelivery,
} from '../../persistence/read-models/delivery-list';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { Creation } from '../shared/create-once';
import type { DeliveryWorkflows } from '../../temporal/webhook-deliveries';

export interface WebhookDeliveriesDeps {
  readonly db: Database;
  readonly events: EventRepository;
  readonly audit: AuditRepository;
  readonly endpoints: WebhookEndpointRepository;
  readonly deliveries: WebhookDeliveryRepository;
  readonly deliveryList: DeliveryList;
  readonly workflows: Pick<DeliveryWorkflows, 'resend'>;
  /** Starts the workflows of committed deliveries in the background. The sweeper starts those that it does not. */
  readonly startDeliveries: (deliveries: readonly DeliveryToStart[]) => void;
  /** Reports that the delivery's workflow was not started; the sweeper will retry. */
  readonly reportError: (error: unknown) => void;
  readonly now: () => Date;
}

/** The most deliveries that one request sends again. */
const MAX_RESENT = 1_000;

/** What a bulk resend has done. */
export interface BulkResend {
  readonly resent: number;
  /** Failed deliveries that match and were not taken. */
  readonly remaining: number;
}

/** Lists and resends the deliveries to a company's endpoints. */
export class WebhookDeliveries {
  constructor(private readonly deps: WebhookDeliveriesDeps) {}

  /** @throws ApiError `not_found` */
  async list(
    companyId: number,
    endpointId: number,
    filter: DeliveryFilter,
    page: PageRequest,
  ): Promise<Page<ListedDelivery>> {
    if ((await this.deps.endpoints.find(companyId, endpointId)) === null) throw notFound();
    return this.deps.deliveryList.load(endpointId, filter, page);
  }

  /**
   * Sends an event again now under the same id, whatever the delivery's status. If the attempt fails, the remaining retries
   * of the schedule follow.
   *
   * @throws ApiError `not_found`; `invalid_state` while the endpoint is disabled
   */
  async resend(actor: AuditActor, endpointId: number, id: string): Promise<DeliveryWithAttempts> {
    const deliveryId = parseDeliveryId(id);
    if (deliveryId === null) throw notFound();
    return this.send(actor, endpointId, async (tx) => {
      const due = await this.deps.deliveries.requeue(tx, endpointId, deliveryId, this.deps.now());
      if (due === null) return null;
      await this.deps.audit.insert(tx, {
        ...actor,
        action: 'webhook_delivery.resend',
        subjectType: 'webhook_delivery',
        subjectId: due.id,
        changes: { webhook_endpoint_id: endpointId },
      });
      return due;
    });
  }

  /**
   * Sends the endpoint's oldest failed deliveries again after the commit, at most 1,000 of one event or of all. What is being
   * sent is no longer failed, so repeating it sends nothing twice. @throws ApiError as `resend`
   */
  resendFailed(actor: AuditActor, endpointId: number, event: SubscribableEvent | null): Creation<BulkResend> {
    const { db, endpoints, audit, startDeliveries, now } = this.deps;
    return async (tx) => {
      assertEnabled(await endpoints.lock(tx, actor.companyId, endpointId));
      const choice = { endpointId, event, limit: MAX_RESENT };
      const { due, remaining } = await requeueFailed(db, tx, choice, now());
      await audit.insert(tx, {
        ...actor,
        action: 'webhook_endpoint.resend_failed',
        subjectType: 'webhook_endpoint',
        subjectId: String(endpointId),
        changes: { resent: due.length, ...(event !== null && { event }) },
      });
      tx.afterCommit(() => startDeliveries(due));
      return { resent: due.length, remaining };
    };
  }

  /** Sends a test event once, to this endpoint only, after the commit. @throws ApiError as `resend` */
  test(actor: AuditActor, endpointId: number): Creation<DeliveryWithAttempts> {
    const { companyId } = actor;
    const createdAt = this.deps.now();
    return async (tx) => {
      assertEnabled(await this.deps.endpoints.lock(tx, companyId, endpointId));
      const [created] = await this.deps.events.publish(
        tx,
        {
          companyId,
          subject: { type: 'test', id: newTestEventId() },
          sequence: 1,
          type: TEST_EVENT,
          content: { created_at: createdAt.toISOString() },
          personal: null,
          createdAt,
        },
        { endpointId },
      );
      if (created === undefined) throw notFound();
      await this.deps.audit.insert(tx, {
        ...actor,
        action: 'webhook_endpoint.test',
        subjectType: 'webhook_endpoint',
        subjectId: String(endpointId),
        changes: { webhook_delivery_id: created.id },
      });
      tx.afterCommit(() => this.deps.workflows.resend(created).catch(this.deps.reportError));
      const subject = { transactionId: null, subscriptionId: null };
      return { ...created, ...subject, createdAt, deliveredAt: null, attempts: [] };
    };
  }

  private async send(
    { companyId }: AuditActor,
    endpointId: number,
    makeDue: (tx: Tx) => Promise<DeliveryToStart | null>,
  ): Promise<DeliveryWithAttempts> {
    const due = await this.deps.db.inTransaction(async (tx) => {
      assertEnabled(await this.deps.endpoints.lock(tx, companyId, endpointId));
      return makeDue(tx);
    });
    if (due === null) throw notFound();
    const delivery = await this.deps.deliveries.find(endpointId, due.id);
    if (delivery === null) throw new Error('the delivery was not found after its commit');
    await this.deps.workflows.resend(due).catch(this.deps.reportError);
    return delivery;
  }
}

function assertEnabled(endpoint: WebhookEndpoint | null): void {
  if (endpoint === null) throw notFound();
  if (!endpoint.enabled) throw new ApiError('invalid_state', 'The endpoint is disabled.');
}
