import { randomBytes } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { SignatureCheck } from '../domain/webhooks/received-webhook';

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

interface ReceivedMessage {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Checks a message as its receiver has to. It is `valid` if one of the secrets has signed it in the last five minutes. */
export function checkSignature(
  { headers, body }: ReceivedMessage,
  secrets: readonly string[],
): SignatureCheck {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  if (!id || !timestamp || !signature) return 'missing';
  const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const problems = secrets.map((secret) => verificationProblem(new Webhook(secret), body, signed));
  if (problems.includes(null)) return 'valid';
  return problems.every((problem) => problem?.startsWith(TIMESTAMP_PROBLEM)) ? 'expired' : 'invalid';
}

/** How the library's messages about a timestamp begin. */
const TIMESTAMP_PROBLEM = 'Message timestamp';

/** Null if there is none. */
function verificationProblem(webhook: Webhook, body: string, headers: Record<string, string>): string | null {
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    throw error;
  }
}
