import type { CompanyGateway } from '../src/gateways/registry';
import type { AttemptRecord } from '../src/persistence/gateway-attempt-repository';
import type { PaymentDeps } from './payment-deps';

/** The gateway an attempt was sent to, with today's credentials; also one the company has turned off since. */
export async function findGateway(
  deps: PaymentDeps,
  attempt: Pick<AttemptRecord, 'companyId' | 'gatewaySlug'>,
): Promise<CompanyGateway> {
  const platformSlugs = await deps.platformSlugs(attempt.companyId);
  const stored = await deps.gateways.loadGateway(attempt.companyId, attempt.gatewaySlug, platformSlugs);
  const [gateway] = deps.registry.routable(stored === null ? [] : [stored], deps.now());
  if (gateway === undefined) throw new Error(`the company has no access to ${attempt.gatewaySlug} any more`);
  return gateway;
}
