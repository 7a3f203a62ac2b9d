import type { AuditActor } from '../../domain/companies/audit-actor';
import { parseDeliveryId, type DeliveryId } from '../../domain/shared/ids';
import { keptHeaders, type SignatureCheck } from '../../domain/webhooks/received-webhook';
import { PUBLISHED_EVENTS } from '../../domain/webhooks/webhook-event';
import type {
  WebhookEndpoint,
  WebhookEndpointRepository,
} from '../../persistence/webhooks/webhook-endpoint-repository';
import type {
  CheckingReceiver,
  ReceivedWebhook,
  WebhookReceiverRepository,
} from '../../persistence/webhooks/webhook-receiver-repository';
import { encryptionContext } from '../../security/encryption-context';
import type { EnvelopeCipher } from '../../security/envelope';
import { newRandomToken } from '../../security/random-tokens';
import type { ReceiverUrls } from '../../security/receiver-urls';
import { checkSignature } from '../../security/webhook-signature';
import type { Creation } from '../shared/create-once';
import type { WebhookEndpoints } from './webhook-endpoints';

export interface WebhookReceiversDeps {
  readonly receivers: WebhookReceiverRepository;
  readonly endpoints: Pick<WebhookEndpointRepository, 'lockAll'>;
  readonly webhookEndpoints: Pick<WebhookEndpoints, 'create'>;
  readonly receiverUrls: ReceiverUrls;
  readonly envelope: EnvelopeCipher;
  readonly now: () => Date;
}

/** A message as it arrives. Header names are in lower case. */
interface ArrivingMessage {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

interface LookedAtReceiver {
  readonly endpoint: Pick<WebhookEndpoint, 'id' | 'url' | 'enabled'> | null;
  readonly messages: readonly ReceivedWebhook[];
}

/** Webhook endpoints at this service, each of which receives a company's test events to be looked at. */
export class WebhookReceivers {
  constructor(private readonly deps: WebhookReceiversDeps) {}

  /** The company's receiver, which is added unless there is one. @throws ApiError `validation_error` if it is one endpoint too many */
  async create(actor: AuditActor): Promise<Creation<WebhookEndpoint>> {
    const { receivers, endpoints, webhookEndpoints, receiverUrls, now } = this.deps;
    const token = newRandomToken();
    const url = receiverUrls.urlOf(token);
    const create = await webhookEndpoints.create(actor, { url, events: PUBLISHED_EVENTS, enabled: true });
    return async (tx) => {
      const { companyId } = actor;
      const others = await endpoints.lockAll(tx, companyId);
      const known = await receivers.findEndpoint(companyId, tx);
      const existing = others.find(({ id }) => id === known?.id);
      if (existing !== undefined) return existing;
      const { endpoint } = await create(tx);
      await receivers.save(tx, { companyId, endpointId: endpoint.id, token }, now());
      return endpoint;
    };
  }

  async look(companyId: number): Promise<LookedAtReceiver> {
    const { receivers, now } = this.deps;
    return {
      endpoint: await receivers.findEndpoint(companyId),
      messages: await receivers.list(companyId, now()),
    };
  }

  /** Checks and keeps a message. False if no receiver has the token. */
  async receive(token: string, { headers, body }: ArrivingMessage): Promise<boolean> {
    const receiver = await this.deps.receivers.findByToken(token);
    if (receiver === null) return false;
    const receivedAt = this.deps.now();
    const signature = await this.check(receiver, { headers, body }, receivedAt);
    await this.deps.receivers.insert(receiver.companyId, {
      receivedAt,
      headers: keptHeaders(headers),
      bodyBytes: body.length,
      signature,
      deliveryId: signature === 'valid' ? deliveryOf(headers['webhook-id'] ?? '') : null,
    });
    return true;
  }

  private async check(
    { companyId, endpointId, sealedSecret, olderSecrets }: CheckingReceiver,
    { headers, body }: ArrivingMessage,
    now: Date,
  ): Promise<SignatureCheck> {
    const older = olderSecrets.filter(({ until }) => now < new Date(until)).map(({ sealed }) => sealed);
    const context = encryptionContext.endpointSecret(companyId, endpointId);
    const secrets = await Promise.all(
      [sealedSecret, ...older].map((sealed) => this.deps.envelope.openOften(sealed, context)),
    );
    return checkSignature({ headers, body: body.toString('utf8') }, secrets);
  }
}

/** Deliveries are sent with `msg_` before their id. */
function deliveryOf(webhookId: string): DeliveryId | null {
  return webhookId.startsWith('msg_') ? parseDeliveryId(webhookId.slice('msg_'.length)) : null;
}
