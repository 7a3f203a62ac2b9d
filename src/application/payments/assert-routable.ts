import type { AuthenticatedCompany } from '../../domain/companies/company';
import { ApiError } from '../../domain/shared/errors';
import { candidatesFor, type RoutingRequirements } from '../../domain/routing/routing';
import type { GatewayRegistry } from '../../gateways/registry';
import type { GatewayRepository } from '../../persistence/gateways/gateway-repository';
import type { Tx } from '../../persistence/sql/transaction';

export interface RoutableDeps {
  readonly gateways: GatewayRepository;
  readonly registry: GatewayRegistry;
  readonly now: () => Date;
}

/** @throws ApiError `no_gateway_available` if none of the company's enabled gateways supports the payment */
export async function assertRoutable(
  { gateways, registry, now }: RoutableDeps,
  tx: Tx,
  company: AuthenticatedCompany,
  requirements: RoutingRequirements,
): Promise<void> {
  const platform = registry.platformSlugs(company.clientId);
  const stored = await gateways.listRoutableGateways(company.id, platform, tx);
  if (candidatesFor(requirements, registry.routable(stored, now())).length === 0) {
    throw new ApiError('no_gateway_available', 'No enabled gateway supports this payment.');
  }
}
