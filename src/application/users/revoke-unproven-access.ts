import type { AuditChanges } from '../../domain/companies/audit';
import type { AuditActor } from '../../domain/companies/audit-actor';
import type { ApiKeyRepository } from '../../persistence/companies/api-key-repository';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import { ownCompanyId } from '../../domain/shared/mode';
import type { GatewayCredentialRepository } from '../../persistence/gateways/gateway-credential-repository';
import type { Tx } from '../../persistence/sql/transaction';
import type { WebhookDeliveryRepository } from '../../persistence/webhooks/webhook-delivery-repository';
import type { WebhookEndpointRepository } from '../../persistence/webhooks/webhook-endpoint-repository';

export interface RevokeUnprovenAccessDeps {
  readonly companyApiKeys: ApiKeyRepository;
  readonly credentials: GatewayCredentialRepository;
  readonly endpoints: WebhookEndpointRepository;
  readonly deliveries: WebhookDeliveryRepository;
  readonly audit: AuditRepository;
}

/**
 * Takes away what somebody who registered with another person's address could still use after its owner has reset the
 * password: API keys, webhook endpoints, which get every payment and customer, and gateway credentials, by which new charges
 * would be paid to a stranger, in both modes; charges that exist are still captured, refunded and asked about. Locks the company's row and
 * then each endpoint and credential, in the order of the requests that add or change one: a later request needs a session or
 * key that is gone by then.
 */
export async function revokeUnprovenAccess(
  deps: RevokeUnprovenAccessDeps,
  tx: Tx,
  user: AuditActor,
  now: Date,
): Promise<void> {
  const own = ownCompanyId(user.companyId);
  for (const companyId of [own, -own]) await revokeInMode(deps, tx, { ...user, companyId }, now);
}

async function revokeInMode(
  { companyApiKeys, credentials, endpoints, deliveries, audit }: RevokeUnprovenAccessDeps,
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
  for (const { id } of all) {
    const endpoint = await endpoints.lock(tx, companyId, id);
    if (endpoint?.enabled !== true) continue;
    await endpoints.update(tx, id, { enabled: false }, now);
    await deliveries.markPendingFailed(tx, id);
    const subject = { subjectType: 'webhook_endpoint', subjectId: String(id) } as const;
    await audit.insert(tx, { ...actor, ...subject, action: 'webhook_endpoint.update', changes: DISABLED });
  }
  for (const slug of await credentials.disableAll(tx, companyId, now)) {
    const subject = { subjectType: 'gateway', subjectId: slug } as const;
    await audit.insert(tx, { ...actor, ...subject, action: 'gateway.update', changes: DISABLED });
  }
}

const DISABLED: AuditChanges = { enabled: { from: true, to: false } };
