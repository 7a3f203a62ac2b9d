import type { AuthenticatedCompany } from '../../domain/companies/company';
import { assertNever } from '../../domain/shared/assert-never';
import { ApiError, validationError } from '../../domain/shared/errors';
import { describeUnroutable } from '../../domain/routing/ignored-first-try';
import { leastMissing, type RequirableField } from '../../domain/routing/required-data';
import {
  candidatesFor,
  unsupportedFeature,
  type RoutableGateway,
  type RoutingRequirements,
} from '../../domain/routing/routing';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import { routedCard, type GatewayRepository } from '../../persistence/gateways/gateway-repository';
import type { Tx } from '../../persistence/sql/transaction';

export interface RoutableDeps {
  readonly gateways: GatewayRepository;
  readonly registries: GatewayRegistries;
  readonly now: () => Date;
}

/** Who reads the error: a buyer at a checkout does not learn which gateways a company has. */
export type RoutableAudience = 'company' | 'buyer';

export interface RoutableFor {
  readonly audience: RoutableAudience;
  /** Whose card may have tokens of gateways; null if there is none yet. */
  readonly charged: Parameters<typeof routedCard>[0] | null;
}

/**
 * @throws ApiError `validation_error` on the fields that a gateway needs, if nothing else is in the way of the payment;
 *   `no_gateway_available` if none of the company's enabled gateways supports the payment; for the company with the reason of each
 */
export async function assertRoutable(
  { gateways, registries, now }: RoutableDeps,
  tx: Tx,
  company: AuthenticatedCompany,
  requirements: RoutingRequirements,
  { audience, charged }: RoutableFor,
): Promise<void> {
  const registry = registries.of(company.id);
  const platform = registry.platformSlugs(company.clientId);
  const card = charged && routedCard(charged);
  const stored = await gateways.listRoutableGateways(company.id, platform, tx, card);
  const enabled = registry.routable(stored, now());
  if (candidatesFor(requirements, enabled).length > 0) return;
  assertRequiredData(enabled, requirements, audience);
  const isTold = audience === 'company' && enabled.length > 0;
  const details = isTold ? `: ${describeUnroutable(enabled, requirements)}` : '';
  throw new ApiError('no_gateway_available', `No enabled gateway supports this payment${details}.`);
}

function assertRequiredData(
  enabled: readonly RoutableGateway[],
  requirements: RoutingRequirements,
  audience: RoutableAudience,
): void {
  const least = leastMissing(
    enabled.filter((gateway) => unsupportedFeature(gateway, requirements) === 'required_data'),
    requirements,
  );
  if (least === null) return;
  const { gateway, fields } = least;
  if (audience === 'buyer') {
    if (!fields.every(isAskedAtCheckout)) return;
    throw validationError(Object.fromEntries(fields.map((field) => [field, ['is required']])));
  }
  const method = requirements.paymentMethod;
  const reason = `is required: ${gateway.slug} takes no ${method} payment without it, and no other gateway supports this payment`;
  throw validationError(Object.fromEntries(fields.map((field) => [field, [reason]])));
}

/** Whether a buyer can give it. The others are the company's to give. */
function isAskedAtCheckout(field: RequirableField): boolean {
  switch (field) {
    case 'payer.phone':
    case 'billing_address':
      return true;
    case 'payer.ip':
    case 'items':
    case 'return_url':
      return false;
    default:
      return assertNever(field);
  }
}
