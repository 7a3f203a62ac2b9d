import { notFound, validationError } from '../domain/errors';
import type { SubscribableEvent } from '../domain/webhook-event';
import type { WebhookDeliveryRepository } from '../persistence/webhook-delivery-repository';
import type {
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointRepository,
} from '../persistence/webhook-endpoint-repository';
import type { Database, Tx } from '../persistence/transaction';
import type { Envelope } from '../security/envelope';
import type { SafeFetch } from '../security/safe-fetch';
import { sealedPlaces } from '../security/sealed-places';
import { newWebhookSecret } from '../security/webhook-signature';

export interface WebhookEndpointsDeps {
  readonly db: Database;
  readonly endpoints: WebhookEndpointRepository;
  readonly deliveries: WebhookDeliveryRepository;
  readonly envelope: Envelope;
  readonly safeFetch: Pick<SafeFetch, 'problemWith'>;
  readonly now: () => Date;
}

/** An endpoint with its secret, which is shown this once. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/** How long receivers have to take up a new secret: the old one signs too. */
const OLD_SECRET_MS = 24 * 3_600_000;

/** Where a company wants its events. */
export class WebhookEndpoints {
  constructor(private readonly deps: WebhookEndpointsDeps) {}

  async list(companyId: number): Promise<WebhookEndpoint[]> {
    return this.deps.endpoints.list(companyId);
  }

  /** @throws ApiError `validation_error` when the URL may never be called */
  async create(
    companyId: number,
    asked: { url: string; events: readonly SubscribableEvent[]; enabled: boolean },
  ): Promise<EndpointWithSecret> {
    await this.checkUrl(asked.url);
    const { db, endpoints, envelope, now } = this.deps;
    const secret = newWebhookSecret();
    const endpoint = await db.inTransaction(async (tx) => {
      const id = await endpoints.nextId(tx);
      const sealedSecret = await envelope.seal(secret, sealedPlaces.endpointSecret(companyId, id));
      return endpoints.insert(
        tx,
        { id, companyId, ...asked, events: unique(asked.events), sealedSecret },
        now(),
      );
    });
    return { endpoint, secret };
  }

  /**
   * Turning it off ends what is still on its way to it; turning it on again brings nothing of that back, but a resend does.
   *
   * @throws ApiError `not_found`; `validation_error` as at creation
   */
  async update(companyId: number, id: number, change: WebhookEndpointChange): Promise<WebhookEndpoint> {
    const { deliveries, endpoints, now } = this.deps;
    if ((await endpoints.find(companyId, id)) === null) throw notFound();
    if (change.url !== undefined) await this.checkUrl(change.url);
    const { events } = change;
    return this.changeLocked(companyId, id, async (tx) => {
      const changed = await endpoints.update(tx, id, { ...change, events: events && unique(events) }, now());
      if (!changed.enabled) await deliveries.failPendingOf(tx, id);
      return changed;
    });
  }

  /** @throws ApiError `not_found` */
  async delete(companyId: number, id: number): Promise<void> {
    const { deliveries, endpoints, now } = this.deps;
    await this.changeLocked(companyId, id, async (tx) => {
      await endpoints.markDeleted(tx, id, now());
      await deliveries.failPendingOf(tx, id);
    });
  }

  /** The new secret signs from now on, and the old one beside it for a day. @throws ApiError `not_found` */
  async rotateSecret(companyId: number, id: number): Promise<EndpointWithSecret> {
    const { endpoints, envelope } = this.deps;
    const secret = newWebhookSecret();
    const sealedSecret = await envelope.seal(secret, sealedPlaces.endpointSecret(companyId, id));
    const now = this.deps.now();
    const oldUntil = new Date(now.getTime() + OLD_SECRET_MS);
    const endpoint = await this.changeLocked(companyId, id, async (tx, locked) => {
      await endpoints.rotateSecret(tx, id, { sealedSecret, oldUntil }, now);
      return { ...locked, updatedAt: now };
    });
    return { endpoint, secret };
  }

  private async changeLocked<T>(
    companyId: number,
    id: number,
    change: (tx: Tx, endpoint: WebhookEndpoint) => Promise<T>,
  ): Promise<T> {
    return this.deps.db.inTransaction(async (tx) => {
      const endpoint = await this.deps.endpoints.lock(tx, companyId, id);
      if (endpoint === null) throw notFound();
      return change(tx, endpoint);
    });
  }

  private async checkUrl(url: string): Promise<void> {
    const problem = await this.deps.safeFetch.problemWith(url);
    if (problem !== null) throw validationError({ url: [problem] });
  }
}

function unique(events: readonly SubscribableEvent[]): SubscribableEvent[] {
  return [...new Set(events)];
}
