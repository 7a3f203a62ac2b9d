import { isPlatformSlug, type CompanyGateway } from '../../src/gateways/registry';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentDeps } from './payment-deps';

/**
 * The gateway of an attempt, with its current credentials, even if the company has disabled it or this deployment no
 * longer offers it. Null if the company has no credentials for it any more.
 */
export async function findGateway(
  deps: PaymentDeps,
  { companyId, gatewaySlug }: Pick<AttemptRecord, 'companyId' | 'gatewaySlug'>,
): Promise<CompanyGateway | null> {
  // The attempt proves that the company was allowed to use the platform gateway.
  const platformSlugs = isPlatformSlug(gatewaySlug) ? [gatewaySlug] : [];
  const stored = await deps.gateways.findGateway(companyId, gatewaySlug, platformSlugs);
  return stored && deps.registry.toCompanyGateway(stored, deps.now());
}
