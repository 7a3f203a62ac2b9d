import type { AuditActor } from '../../domain/companies/audit-actor';
import type { ApiKeyRepository } from '../../persistence/companies/api-key-repository';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { Tx } from '../../persistence/sql/transaction';
import type { WebhookDeliveryRepository } from '../../persistence/webhooks/webhook-delivery-repository';
import type { WebhookEndpointRepository } from '../../persistence/webhooks/webhook-endpoint-repository';

export interface RevokeUnprovenAccessDeps {
  readonly companyApiKeys: ApiKeyRepository;
  readonly endpoints: WebhookEndpointRepository;
  readonly deliveries: WebhookDeliveryRepository;
  readonly audit: AuditRepository;
}

/**
 * Takes away what somebody who registered with another person's address could still use after its owner has reset the
 * password: API keys, and webhook endpoints, which get every payment and customer. Locks the company's row first, as
 * whoever adds one of them does: what is added later needs a session or key that is gone by then.
 */
export async function revokeUnprovenAccess(
  { companyApiKeys, endpoints, deliveries, audit }: RevokeUnprovenAccessDeps,
  tx: Tx,
  actor: AuditActor,
  now: Date,
): Promise<void> {
  const { companyId } = actor;
  const all = await endpoints.lockAll(tx, companyId);
  for (const { id, name, scopes } of await companyApiKeys.revokeAll(tx, companyId)) {
    const subject = { subjectType: 'api_key', subjectId: String(id) } as const;
    await audit.insert(tx, { ...actor, ...subject, action: 'api_key.revoke', changes: { name, scopes } });
  }
  for (const { id } of all.filter(({ enabled }) => enabled)) {
    await endpoints.update(tx, id, { enabled: false }, now);
    await deliveries.markPendingFailed(tx, id);
    const subject = { subjectType: 'webhook_endpoint', subjectId: String(id) } as const;
    const changes = { enabled: { from: true, to: false } };
    await audit.insert(tx, { ...actor, ...subject, action: 'webhook_endpoint.update', changes });
  }
}
