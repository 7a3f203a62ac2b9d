import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

export interface SignedMessage {
  /** The same on every attempt. */
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
}

/** A new endpoint secret in the form its owner is shown: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The headers of one delivery attempt by Standard Webhooks 1.0, symmetric scheme
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): one signature for each
 * secret that is valid now.
 */
export function webhookHeaders(
  { id, sentAt, body }: SignedMessage,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
  };
}
