import type { AuthenticatedCompany } from '../../domain/companies/company';
import { ApiError } from '../../domain/shared/errors';
import { unsupportedReason } from '../../domain/routing/ignored-first-try';
import { candidatesFor, type RoutableGateway, type RoutingRequirements } from '../../domain/routing/routing';
import type { GatewayRegistry } from '../../gateways/registry';
import type { GatewayRepository } from '../../persistence/gateways/gateway-repository';
import type { Tx } from '../../persistence/sql/transaction';

export interface RoutableDeps {
  readonly gateways: GatewayRepository;
  readonly registry: GatewayRegistry;
  readonly now: () => Date;
}

/** Who reads the error: a buyer at a checkout does not learn which gateways a company has. */
export type RoutableAudience = 'company' | 'buyer';

/**
 * @throws ApiError `no_gateway_available` if none of the company's enabled gateways supports the payment; for the company
 *   with the reason of each
 */
export async function assertRoutable(
  { gateways, registry, now }: RoutableDeps,
  tx: Tx,
  company: AuthenticatedCompany,
  requirements: RoutingRequirements,
  audience: RoutableAudience,
): Promise<void> {
  const platform = registry.platformSlugs(company.clientId);
  const stored = await gateways.listRoutableGateways(company.id, platform, tx);
  const enabled = registry.routable(stored, now());
  if (candidatesFor(requirements, enabled).length > 0) return;
  const reasons = audience === 'buyer' ? [] : enabled.map((gateway) => reasonOf(gateway, requirements));
  const details = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
  throw new ApiError('no_gateway_available', `No enabled gateway supports this payment${details}.`);
}

function reasonOf(gateway: RoutableGateway, requirements: RoutingRequirements): string {
  return `${gateway.slug} ${unsupportedReason(gateway, requirements)}`;
}
