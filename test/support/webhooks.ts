import { Webhook } from 'standardwebhooks';
import { composeWebhooks } from '../../src/compose-webhooks';
import type { AuthenticatedCompany } from '../../src/domain/company';
import type { SubscribableEvent } from '../../src/domain/webhook-event';
import type { WebhookOperationsDeps } from '../../src/http/routes/webhooks';
import type { DeliverySummary } from '../../src/persistence/webhook-delivery-repository';
import type { PaymentBody } from '../../src/presenters/payment';
import { adminOf } from './admin';
import type { Engine } from './engine';
import type { ReceivedWebhook } from './webhook-receiver';

export const ALL_TRANSACTION_EVENTS = [
  'transaction.approved',
  'transaction.failed',
  'transaction.refunded',
  'transaction.pending',
  'transaction.authorized',
  'transaction.canceled',
] as const satisfies readonly SubscribableEvent[];

export interface TestEndpoint {
  readonly id: number;
  readonly secret: string;
}

export function webhooksOf({ config, parts }: Engine): WebhookOperationsDeps {
  return composeWebhooks(config, parts, { warn: () => undefined });
}

/** An endpoint of the company, as its administrator would make it. */
export async function addEndpoint(
  engine: Engine,
  { id: companyId }: Pick<AuthenticatedCompany, 'id'>,
  url: string,
  events: readonly SubscribableEvent[] = ALL_TRANSACTION_EVENTS,
): Promise<TestEndpoint> {
  const actor = await adminOf(engine.parts, companyId);
  const { endpoint, secret } = await webhooksOf(engine).webhookEndpoints.create(actor, {
    url,
    events,
    enabled: true,
  });
  return { id: endpoint.id, secret };
}

export function deliveriesOf(
  engine: Engine,
  { transaction_id: id }: PaymentBody,
): Promise<DeliverySummary[]> {
  return engine.parts.deliveries.ofResource(id);
}

/** What the public library makes of it; throws when the signature is not the secret's. */
export function verified({ headers, body }: ReceivedWebhook, secret: string): Record<string, unknown> {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>;
}
