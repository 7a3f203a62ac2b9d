import type { ReceivedHeader, SignatureCheck } from '../../domain/webhooks/received-webhook';
import type { components } from '../../http/generated/openapi';
import { presentEventBody, type PresentableEventBody } from '../event-body';

type Schemas = components['schemas'];

interface PresentableMessage {
  readonly id: number;
  readonly receivedAt: Date;
  readonly headers: readonly ReceivedHeader[];
  readonly bodyBytes: number;
  readonly signature: SignatureCheck;
  readonly deliveryId: string | null;
  readonly event: PresentableEventBody | null;
}

interface PresentableReceiver {
  readonly endpoint: { readonly id: number; readonly url: string; readonly enabled: boolean } | null;
  readonly messages: readonly PresentableMessage[];
}

export function presentWebhookReceiver({
  endpoint,
  messages,
}: PresentableReceiver): Schemas['WebhookReceiver'] {
  return { endpoint, messages: messages.map(presentMessage) };
}

/** The body is made as it was for the delivery. */
function presentMessage({
  id,
  receivedAt,
  headers,
  bodyBytes,
  signature,
  deliveryId,
  event,
}: PresentableMessage): Schemas['ReceivedWebhook'] {
  return {
    id,
    received_at: receivedAt.toISOString(),
    headers: headers.map(({ name, value }) => ({ name, value })),
    body_bytes: bodyBytes,
    body: event && JSON.stringify(presentEventBody(event)),
    signature,
    delivery_id: deliveryId,
  };
}
