import type { AuditActor } from '../../domain/companies/audit-actor';
import { ApiError, notFound } from '../../domain/shared/errors';
import { newTestEventId, parseDeliveryId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import { TEST_EVENT } from '../../domain/webhooks/webhook-event';
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
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { DeliveryWorkflows } from '../../temporal/webhook-deliveries';

export interface WebhookDeliveriesDeps {
  readonly db: Database;
  readonly events: EventRepository;
  readonly audit: AuditRepository;
  readonly endpoints: WebhookEndpointRepository;
  readonly deliveries: WebhookDeliveryRepository;
  readonly workflows: Pick<DeliveryWorkflows, 'resend'>;
  /** The delivery is due, and its workflow still asleep: a sweeper starts it. */
  readonly reportError: (error: unknown) => void;
  readonly now: () => Date;
}

/** What was sent to a company's endpoints, and sending it again. */
export class WebhookDeliveries {
  constructor(private readonly deps: WebhookDeliveriesDeps) {}

  /** @throws ApiError `not_found` */
  async list(companyId: number, endpointId: number, page: PageRequest): Promise<Page<DeliveryWithAttempts>> {
    if ((await this.deps.endpoints.find(companyId, endpointId)) === null) throw notFound();
    return this.deps.deliveries.list(endpointId, page);
  }

  /**
   * Has an event sent again now, under the same id, whatever became of it before. An attempt that fails is followed by
   * those that the schedule has left.
   *
   * @throws ApiError `not_found`; `invalid_state` while the endpoint is turned off
   */
  async resend(actor: AuditActor, endpointId: number, id: string): Promise<DeliveryWithAttempts> {
    const deliveryId = parseDeliveryId(id);
    if (deliveryId === null) throw notFound();
    return this.send(actor, endpointId, async (tx) => {
      const due = await this.deps.deliveries.reopen(tx, endpointId, deliveryId, this.deps.now());
      if (due === null) return null;
      await this.deps.audit.record(tx, {
        ...actor,
        action: 'webhook_delivery.resend',
        subjectType: 'webhook_delivery',
        subjectId: due.id,
        changes: { webhook_endpoint_id: endpointId },
      });
      return due;
    });
  }

  /** Sends an event that tells of nothing, to this endpoint alone and once. @throws ApiError as `resend` */
  async test(actor: AuditActor, endpointId: number): Promise<DeliveryWithAttempts> {
    const { companyId } = actor;
    const createdAt = this.deps.now();
    const resourceId = newTestEventId();
    const body = { event: TEST_EVENT, sequence: 1, created_at: createdAt.toISOString() };
    return this.send(actor, endpointId, async (tx) => {
      const [born] = await this.deps.events.publish(
        tx,
        {
          companyId,
          resourceType: 'test',
          resourceId,
          sequence: 1,
          type: TEST_EVENT,
          payload: JSON.stringify(body),
          createdAt,
        },
        endpointId,
      );
      if (born === undefined) return null;
      await this.deps.audit.record(tx, {
        ...actor,
        action: 'webhook_endpoint.test',
        subjectType: 'webhook_endpoint',
        subjectId: String(endpointId),
        changes: { webhook_delivery_id: born.id },
      });
      return { ...born, companyId };
    });
  }

  private async send(
    { companyId }: AuditActor,
    endpointId: number,
    makeDue: (tx: Tx) => Promise<DeliveryToStart | null>,
  ): Promise<DeliveryWithAttempts> {
    const due = await this.deps.db.inTransaction(async (tx) => {
      assertOn(await this.deps.endpoints.lock(tx, companyId, endpointId));
      return makeDue(tx);
    });
    if (due === null) throw notFound();
    const delivery = await this.deps.deliveries.find(endpointId, due.id);
    if (delivery === null) throw new Error('a delivery is never deleted');
    await this.deps.workflows.resend(due).catch(this.deps.reportError);
    return delivery;
  }
}

function assertOn(endpoint: WebhookEndpoint | null): void {
  if (endpoint === null) throw notFound();
  if (!endpoint.enabled) throw new ApiError('invalid_state', 'The endpoint is disabled.');
}
