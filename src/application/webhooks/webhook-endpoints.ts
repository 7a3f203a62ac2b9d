import type { AuditActor } from '../../domain/companies/audit-actor';
import {
  changesBetween,
  SECRET_CHANGED,
  type AuditAction,
  type AuditChanges,
} from '../../domain/companies/audit';
import { notFound, validationError } from '../../domain/shared/errors';
import type { SubscribableEvent } from '../../domain/webhooks/webhook-event';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { WebhookDeliveryRepository } from '../../persistence/webhooks/webhook-delivery-repository';
import type {
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointRepository,
} from '../../persistence/webhooks/webhook-endpoint-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { Creation } from '../shared/create-once';
import type { EnvelopeCipher } from '../../security/envelope';
import type { SafeFetch } from '../../security/safe-fetch';
import { encryptionContext } from '../../security/encryption-context';
import { newWebhookSecret } from '../../security/webhook-signature';

export interface WebhookEndpointsDeps {
  readonly db: Database;
  readonly endpoints: WebhookEndpointRepository;
  readonly deliveries: WebhookDeliveryRepository;
  readonly audit: AuditRepository;
  readonly envelope: EnvelopeCipher;
  readonly safeFetch: Pick<SafeFetch, 'findUrlProblem'>;
  readonly now: () => Date;
}

/** An endpoint with its secret, which is returned only once. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/** Endpoints of a company. Each event is sent to every one that subscribes to it. */
const MAX_ENDPOINTS = 20;
/** After a rotation both secrets sign for this long, so that receivers can switch. */
const OLD_SECRET_LIFETIME_MS = 24 * 3_600_000;

/** A company's webhook endpoints. Every change is written to the audit log. */
export class WebhookEndpoints {
  constructor(private readonly deps: WebhookEndpointsDeps) {}

  async list(companyId: number): Promise<WebhookEndpoint[]> {
    return this.deps.endpoints.list(companyId);
  }

  /** @throws ApiError `validation_error` if the URL is not allowed, is registered for these events, or is one too many */
  async create(
    actor: AuditActor,
    request: { url: string; events: readonly SubscribableEvent[]; enabled: boolean },
  ): Promise<Creation<EndpointWithSecret>> {
    await this.assertUrlAllowed(request.url);
    const { endpoints, envelope, now } = this.deps;
    const secret = newWebhookSecret();
    return async (tx) => {
      const { companyId } = actor;
      const others = await endpoints.lockAll(tx, companyId);
      if (others.length >= MAX_ENDPOINTS) {
        throw validationError({ url: [`cannot be added: a company has at most ${MAX_ENDPOINTS} endpoints`] });
      }
      assertUnique(request, others);
      const id = await endpoints.reserveId(tx);
      const sealedSecret = await envelope.seal(secret, encryptionContext.endpointSecret(companyId, id));
      const created = await endpoints.insert(
        tx,
        { id, companyId, ...request, events: unique(request.events), sealedSecret },
        now(),
      );
      await this.recordAudit(tx, actor, id, 'webhook_endpoint.create', auditFields(created));
      return { endpoint: created, secret };
    };
  }

  /**
   * Disabling an endpoint fails its pending deliveries. Enabling it again does not restore them, but they can be resent.
   *
   * @throws ApiError `not_found`; `validation_error` as at creation
   */
  async update(actor: AuditActor, id: number, change: WebhookEndpointChange): Promise<WebhookEndpoint> {
    const { deliveries, endpoints, now } = this.deps;
    if ((await endpoints.find(actor.companyId, id)) === null) throw notFound();
    if (change.url !== undefined) await this.assertUrlAllowed(change.url);
    const { url, events } = change;
    const isMoved = url !== undefined || events !== undefined;
    return this.deps.db.inTransaction(async (tx) => {
      // The company's row before the endpoint's, like all other code, to prevent deadlocks.
      const all = isMoved ? await endpoints.lockAll(tx, actor.companyId) : [];
      const before = await this.lock(tx, actor, id);
      if (isMoved) {
        assertUnique(
          { url: url ?? before.url, events: events ?? before.events },
          all.filter((other) => other.id !== id),
        );
      }
      const changed = await endpoints.update(tx, id, { ...change, events: events && unique(events) }, now());
      if (!changed.enabled) await deliveries.markPendingFailed(tx, id);
      const changes = changesBetween(auditFields(before), auditFields(changed));
      if (Object.keys(changes).length > 0)
        await this.recordAudit(tx, actor, id, 'webhook_endpoint.update', changes);
      return changed;
    });
  }

  /** @throws ApiError `not_found` */
  async delete(actor: AuditActor, id: number): Promise<void> {
    const { deliveries, endpoints, now } = this.deps;
    await this.deps.db.inTransaction(async (tx) => {
      const before = await this.lock(tx, actor, id);
      await endpoints.markDeleted(tx, id, now());
      await deliveries.markPendingFailed(tx, id);
      await this.recordAudit(tx, actor, id, 'webhook_endpoint.delete', auditFields(before));
    });
  }

  /** Replaces the secret; the old one also signs for 24 hours. @throws ApiError `not_found` */
  async rotateSecret(actor: AuditActor, id: number): Promise<Creation<EndpointWithSecret>> {
    const { endpoints, envelope } = this.deps;
    const secret = newWebhookSecret();
    const sealedSecret = await envelope.seal(secret, encryptionContext.endpointSecret(actor.companyId, id));
    const now = this.deps.now();
    const oldUntil = new Date(now.getTime() + OLD_SECRET_LIFETIME_MS);
    return async (tx) => {
      const locked = await this.lock(tx, actor, id);
      await endpoints.rotateSecret(tx, id, { sealedSecret, oldUntil }, now);
      await this.recordAudit(tx, actor, id, 'webhook_endpoint.rotate_secret', { secret: SECRET_CHANGED });
      return { endpoint: { ...locked, updatedAt: now }, secret };
    };
  }

  private async lock(tx: Tx, { companyId }: AuditActor, id: number): Promise<WebhookEndpoint> {
    const endpoint = await this.deps.endpoints.lock(tx, companyId, id);
    if (endpoint === null) throw notFound();
    return endpoint;
  }

  private async recordAudit(
    tx: Tx,
    actor: AuditActor,
    id: number,
    action: AuditAction,
    changes: AuditChanges,
  ): Promise<void> {
    const subject = { subjectType: 'webhook_endpoint', subjectId: String(id) } as const;
    await this.deps.audit.insert(tx, { ...actor, ...subject, action, changes });
  }

  private async assertUrlAllowed(url: string): Promise<void> {
    const problem = await this.deps.safeFetch.findUrlProblem(url);
    if (problem !== null) throw validationError({ url: [problem] });
  }
}

function auditFields({ url, events, enabled }: WebhookEndpoint): AuditChanges {
  return { url, events, enabled };
}

/** @throws ApiError `validation_error` if another endpoint would receive the same events at the same URL */
function assertUnique(
  { url, events }: Pick<WebhookEndpoint, 'url' | 'events'>,
  others: readonly WebhookEndpoint[],
): void {
  const key = subscriptionKey(url, events);
  if (others.some((other) => subscriptionKey(other.url, other.events) === key)) {
    throw validationError({ url: ['has an endpoint with the same events already'] });
  }
}

function subscriptionKey(url: string, events: readonly SubscribableEvent[]): string {
  return JSON.stringify([new URL(url).href, unique(events).sort()]);
}

function unique(events: readonly SubscribableEvent[]): SubscribableEvent[] {
  return [...new Set(events)];
}
