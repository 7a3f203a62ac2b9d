import { isPlatformSlug, type CompanyGateway } from '../../src/gateways/registry';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentDeps } from './payment-deps';

/**
 * The gateway an attempt was sent to, with today's credentials; also one that the company has turned off since, or
 * this deployment no longer offers. Null when the company has no credentials there any more.
 */
export async function findGateway(
  deps: PaymentDeps,
  { companyId, gatewaySlug }: Pick<AttemptRecord, 'companyId' | 'gatewaySlug'>,
): Promise<CompanyGateway | null> {
  // Whoever charged through a platform gateway could use it then: the attempt itself is the proof.
  const platformSlugs = isPlatformSlug(gatewaySlug) ? [gatewaySlug] : [];
  const stored = await deps.gateways.loadGateway(companyId, gatewaySlug, platformSlugs);
  return stored && deps.registry.describe(stored, deps.now());
}
